-- The earliest event of each hour of arrivals. A list in the order of arrival of what happened before some day else reads everything that came later
-- (measured at five million events, half of them later: 0.5 to 1.1 s). An hour may tell an earlier time than its events when some were removed.

create table event_hour (
  tenant_id text collate "C" not null,
  -- Ids of events that came within the hour, [from_id, until_id): the time is in front (migration 0003).
  from_id uuid not null,
  until_id uuid not null,
  first_event_date timestamptz(3) not null,
  primary key (tenant_id, from_id) include (until_id, first_event_date)
);
insert into event_hour
select tenant_id, ids[1], ids[2], first_event_date from (
  select tenant_id, min(event_date) as first_event_date, (
    select array_agg((substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7000-8000-000000000000')::uuid order by hex)
    from (select lpad(to_hex((hour + next) * 3600000), 12, '0') as hex from unnest(array[0, 1]) as next) as bounds
  ) as ids
  from (
    select tenant_id, event_date, floor(extract(epoch from create_date) / 3600)::bigint as hour from event
  ) as one
  group by tenant_id, hour
) as hours;
