-- A plan may be kept since a month had no events, and holds until its statistics are made. On an empty table all indexes of the tenant cost the same,
-- and two functions of 0126 took others than those of their condition: they would have read all events that the tenant has in that month, one of them
-- for each id. In the order of the right index it costs least, as the rows of the others would have to be sorted.

create or replace function find_events_by_id(tenant text, ids uuid[])
  returns table (tenant_id text, event_id uuid, event_date timestamptz, event_type text, sender_email text, domain text, ip text, resolved boolean,
    customer_id text, case_id text, report_id uuid, details jsonb, unassigned_cause text, mute_rule_id uuid)
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  if is_sharded() then
    return query
      select event.tenant_id, event.event_id, event.event_date, event.event_type, event.sender_email, event.domain, event.ip, event.resolved,
        event.customer_id, event.case_id, event.report_id, event.details, event.unassigned_cause, event.mute_rule_id
      from event where event.tenant_id = tenant and event.event_id = any(ids);
    return;
  end if;
  -- One by one, since a kept plan leaves out partitions for each id, and none for all of them. As a range, because of one id there is no order.
  return query
    select event.* from unnest(ids) as given (id) cross join lateral (
      select event.tenant_id, event.event_id, event.event_date, event.event_type, event.sender_email, event.domain, event.ip, event.resolved,
        event.customer_id, event.case_id, event.report_id, event.details, event.unassigned_cause, event.mute_rule_id
      from event where event.tenant_id = tenant and event.event_id >= given.id and event.event_id <= given.id
      order by event.event_id limit 1
    ) as event;
end
$$;

create or replace function find_reports_of_senders(tenant text, beginning text, most integer) returns table (report_id uuid)
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  return query
    select event.report_id from event
    where event.tenant_id = tenant and lower(event.sender_email) >= beginning and lower(event.sender_email) < beginning || chr(1114111)
      and event.report_id is not null
    order by lower(event.sender_email) limit most;
end
$$;
