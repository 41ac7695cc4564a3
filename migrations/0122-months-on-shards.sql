-- A further month on a database that Citus shards (0115, 0118). Citus takes a table with its policy as a partition and distributes it, but
-- moves no rows into it by a statement of this kind. So a month is only made while the catch-all has no rows of it, as is usual:
-- months are made ahead. Otherwise its rows stay where they are, and go row by row at the end of their retention.
create or replace function add_month(table_name text, key_column text, month date) returns void language plpgsql as $$
declare
  name constant text := table_name || '_' || to_char(month, 'YYYY_MM');
  other constant text := table_name || '_other';
  first constant uuid := month_floor(month);
  behind constant uuid := month_floor((month + interval '1 month')::date);
  has_rows boolean;
begin
  if is_sharded() then
    execute format('select exists (select 1 from %I where %I >= %L and %I < %L)', other, key_column, first, key_column, behind) into has_rows;
    if has_rows then
      return;
    end if;
  end if;
  execute format('create table %I (like %I including defaults including constraints)', name, table_name);
  if is_sharded() then
    perform protect_rows_of_tenants();
  else
    -- Before it is looked into: else a row could come between.
    execute format('lock table %I in access exclusive mode', other);
    execute format('insert into %I select * from %I where %I >= $1 and %I < $2', name, other, key_column, key_column) using first, behind;
    execute format('delete from %I where %I >= $1 and %I < $2', other, key_column, key_column) using first, behind;
  end if;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', table_name, name, first, behind);
  if not is_sharded() then
    perform protect_rows_of_tenants();
  end if;
end
$$;
