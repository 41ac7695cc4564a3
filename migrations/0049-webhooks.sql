-- Webhooks: who is told of which changes, what was sent, and every attempt (Standard Webhooks).

create table webhook (
  tenant_id text collate "C" not null references tenant (id),
  id uuid not null,
  url text not null,
  description text not null default '',
  -- The types of messages, such as `case.changed`.
  types text[] collate "C" not null,
  -- Each null, or the only values that a change may have.
  case_groups text[] collate "C",
  customers text[] collate "C",
  event_types text[] collate "C",
  is_enabled boolean not null default true,
  -- Why it was switched off by itself; null otherwise.
  disabled_reason text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);

create table webhook_delivery (
  tenant_id text collate "C" not null,
  -- The id of the message, the same for every attempt; UUIDv7.
  id uuid not null,
  webhook_id uuid not null,
  type text collate "C" not null,
  -- Exactly what is signed and sent.
  body text not null,
  state text collate "C" not null check (state in ('waiting', 'delivered', 'dead')),
  attempts smallint not null default 0,
  created_at timestamptz(3) not null default now(),
  wake_at timestamptz not null default now(),
  lease_owner uuid,
  lease_until timestamptz,
  ended_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, webhook_id) references webhook (tenant_id, id) on delete cascade
);

create index webhook_delivery_due on webhook_delivery (wake_at) where state = 'waiting';
create index webhook_delivery_of on webhook_delivery (tenant_id, webhook_id, id);
create index webhook_delivery_ended on webhook_delivery (ended_at) where state <> 'waiting';

create table webhook_attempt (
  tenant_id text collate "C" not null,
  delivery_id uuid not null,
  attempt smallint not null,
  started_at timestamptz(3) not null default now(),
  duration_ms integer not null,
  -- Null when there was no answer.
  status smallint,
  -- One public sentence; null for a success.
  failure text,
  primary key (tenant_id, delivery_id, attempt),
  foreign key (tenant_id, delivery_id) references webhook_delivery (tenant_id, id) on delete cascade
);
