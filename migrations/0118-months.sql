-- Tables that grow with every report are divided by the month of arrival: ranges of the time-ordered id that is part of their key. A month that nobody
-- keeps any more is dropped as a whole (docs/decisions/0019-months.md). A table consists of what came before the division (`event_until_2026_12`), one
-- partition for each month since (`event_2026_12`), and one for ids of any other time (`event_other`), which stays empty while all clocks are right.
--
-- The functions are called by src/kernel/db/months as well: for a table that is too large to be moved here, and for the months to come.

create function month_floor(month date) returns uuid language sql immutable strict as $$
  -- No greater than any UUIDv7 of the month, and greater than all before.
  select (substr(digits, 1, 8) || '-' || substr(digits, 9, 4) || '-7000-8000-000000000000')::uuid
  from (select lpad(to_hex((extract(epoch from month::timestamp at time zone 'UTC') * 1000)::bigint), 12, '0') as digits) as one
$$;

-- Divides a table: its rows become the partition of all ids before the month, in place, but for rows with a later id. Where a valid constraint says that
-- there are none, no row is read. Indexes, constraints, policies and grants are those of the table before.
create function divide_by_month(table_name text, key_column text, month date) returns void language plpgsql as $$
declare
  former constant text := table_name || '_until_' || to_char(month, 'YYYY_MM');
  former_table regclass;
  other constant text := table_name || '_other';
  key_definition text;
  key_name text;
  definitions text[];
  grants text[];
  one record;
begin
  execute format('lock table %I in access exclusive mode', table_name);
  former_table := table_name::regclass;
  if (select relkind from pg_class where oid = former_table) <> 'r' then return; end if;
  select conname, pg_get_constraintdef(oid) into strict key_name, key_definition
    from pg_constraint where conrelid = former_table and contype = 'p';
  select coalesce(array_agg(pg_get_indexdef(indexrelid) order by indexrelid), '{}') into definitions
    from pg_index where indrelid = former_table and not indisprimary;
  select coalesce(array_agg(format('grant %s on %I to %s', a.privilege_type, table_name,
      case a.grantee when 0 then 'public' else a.grantee::regrole::text end)), '{}') into grants
    from pg_class c, aclexplode(c.relacl) a where c.oid = former_table and a.grantee <> c.relowner;
  execute format('alter table %I rename to %I', table_name, former);
  for one in select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = former_table loop
    execute format('alter index %I rename to %I', one.name, former || substr(one.name, length(table_name) + 1));
  end loop;
  execute format('create table %I (like %I including all excluding indexes) partition by range (%I)', table_name, former, key_column);
  -- What only said that no row is too new.
  execute format('alter table %I drop constraint if exists %I', table_name, table_name || '_before_month');
  execute format('alter table %I add constraint %I %s', table_name, key_name, key_definition);
  for i in 1 .. cardinality(definitions) loop execute definitions[i]; end loop;
  for i in 1 .. cardinality(grants) loop execute grants[i]; end loop;
  execute format('create table %I partition of %I default', other, table_name);
  if not exists (
    select from pg_constraint where conrelid = former_table and conname = table_name || '_before_month' and convalidated
  ) then
    execute format('insert into %I select * from %I where %I >= $1', other, former, key_column) using month_floor(month);
    execute format('delete from %I where %I >= $1', former, key_column) using month_floor(month);
  end if;
  execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', table_name, former, month_floor(month));
  execute format('alter table %I drop constraint if exists %I', former, table_name || '_before_month');
  perform protect_rows_of_tenants();
end
$$;

-- Makes the partition of a month, with the rows of the month that went to `other` while it was missing.
create function add_month(table_name text, key_column text, month date) returns void language plpgsql as $$
declare
  name constant text := table_name || '_' || to_char(month, 'YYYY_MM');
  other constant text := table_name || '_other';
  first constant uuid := month_floor(month);
  behind constant uuid := month_floor((month + interval '1 month')::date);
begin
  execute format('create table %I (like %I including defaults including constraints)', name, table_name);
  -- Before it is looked into: else a row could come between.
  execute format('lock table %I in access exclusive mode', other);
  execute format('insert into %I select * from %I where %I >= $1 and %I < $2', name, other, key_column, key_column) using first, behind;
  execute format('delete from %I where %I >= $1 and %I < $2', other, key_column, key_column) using first, behind;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', table_name, name, first, behind);
  perform protect_rows_of_tenants();
end
$$;

-- A new or small installation is divided at once. Reading 64 MB takes less than a second.
do $$
declare
  one record;
begin
  for one in
    select * from (values ('event', 'event_id'), ('case_history', 'id'), ('visit', 'run_id')) as growing (name, key)
    where pg_relation_size(name::regclass) < 64 * 1024 * 1024
  loop
    perform divide_by_month(one.name, one.key, (date_trunc('month', now() at time zone 'UTC') + interval '1 month')::date);
  end loop;
end
$$;
