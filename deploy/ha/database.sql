-- Once, on the primary: sudo -u postgres psql -f database.sql
-- docs/guides/operate.md says which functions a superuser may mark as leakproof beside this.
create role casework login password 'replace-casework' nosuperuser nobypassrls;
create database casework owner casework;
