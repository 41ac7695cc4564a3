-- How many entries the list of a source had after its syncs, for a chart: one row a day with a sync, 400 days at most.

create table source_history (
  source_id integer not null references intel_source (id) on delete cascade,
  -- In UTC.
  day date not null,
  -- After the last sync of the day.
  entries integer not null check (entries >= 0),
  -- By all syncs of the day together.
  added integer not null check (added >= 0),
  removed integer not null check (removed >= 0),
  syncs integer not null check (syncs > 0),
  primary key (source_id, day)
);

-- Filters of the list of reports that had no index of their own (0003, 0008 and 0048 have the others).
create index report_by_format on report (tenant_id, format, id) where format is not null;
create index report_by_time on report (tenant_id, received_at);
