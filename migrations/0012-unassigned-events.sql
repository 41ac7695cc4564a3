-- Why nobody is known to be responsible for an event; null for one that has an owner. Listed, and resolved again, from the two indexes,
-- which cost nothing for the events that have one.

alter table event add column unassigned_cause text collate "C";
update event set unassigned_cause = 'no_match' where customer_id is null;
create index event_unassigned_by_date on event (tenant_id, event_date, event_id) where unassigned_cause is not null;
create index event_unassigned_by_id on event (tenant_id, event_id) where unassigned_cause is not null;
