-- What begins a run of a playbook version beside a new case, and who must be told of changes (internals: playbook engine).

alter table playbook_version add column starts_new_cases boolean not null default true;
-- Seconds without a further event before a run begins; null: events begin none.
alter table playbook_version add column start_debounce integer;
-- Entering one of these states begins a run.
alter table playbook_version add column start_states text[] not null default '{}';
-- A node of it watches its case.
alter table playbook_version add column watches_cases boolean not null default false;

-- Runs that changes have asked for. A further event puts the start off, for a day at most.
create table pending_start (
  tenant_id text collate "C" not null,
  case_id text collate "C" not null,
  playbook_id uuid not null,
  noted_at timestamptz not null default now(),
  due_at timestamptz not null,
  primary key (tenant_id, case_id, playbook_id)
);
create index pending_start_due on pending_start (due_at);
