-- Timers, watches, variables, forks, pauses, child runs, and effects outside of the transaction (internals: playbook engine).

alter table run drop constraint run_state_check;
alter table run add check (state in ('active', 'paused', 'ended', 'failed', 'cancelled'));
-- Who or what started it, such as `token:<id>`; null for the intake of a new case.
alter table run add column started_by text collate "C";
-- Of a child: the run and the token that wait for its end.
alter table run add column parent_run_id uuid;
alter table run add column parent_token_id smallint;
-- The id of the next token that a fork makes; given out under the lock of this row.
alter table run add column next_token smallint not null default 2;
-- How many runs stand above it.
alter table run add column depth smallint not null default 0;

-- A paused run still works its case. A child has the case of its parent, and may have its playbook.
drop index run_one_active;
create unique index run_one_active on run (tenant_id, case_id, playbook_id)
  where state in ('active', 'paused') and parent_run_id is null;
drop index run_of_draining;
create index run_of_draining on run (tenant_id, playbook_id, version) where state in ('active', 'paused');
create index run_by_parent on run (tenant_id, parent_run_id, parent_token_id) where parent_run_id is not null;

alter table run_token drop constraint run_token_state_check;
alter table run_token add check (state in ('ready', 'waiting', 'paused', 'done', 'dead'));
-- When the wait ends by itself; in microseconds, as wake_at. Null for a wait without an end.
alter table run_token add column timer_at timestamptz;
-- The timer of this visit has made the token ready.
alter table run_token add column timer_rang boolean not null default false;
-- A change of the case makes the waiting token ready, so that its node decides again.
alter table run_token add column watches_case boolean not null default false;
-- Kept by nodes for later nodes, at most 64 kB; the other tokens of a fork begin with a copy.
alter table run_token add column vars jsonb not null default '{}';
-- Kept by the node of this visit between its decisions.
alter table run_token add column memo jsonb;
-- The forks in which the token is: a segment `/<token>:<visit>` each, the innermost last.
alter table run_token add column fork text collate "C" not null default '';
-- The node calls another system. Callers claim these tokens and movers the others, so that a slow system holds up nobody else.
alter table run_token add column calls boolean not null default false;

drop index run_token_due;
create index run_token_due on run_token (wake_at) where state = 'ready' and not calls;
create index run_token_call on run_token (wake_at) where state = 'ready' and calls;
-- Waits without an end are not in it, so a million parked runs cost the timers nothing.
create index run_token_timer on run_token (timer_at) where state = 'waiting' and timer_at is not null;

-- Every attempt of a call, written before it begins. An attempt whose process has ended is marked when the next one begins.
create table run_attempt (
  tenant_id text collate "C" not null,
  run_id uuid not null,
  token_id smallint not null,
  visit integer not null,
  attempt integer not null,
  case_id text collate "C" not null,
  node text collate "C" not null,
  started_at timestamptz(3) not null default now(),
  -- Null, with its outcome, while the call is under way.
  ended_at timestamptz(3),
  outcome text collate "C" check (outcome in ('done', 'refused', 'over', 'retry', 'interrupted')),
  detail jsonb,
  primary key (tenant_id, run_id, token_id, visit, attempt)
);
