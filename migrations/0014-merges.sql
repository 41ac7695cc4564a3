-- Cases that take in others, and give them back exactly (reference: case operations 3.2, step 7).

-- The case that an event was in before its case was merged; null for an event that never moved. Through a chain of merges it stays the
-- first one, so undoing any of them finds the events that belong to it.
alter table event add column merged_from text collate "C";
create index event_by_origin on event (tenant_id, case_id, merged_from) where merged_from is not null;

-- One row a merge of one case, with what that case was like before; kept after it was undone.
create table case_merge (
  tenant_id text collate "C" not null,
  id uuid not null,
  source_id text collate "C" not null,
  target_id text collate "C" not null,
  merged_at timestamptz(3) not null,
  unmerged_at timestamptz(3),
  event_count bigint not null,
  state text collate "C" not null,
  resolution text,
  close_reason text,
  resolved_at timestamptz(3),
  ended_at timestamptz(3),
  waiting_on text collate "C" not null,
  primary key (tenant_id, id)
);
create unique index case_merge_standing on case_merge (tenant_id, source_id) where unmerged_at is null;
