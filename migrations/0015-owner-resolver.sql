-- A tenant's own service that says whose an address, domain or account was at a time (design section 5.2), and what it said.

create table owner_resolver (
  tenant_id text collate "C" primary key references tenant (id),
  -- Of these settings: what was answered under others does not count any more.
  generation uuid not null,
  url text not null,
  -- Sent with every question. The value is a secret: no endpoint shows it.
  header_name text,
  header_value text,
  timeout_ms integer not null,
  cache_seconds integer not null,
  updated_at timestamptz(3) not null default now(),
  -- Questions in a row without an answer, and what was wrong with the last of them.
  failures integer not null default 0,
  failed_at timestamptz(3),
  failure text,
  -- When its unanswered events are asked about again. Whoever takes the row moves it into the future, which is the lease.
  retry_at timestamptz not null default now(),
  retry_failures integer not null default 0,
  check (header_value is null or header_name is not null)
);

-- Shared by all nodes. One target has several rows where it had several owners.
create table owner_answer (
  tenant_id text collate "C" not null,
  -- What was asked about: account, address and domain.
  target text collate "C" not null,
  valid_from timestamptz(3) not null,
  valid_until timestamptz(3) not null,
  -- Null: it was nobody's.
  customer_id text collate "C",
  contract_id text collate "C",
  generation uuid not null,
  asked_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant_id, target, valid_from),
  check (valid_from < valid_until),
  check (contract_id is null or customer_id is not null)
);
create index owner_answer_expiry on owner_answer (expires_at);

-- The events that are asked about again; nothing for all others.
create index event_unanswered on event (tenant_id, event_id) where unassigned_cause = 'resolver_failed';
