-- What people corrected of reports that were read wrongly.

-- Goes up with each correction.
alter table report add column version bigint not null default 1;
-- Few reports are corrected, and the list of them is asked for.
create index report_corrected on report (tenant_id, id) where version > 1;

create table report_correction (
  tenant_id text collate "C" not null,
  report_id uuid not null,
  -- The version of the report that it made.
  version bigint not null,
  id uuid not null,
  at timestamptz(3) not null,
  -- Id of the token.
  corrected_by text not null,
  reason text,
  -- State and reason of the report before it.
  former_state text collate "C" not null,
  former_reason text,
  -- One for each event: its kind, and its content before and after.
  changes jsonb not null,
  -- Events that are gone. Their fingerprints stay, so that the same mail does not bring them back.
  withdrawn_event_ids uuid[] not null default '{}',
  primary key (tenant_id, report_id, version)
);
