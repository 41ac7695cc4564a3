-- Events by words, of any month. As with 0119, a connection keeps the plans over all months, which take far longer to make than a rare word to be found.
--
-- Such a plan is made for a tenant of the mean size. Among hundreds of tenants it would read all events of the tenant, also of the largest. So the size is
-- looked at first. The condition on a large tenant stands outside, where no index but that of words (0068) can be meant; one of few events is left to
-- the planner, and so is a sharded database, which needs the tenant with each table and plans each time.

create function find_events_by_words(tenant text, words tsquery, before uuid, most integer)
  returns table (event_id uuid, case_id text, report_id uuid)
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  if is_sharded() or not exists (select from event where event.tenant_id = tenant offset 3000) then
    return query
      select event.event_id, event.case_id, event.report_id from event
      where event.tenant_id = tenant and event.details is not null
        and jsonb_to_tsvector('simple', event.details, '["string"]') @@ words and (before is null or event.event_id < before)
      limit most;
    return;
  end if;
  return query
    select named.event_id, named.case_id, named.report_id from (
      select event.tenant_id, event.event_id, event.case_id, event.report_id from event
      where event.details is not null and jsonb_to_tsvector('simple', event.details, '["string"]') @@ words
      offset 0
    ) as named
    where named.tenant_id = tenant and (before is null or named.event_id < before)
    limit most;
end
$$;
