-- Resolved or open events in the order in which they came: all resolved ones were sorted for a page (measured at five million events, of which 5,000
-- were resolved: p50 8 ms, p99 15 ms), and where most are resolved, all that came behind an open one were read.
create index event_by_resolved_and_id on event (tenant_id, resolved, event_id);
