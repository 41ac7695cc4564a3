-- Migration 0118 divides a new installation at the coming month, also in its last week, when `readyz` and `doctor` ask for the one behind it. So an
-- installation of that week has it from the start.

do $$
declare
  one record;
  coming constant date := (date_trunc('month', (now() + interval '7 days') at time zone 'UTC') + interval '1 month')::date;
  month date := (date_trunc('month', now() at time zone 'UTC') + interval '1 month')::date;
begin
  while month < coming loop
    for one in
      select * from (values ('event', 'event_id'), ('case_history', 'id'), ('visit', 'run_id')) as growing (name, key)
      where (select relkind from pg_class where oid = name::regclass) = 'p' and not exists (
        select from pg_inherits join pg_class p on p.oid = inhrelid
        where inhparent = name::regclass
          and substring(pg_get_expr(p.relpartbound, p.oid) from 'TO \(''([0-9a-f-]{36})''\)')::uuid > month_floor(month)
      )
    loop
      perform add_month(one.name, one.key, month);
    end loop;
    month := (month + interval '1 month')::date;
  end loop;
end
$$;
