-- Playbooks as data, runs as rows (design section 1, row 7 and section 5.5; reference: case operations 3.3, 4.3, 4.4).

-- As elsewhere in casework, ids and words are compared byte by byte ("C").

create table playbook (
  tenant_id text collate "C" not null references tenant (id),
  id uuid not null,
  name text collate "C" not null,
  -- The one version that new cases start on; a column, so that there cannot be two.
  active_version integer,
  -- Numbers are given out under the lock of this row, so they have no gaps and no twins.
  latest_version integer not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, name)
);

-- A graph is never changed after its insert, in any state: a change is a new version. What a parked run is pinned to stays as it was.
create table playbook_version (
  tenant_id text collate "C" not null,
  playbook_id uuid not null,
  version integer not null,
  state text collate "C" not null check (state in ('draft', 'active', 'draining', 'inactive')),
  graph jsonb not null,
  -- Taken out of the graph, so that a new case starts its run without reading it.
  start_node text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  activated_at timestamptz(3),
  primary key (tenant_id, playbook_id, version),
  foreign key (tenant_id, playbook_id) references playbook (tenant_id, id)
);

-- For the sweep that retires drained versions: it finds none at no cost.
create index playbook_version_draining on playbook_version (tenant_id, playbook_id, version)
  where state = 'draining';

create table run (
  tenant_id text collate "C" not null,
  id uuid not null,
  case_id text collate "C" not null,
  playbook_id uuid not null,
  version integer not null,
  state text collate "C" not null check (state in ('active', 'ended', 'failed')),
  -- Passages through nodes, of all tokens together; bounded, so that no graph runs for ever.
  visits integer not null default 0,
  -- Why a failed run needs a person; a word of the program, never a text from outside.
  failure text collate "C",
  started_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  primary key (tenant_id, id),
  -- Its check locks the version's row against the sweep, so that a version is not retired while a run is being started on it.
  foreign key (tenant_id, playbook_id, version)
    references playbook_version (tenant_id, playbook_id, version)
);

-- One active run per case and playbook, whatever starts it and however often.
create unique index run_one_active on run (tenant_id, case_id, playbook_id) where state = 'active';
create index run_of_case on run (tenant_id, case_id, id);
create index run_of_draining on run (tenant_id, playbook_id, version) where state = 'active';

-- One point of control in a run. No foreign keys here and in the tables below: every row is written by a statement that holds the
-- lock of its run, and the checks would cost as much as the step.
create table run_token (
  tenant_id text collate "C" not null,
  run_id uuid not null,
  id smallint not null,
  case_id text collate "C" not null,
  state text collate "C" not null check (state in ('ready', 'waiting', 'done', 'dead')),
  node text collate "C" not null,
  -- Counts the token's passages; with lease_owner it fences every commit of a step.
  visit integer not null default 1,
  entered_at timestamptz(3) not null default now(),
  -- The way out that an accepted trigger chose, and who sent it; null while nobody has.
  chosen_path text collate "C",
  chosen_by text collate "C",
  -- When a ready token is due: at once, at a timer, or after a back-off. Database time only, so clocks of nodes may differ. In
  -- microseconds, unlike other times: rounded up to a millisecond, "now" would not be due yet for the worker that is told of it.
  wake_at timestamptz not null default now(),
  lease_owner uuid,
  lease_until timestamptz,
  -- Claims since the last progress, so that a step which kills its process is given up too.
  attempts smallint not null default 0,
  primary key (tenant_id, run_id, id)
);

-- The claim reads this index only; waiting tokens are not in it, so a million parked runs cost a claim nothing.
create index run_token_due on run_token (wake_at) where state = 'ready';

-- Append-only: one row per passage of a token through a node, written in the transaction of the step.
create table visit (
  tenant_id text collate "C" not null,
  run_id uuid not null,
  token_id smallint not null,
  visit integer not null,
  case_id text collate "C" not null,
  node text collate "C" not null,
  kind text collate "C" not null,
  -- The way out that was taken; null at a node that ends the token, and of a passage that failed.
  path text collate "C",
  -- `token:<id>` of the caller who chose the path; null for the playbook itself.
  actor text collate "C",
  output jsonb,
  entered_at timestamptz(3) not null,
  left_at timestamptz(3) not null,
  primary key (tenant_id, run_id, token_id, visit)
);

-- Committed before the 202. The key is what makes the first of two racing triggers win, and a retry harmless.
create table trigger_signal (
  tenant_id text collate "C" not null,
  run_id uuid not null,
  token_id smallint not null,
  visit integer not null,
  case_id text collate "C" not null,
  node text collate "C" not null,
  path text collate "C" not null,
  actor text collate "C" not null,
  accepted_at timestamptz(3) not null default now(),
  primary key (tenant_id, run_id, token_id, visit)
);

create index trigger_signal_of_case on trigger_signal (tenant_id, case_id, node, accepted_at);

-- Idempotency-Key of accepted triggers, kept for 24 hours; keys of different API tokens do not meet.
create table trigger_key (
  tenant_id text collate "C" not null,
  token_id text collate "C" not null,
  key text collate "C" not null,
  case_id text collate "C" not null,
  node text collate "C" not null,
  path text collate "C" not null,
  run_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, token_id, key)
);

create index trigger_key_age on trigger_key (created_at);
