-- What a bulk change did to each case, so that it can be undone for some days (docs/guides/work-a-case.md).

create table bulk_change (
  tenant_id text collate "C" not null references tenant (id),
  -- UUIDv7, made behind the history of the change: what the cases saw later has a greater id.
  id uuid not null,
  at timestamptz(3) not null,
  -- Its undo needs the scope for moves.
  has_move boolean not null,
  has_comment boolean not null,
  -- The answer of the undo; a repeat gives it again.
  undone jsonb,
  primary key (tenant_id, id)
);
create index bulk_change_at on bulk_change (at);

create table bulk_change_case (
  tenant_id text collate "C" not null,
  bulk_change_id uuid not null,
  case_id text collate "C" not null,
  -- `{member: {from, to}}` of the members beside the state.
  changes jsonb not null,
  -- Of a move: states, what ended the case before, and by what it is known that no move followed.
  move jsonb,
  primary key (tenant_id, bulk_change_id, case_id),
  foreign key (tenant_id, bulk_change_id) references bulk_change (tenant_id, id) on delete cascade
);
-- Retention removes cases with all their rows.
create index bulk_change_case_case on bulk_change_case (tenant_id, case_id);
