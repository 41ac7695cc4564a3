-- What has changed in casework, for those who must act on it: webhooks, playbooks that start or wait, the stream. A row is written in
-- the transaction of its change, and only for a tenant that somebody listens for; the feeder hands it on and removes it.

create table change_listener (
  tenant_id text collate "C" not null references tenant (id),
  -- The feature that listens, such as `webhooks`.
  listener text collate "C" not null,
  -- Of `case`, `event`, `report`, `run`.
  kinds text[] collate "C" not null,
  primary key (tenant_id, listener)
);

create table change (
  tenant_id text collate "C" not null,
  -- In the order of the changes of one transaction; between transactions the order of `at` is not that of the commits.
  id bigint generated always as identity,
  kind text collate "C" not null check (kind in ('case', 'event', 'report', 'run')),
  -- What happened to it: the kind of the entry in a case's history, `stored`, `read`, `started` …
  what text collate "C" not null,
  -- The id of the case, event, report or run.
  subject_id text collate "C" not null,
  case_id text collate "C",
  actor_kind text collate "C" not null,
  actor text collate "C" not null,
  -- A request id, or `run:token:visit`, so that a playbook is not started by its own writes.
  cause_id text collate "C",
  -- Of a case: `from_state`, `to_state`, `reason` and the changed members, as its history has them.
  data jsonb,
  at timestamptz(3) not null,
  -- Handing on failed so often, and is tried again from then on.
  attempts smallint not null default 0,
  due_at timestamptz not null default now(),
  primary key (tenant_id, id)
);

create index change_due on change (due_at, id);
