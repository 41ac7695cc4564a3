-- Citus copies the rows of a table to its shards by COPY, which PostgreSQL refuses under row level security. The months
-- of a divided table have it too, so sharding a database with events failed. They are without it for as long as the
-- parent is.
create or replace function shard_by_tenant(name regclass) returns void language plpgsql as $$
declare
  condition constant text := '(case current_setting(''casework.tenant_id'', true) when tenant_id then 1 when ''*'' then 1 end) is not null';
  -- A table with a key to a reference table is made anew by Citus, so its number does not last.
  table_name constant text := name::text;
  -- The table itself, and its months.
  tables text[];
  part text;
  neighbour text;
  is_there boolean;
begin
  if not is_sharded() then
    return;
  end if;
  execute 'select exists (select from pg_catalog.pg_dist_partition where logicalrelid = $1 and partmethod = ''h'')' into is_there using name;
  if is_there then
    return;
  end if;
  execute $q$select logicalrelid::text from pg_catalog.pg_dist_partition join pg_class c on c.oid = logicalrelid
    where partmethod = 'h' and c.relnamespace = current_schema()::regnamespace order by logicalrelid::text limit 1$q$ into neighbour;
  perform protect_rows_of_tenants();
  execute format('alter policy rows_of_tenants on %s using (%s)', table_name, condition);
  select array_agg(oid::regclass::text order by oid) into tables from pg_class
    where oid = name or oid in (select inhrelid from pg_inherits where inhparent = name);
  foreach part in array tables loop
    execute format('alter table %s no force row level security', part);
    execute format('alter table %s disable row level security', part);
  end loop;
  execute 'select create_distributed_table($1, ''tenant_id'', colocate_with => $2)' using table_name::regclass, coalesce(neighbour, 'none');
  execute 'select truncate_local_data_after_distributing_table($1)' using table_name::regclass;
  foreach part in array tables loop
    execute format('alter table %s enable row level security', part);
    execute format('alter table %s force row level security', part);
  end loop;
end
$$;
