-- Casework on Citus, sharded by tenant (docs/guides/shard-by-tenant.md). Without Citus these functions do nothing.

-- True once `casework migrate --distribute` has begun: it makes `tenant` a reference table first.
create function is_sharded() returns boolean language plpgsql as $$
declare
  found boolean;
begin
  if to_regclass('pg_catalog.pg_dist_partition') is null then
    return false;
  end if;
  execute $q$select exists (select from pg_catalog.pg_dist_partition where logicalrelid = to_regclass('tenant') and partmethod = 'n' and repmodel = 't')$q$ into found;
  return found;
end
$$;

-- Distributes one table by its tenant_id, beside the rows of the same tenant in the other tables. The upgrade calls it for every table
-- (src/app/sharding). A later migration calls it for a new table before it adds a foreign key: Citus refuses the key of a table that is not
-- distributed yet to one that is, and a policy of this form on a table that it manages already. For the same reason a new table
-- that is not sharded, and has a tenant_id, is given to protect_rows_of_tenants() before its foreign key is added.
--
-- Citus moves rows by COPY, which PostgreSQL refuses where row level security is on, so it is off meanwhile. Policies with a sub-select cannot be had on
-- a distributed table: the policy of `event` becomes that of every other table (migration 0109).
create function shard_by_tenant(name regclass) returns void language plpgsql as $$
declare
  condition constant text := '(case current_setting(''casework.tenant_id'', true) when tenant_id then 1 when ''*'' then 1 end) is not null';
  -- A table with a key to a reference table is made anew by Citus, so its number does not last.
  table_name constant text := name::text;
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
  execute format('alter table %s no force row level security', table_name);
  execute format('alter table %s disable row level security', table_name);
  execute 'select create_distributed_table($1, ''tenant_id'', colocate_with => $2)' using table_name::regclass, coalesce(neighbour, 'none');
  execute 'select truncate_local_data_after_distributing_table($1)' using table_name::regclass;
  execute format('alter table %s enable row level security', table_name);
  execute format('alter table %s force row level security', table_name);
end
$$;
