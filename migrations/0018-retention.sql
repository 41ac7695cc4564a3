-- What a tenant does not want to keep for ever (docs/guides/retention-and-erasure.md): raw reports, events, ended cases.

-- When this tenant has its next turn. Whoever takes it moves it into the future, which is the lease.
alter table tenant add column retention_at timestamptz not null default now();

-- The bytes are gone, by age or because somebody's address was erased; the rest of the row stays.
alter table report add column is_raw_removed boolean not null default false;
create index report_with_raw on report (tenant_id, id) where not is_raw_removed;
-- Which reports have the same bytes.
create index report_by_content on report (tenant_id, sha256) where not is_raw_removed;

create index case_by_end on abuse_case (tenant_id, ended_at, id) where ended_at is not null;

-- Finds the fingerprints of a range of events. Both are written in the order of time, so a few bytes for each range of pages are enough, and
-- cost arriving events nothing.
create index event_fingerprint_by_event on event_fingerprint using brin (event_id)
  with (pages_per_range = 32, autosummarize = on);
