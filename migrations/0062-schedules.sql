-- Runs that playbooks begin by a schedule (internals: playbook engine).

alter table playbook_version add column is_scheduled boolean not null default false;

-- The next tick of an active version, or the one that is under way.
create table schedule_tick (
  tenant_id text collate "C" not null,
  playbook_id uuid not null,
  version integer not null,
  due_at timestamptz not null,
  -- The last case that the tick has asked; null before the first.
  last_case text collate "C",
  -- When a batch of it was last taken, so that a large tick holds up no other.
  taken_at timestamptz,
  primary key (tenant_id, playbook_id)
);
create index schedule_tick_due on schedule_tick (due_at);
