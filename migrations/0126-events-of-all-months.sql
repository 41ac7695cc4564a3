-- Statements about few events of all months, planned once for each connection (as 0119 and 0124): a plan over 37 partitions takes thirty times as long
-- as to read the rows. A sharded database plans each time (src/app/sharding/shard-schema.ts).

-- Events by their ids, with what lists and the search ask of them.
create function find_events_by_id(tenant text, ids uuid[])
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
  -- One by one, since a kept plan leaves out partitions for each id, and none for all of them. The offset keeps the condition inside.
  return query
    select event.* from unnest(ids) as given (id) cross join lateral (
      select event.tenant_id, event.event_id, event.event_date, event.event_type, event.sender_email, event.domain, event.ip, event.resolved,
        event.customer_id, event.case_id, event.report_id, event.details, event.unassigned_cause, event.mute_rule_id
      from event where event.tenant_id = tenant and event.event_id = given.id offset 0
    ) as event;
end
$$;

-- Up to `most` events of these addresses or domains.
create function find_events_of_items(tenant text, kind text, items text[], most integer)
  returns table (item text, event_date timestamptz, event_type text, sender_email text, report_id uuid, case_id text, mute_rule_id uuid)
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  case kind
    when 'ip' then
      return query
        select event.ip, event.event_date, event.event_type, event.sender_email, event.report_id, event.case_id, event.mute_rule_id
        from event where event.tenant_id = tenant and event.ip = any(items) limit most;
    when 'domain' then
      return query
        select event.domain, event.event_date, event.event_type, event.sender_email, event.report_id, event.case_id, event.mute_rule_id
        from event where event.tenant_id = tenant and event.domain = any(items) limit most;
  end case;
end
$$;

-- The reports of up to `most` events whose reporter's address begins so, in lower case; a report may come more than once. By comparison, because
-- `like` is run behind row security only, and so would read all events of the tenant.
create function find_reports_of_senders(tenant text, beginning text, most integer) returns table (report_id uuid)
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  return query
    select event.report_id from event
    where event.tenant_id = tenant and lower(event.sender_email) >= beginning and lower(event.sender_email) < beginning || chr(1114111)
      and event.report_id is not null
    limit most;
end
$$;
