-- Mitigations: what was done against abuse (a null route, a suspension, …), by whom, until when, and how it was undone.

create table mitigation_adapter (
  tenant_id text collate "C" not null references tenant (id),
  name text collate "C" not null,
  url text not null,
  -- The name of a secret of the tenant, which signs the requests.
  secret_name text collate "C" not null,
  -- What it can do.
  kinds text[] collate "C" not null,
  description text not null default '',
  is_enabled boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, name)
);

create table mitigation (
  tenant_id text collate "C" not null references tenant (id),
  -- UUIDv7: the order of ids is the order of time.
  id uuid not null,
  case_id text collate "C" not null,
  customer_id text collate "C" not null,
  -- Of the playbook that asked for it; null for a person.
  run_id uuid,
  kind text collate "C" not null check (kind in ('suspend', 'null_route', 'dns_hold', 'block_port', 'takedown', 'custom')),
  target_type text collate "C" not null check (target_type in ('ip', 'domain', 'url', 'customer', 'contract', 'other')),
  target text collate "C" not null,
  -- 0 for every kind but block_port.
  port integer not null default 0,
  -- `manual`, or the name of an adapter.
  adapter text collate "C" not null,
  -- Sent to the adapter as they are.
  parameters jsonb not null default '{}',
  -- For people.
  note text not null default '',
  -- `run:token:visit` of a playbook, or the key of a request: no second mitigation is made with it, and the adapter gets it.
  effect_key text collate "C" not null,
  state text collate "C" not null check (state in ('pending', 'active', 'failed', 'removing', 'removed')),
  -- One stable word: why it failed, why its removal does not get on, or why nothing had to be removed.
  reason text collate "C",
  -- In the words of the adapter or of a person.
  detail text,
  -- The id of the other side for it.
  reference text,
  removal_cause text collate "C" check (removal_cause in ('expired', 'request', 'playbook', 'timeout')),
  -- From the moment in which it is in force; null when expires_at was given, or nothing.
  duration_seconds bigint,
  effective_from timestamptz(3),
  expires_at timestamptz(3),
  removed_at timestamptz(3),
  -- The adapter answered 202 since phase_at: it is asked again for the result.
  is_accepted boolean not null default false,
  -- Since when it is pending or removing.
  phase_at timestamptz(3) not null default now(),
  -- Attempts in all, and since phase_at.
  tries integer not null default 0,
  attempts smallint not null default 0,
  -- Null where no attempt is due by itself.
  wake_at timestamptz,
  lease_owner uuid,
  lease_until timestamptz,
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  changed_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);

create unique index mitigation_effect on mitigation (tenant_id, effect_key);
create index mitigation_due on mitigation (wake_at) where state in ('pending', 'removing') and wake_at is not null;
create index mitigation_expiring on mitigation (expires_at) where state in ('pending', 'active') and expires_at is not null;
create index mitigation_of_case on mitigation (tenant_id, case_id, id);
create index mitigation_of_run on mitigation (tenant_id, run_id) where run_id is not null;
create index mitigation_by_state on mitigation (tenant_id, state, id);
create index mitigation_by_kind on mitigation (tenant_id, kind, id);
create index mitigation_by_target on mitigation (tenant_id, target, id);
create index mitigation_by_adapter on mitigation (tenant_id, adapter, kind, target, port) where state in ('pending', 'active', 'removing');
create index mitigation_stuck on mitigation (tenant_id, id) where state = 'removing' and reason is not null;
-- An adapter is never asked twice about one target at the same time.
create unique index mitigation_under_way on mitigation (tenant_id, adapter, kind, target, port) where lease_owner is not null;

create table mitigation_attempt (
  tenant_id text collate "C" not null,
  mitigation_id uuid not null,
  case_id text collate "C" not null,
  attempt integer not null,
  action text collate "C" not null check (action in ('execute', 'undo')),
  started_at timestamptz(3) not null default now(),
  duration_ms integer,
  -- Null while it is under way.
  outcome text collate "C" check (outcome in ('done', 'accepted', 'refused', 'postponed', 'interrupted')),
  -- Null when there was no answer.
  status smallint,
  -- One public sentence; null for a success.
  failure text,
  primary key (tenant_id, mitigation_id, attempt),
  foreign key (tenant_id, mitigation_id) references mitigation (tenant_id, id) on delete cascade
);

update api_token set scopes = scopes || '{mitigations:execute,mitigations:undo}'
where 'tenant:admin' = any (scopes) and not 'mitigations:execute' = any (scopes) and revoked_at is null;
