-- The events of a case are of any time, so a range of pages tells nothing about where their fingerprints are: each is looked up. New ids are
-- the greatest, so an arriving event adds to the last page of this index only.
drop index event_fingerprint_by_event;
create index event_fingerprint_by_event on event_fingerprint (tenant_id, event_id);
