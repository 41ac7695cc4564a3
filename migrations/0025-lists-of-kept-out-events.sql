-- Lists of events that have an owner and are in no case, in both orders: what mute rules keep out, and what waits below the threshold of
-- its group. Nothing for events that are in a case.
create index event_muted_by_date on event (tenant_id, event_date, event_id) where mute_rule_id is not null;
create index event_muted_by_id on event (tenant_id, event_id) where mute_rule_id is not null;
create index event_held_by_date on event (tenant_id, event_date, event_id)
  where case_id is null and mute_rule_id is null and unassigned_cause is null;
create index event_held_by_id on event (tenant_id, event_id)
  where case_id is null and mute_rule_id is null and unassigned_cause is null;
