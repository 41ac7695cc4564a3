-- What a case group says about the life of its cases beside its key, and rules that mute events (reference: case operations 3.2).

alter table case_group
  -- CEL over one event; null takes everything.
  add column condition text,
  -- A case opens when so many events, of so many reporters, happened within the window.
  add column threshold_events integer not null default 1 check (threshold_events > 0),
  add column threshold_reporters integer not null default 1 check (threshold_reporters > 0),
  add column threshold_window_seconds integer check (threshold_window_seconds > 0),
  -- A case that began longer ago, or was quiet for longer, takes no more events.
  add column max_age_seconds integer check (max_age_seconds > 0),
  add column max_gap_seconds integer check (max_gap_seconds > 0),
  add column relapse text collate "C" not null default 'link' check (relapse in ('reopen', 'link', 'new')),
  add column relapse_window_seconds integer check (relapse_window_seconds > 0),
  add column late_event text collate "C" not null default 'attach' check (late_event in ('attach', 'open_case')),
  -- Of its new cases.
  add column severity text collate "C" check (severity in ('low', 'medium', 'high', 'critical'));

-- When an open case gave its slot to the next one, since it was too old or too quiet for another event. The one kind of open case that
-- may be without a slot.
alter table abuse_case add column sealed_at timestamptz(3);

-- Events below the threshold of their group, until a case opens for their key or they fall out of its window. Written and read under the
-- lock of the slot of the key.
create table held_event (
  tenant_id text collate "C" not null,
  event_id uuid not null,
  case_group_id text collate "C" not null,
  key_hash bytea not null,
  primary key (tenant_id, event_id)
);
create index held_event_by_key on held_event (tenant_id, case_group_id, key_hash);

-- What nobody wants to hear of until then: events that match are kept and marked, and go into no case.
create table mute_rule (
  tenant_id text collate "C" not null references tenant (id),
  -- UUIDv7: the order of ids is the order of creation.
  id uuid not null,
  -- Either CEL over one event, or the values that key fields must have.
  condition text,
  key_match jsonb,
  reason text not null,
  created_at timestamptz(3) not null,
  created_by text not null,
  until timestamptz(3) not null,
  -- Set by whoever ends it early, or after `until` by whoever looks next; null while it may be in force.
  ended_at timestamptz(3),
  ended_by text,
  primary key (tenant_id, id),
  check ((condition is null) <> (key_match is null)),
  check (until > created_at)
);
create index mute_rule_in_force on mute_rule (tenant_id, id) where ended_at is null;

-- The rule that muted the event. The index costs nothing for the others.
alter table event add column mute_rule_id uuid;
create index event_by_mute_rule on event (tenant_id, mute_rule_id, event_id) where mute_rule_id is not null;

-- Append-only: who changed a case group or a mute rule, and what it was before and after.
create table rule_history (
  tenant_id text collate "C" not null,
  rule_kind text collate "C" not null check (rule_kind in ('case_group', 'mute_rule')),
  rule_id text collate "C" not null,
  id uuid not null,
  at timestamptz(3) not null,
  kind text collate "C" not null check (kind in ('create', 'change', 'delete', 'end')),
  -- Id of the token.
  actor text not null,
  changes jsonb not null,
  primary key (tenant_id, rule_kind, rule_id, id)
);
