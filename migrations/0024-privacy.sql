-- What keeps cases from being removed and erased (docs/guides/legal-holds.md), and erasures of many addresses, which can be repeated without
-- knowing the addresses.

create table legal_hold (
  tenant_id text collate "C" not null references tenant (id),
  -- UUIDv7: the order of ids is the order of the holds.
  id uuid not null,
  case_id text collate "C" not null,
  reason text not null,
  placed_at timestamptz(3) not null,
  -- Id of the token.
  placed_by text not null,
  -- The hold of the case that events of this one came out of.
  extends_id uuid,
  lifted_at timestamptz(3),
  lifted_by text,
  lift_reason text,
  primary key (tenant_id, id),
  check ((lifted_at is null) = (lifted_by is null) and (lifted_at is null) = (lift_reason is null))
);
create unique index legal_hold_in_force on legal_hold (tenant_id, case_id) where lifted_at is null;

-- Whether a report hangs on a case that is held. What is pushed as events has no report and costs nothing here.
create index event_by_report on event (tenant_id, report_id) where report_id is not null;

-- `replaced_by` is what stands in place of the one address; of several, a word that is the same for the same addresses.
alter table erasure
  -- What stands in place of each.
  add column subjects text[] collate "C" not null default '{}',
  -- Erasures that this one repeats: by their subjects, so nobody needs to send the addresses again.
  add column repeats uuid[] not null default '{}',
  -- Rows by table that hold one of the addresses and stay as they are, since their case is held.
  add column held jsonb not null default '{}';
update erasure set subjects = array[replaced_by];
create index erasure_by_finish on erasure (finished_at) where finished_at is not null and not is_preview;
