-- The second wall between tenants: a statement sees the rows of the tenant that `casework.tenant_id` names, and of all tenants while it is `*`
-- (src/kernel/db/row-scope.ts). Without the setting it sees none. FORCE: the owner of the tables, as whom the program works, is no exception.

-- Called at the end of each upgrade, whatever number a migration has that makes a table with a tenant_id.
--
-- The condition is written as `… is not null` for the planner. Of `tenant_id = x or x = '*'` it would expect the tenant's share of the rows once more,
-- beside the `tenant_id =` that each statement has, and choose plans for too few rows. Of this form it expects nearly all of them.
create function protect_rows_of_tenants() returns void language plpgsql as $$
declare
  name regclass;
  condition constant text := '(case current_setting(''casework.tenant_id'', true) when tenant_id then 1 when ''*'' then 1 end) is not null';
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
    execute format('create policy rows_of_tenants on %s using (%s) with check (%s)', name, condition, condition);
  end loop;
end
$$;
