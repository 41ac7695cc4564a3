-- A search looks through thousands of events. The policy of this table reads the setting once for each statement, in a sub-select, and not for each row: 3,000
-- rows with their words took a quarter longer than without row security, now 8 %. Reading a single row takes 5 µs longer so, which is why the other tables
-- keep what they have (bench/results/2026-11-27.md). Rows that are written are checked as before.

create or replace function protect_rows_of_tenants() returns void language plpgsql as $$
declare
  name regclass;
  -- Both are written as `… is not null` for the planner, see 0083.
  by_row constant text := '(case current_setting(''casework.tenant_id'', true) when tenant_id then 1 when ''*'' then 1 end) is not null';
  by_statement constant text := '(case (select current_setting(''casework.tenant_id'', true)) when tenant_id then 1 when ''*'' then 1 end) is not null';
begin
  for name in
    select c.oid from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
      and a.attname = 'tenant_id' and not a.attisdropped
      and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'rows_of_tenants')
    order by c.relname
  loop
    execute format('alter table %s enable row level security', name);
    execute format('alter table %s force row level security', name);
    execute format('create policy rows_of_tenants on %s using (%s) with check (%s)', name,
      case when name = 'event'::regclass then by_statement else by_row end, by_row);
  end loop;
end
$$;

-- In a new database the policies are made behind the last migration.
do $$
begin
  if exists (select from pg_policy where polrelid = 'event'::regclass and polname = 'rows_of_tenants') then
    alter policy rows_of_tenants on event
      using ((case (select current_setting('casework.tenant_id', true)) when tenant_id then 1 when '*' then 1 end) is not null);
  end if;
end
$$;
