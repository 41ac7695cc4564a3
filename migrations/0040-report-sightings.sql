-- Abuse reports as sightings (docs/decisions/0014), and the rules by which sightings set tags.

-- The rules were a constant of the program. A start writes the shipped ones; those that an operator edited stay.
create table sighting_rule (
  name text collate "C" primary key,
  kind text not null,
  types text[] not null,
  -- Null: any service.
  services text[],
  count_min bigint not null check (count_min > 0),
  sources_min integer not null check (sources_min > 0),
  -- Null: the look-back.
  within_seconds integer check (within_seconds > 0),
  tags text[] not null,
  is_enabled boolean not null default true,
  is_edited boolean not null default false,
  version integer not null default 1
);

-- Append-only: who changed a rule, and what it was before and after.
create table sighting_rule_history (
  id uuid primary key,
  name text collate "C" not null,
  at timestamptz(3) not null,
  kind text not null check (kind in ('created', 'changed', 'reset', 'deleted')),
  actor text not null,
  before jsonb,
  after jsonb
);
create index sighting_rule_history_by_name on sighting_rule_history (name, id);

-- Whether the reports of a tenant write sightings: a value, decided at the first start, since a later one may not turn it on.
-- Null: not decided yet.
alter table tenant
  add column share_sightings boolean,
  add column share_sightings_origin text not null default 'default' check (share_sightings_origin in ('default', 'person'));

-- What is done of it: the tenant's sightings are in the set of facts while the row is there. Its lock makes one node at a time
-- work for the tenant.
create table report_sharing (
  tenant_id text collate "C" primary key references tenant (id),
  -- Names the tenant's sources in place of its id, which nobody else may learn. Random.
  source_key text collate "C" not null unique,
  -- The setting that the sightings were written with.
  reporters_min integer not null
);

-- Items of which an event came, changed or went, as the transaction of the event noted them: a row for a transaction, with its
-- items in one value.
create table report_sighting_change (
  tenant_id text collate "C" not null,
  id uuid not null default gen_random_uuid(),
  items text[] collate "C" not null,
  -- Items with very many events are counted again after a pause.
  due_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create index report_sighting_change_by_due on report_sighting_change (tenant_id, due_at);

create table trusted_reporter (
  tenant_id text collate "C" not null references tenant (id),
  -- An e-mail address or a domain, in lower case.
  reporter text collate "C" not null,
  note text,
  created_at timestamptz(3) not null,
  created_by text not null,
  primary key (tenant_id, reporter)
);

-- Whether the bytes of a report are a mail, which anybody can write. Null, as of reports before this column: it may be one.
alter table report add column is_mail boolean;
