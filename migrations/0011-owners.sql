-- Who owns what an event is about: customers, their contracts and resources, by the ids of the operator's own systems (design section
-- 5.2). Events and cases carry copies of the ids as they were found at event time, so nothing here references them or is referenced.

create table customer (
  tenant_id text collate "C" not null references tenant (id),
  id text collate "C" not null,
  name text,
  -- Of a reseller's customer: the reseller.
  parent_customer_id text collate "C",
  contacts jsonb not null default '[]',
  metadata jsonb not null default '{}',
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, id),
  constraint customer_parent foreign key (tenant_id, parent_customer_id) references customer (tenant_id, id)
);
create index customer_by_parent on customer (tenant_id, parent_customer_id, id) where parent_customer_id is not null;

create table contract (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  customer_id text collate "C" not null,
  name text,
  -- Infinite where there is no bound.
  valid_from timestamptz(3) not null default '-infinity',
  valid_until timestamptz(3) not null default 'infinity',
  metadata jsonb not null default '{}',
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, id),
  -- For the foreign key of resources, and the contracts of a customer.
  unique (tenant_id, customer_id, id),
  check (valid_from < valid_until),
  constraint contract_customer foreign key (tenant_id, customer_id) references customer (tenant_id, id)
);

create table resource (
  tenant_id text collate "C" not null,
  -- UUIDv7: the order of ids is the order of creation.
  id uuid not null,
  kind text collate "C" not null check (kind in ('ip_range', 'domain', 'account')),
  -- Canonical; for an account as it came.
  value text collate "C" not null,
  customer_id text collate "C" not null,
  contract_id text collate "C",
  valid_from timestamptz(3) not null default '-infinity',
  valid_until timestamptz(3) not null default 'infinity',
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, id),
  -- A value goes to one owner at a time, and an import that is repeated finds its rows again. Domains and accounts are found by it.
  constraint resource_identity unique (tenant_id, kind, value, valid_from),
  check (valid_from < valid_until),
  constraint resource_customer foreign key (tenant_id, customer_id) references customer (tenant_id, id),
  constraint resource_contract foreign key (tenant_id, customer_id, contract_id) references contract (tenant_id, customer_id, id)
);
create index resource_by_customer on resource (tenant_id, customer_id, id);
create index resource_by_contract on resource (tenant_id, contract_id, id) where contract_id is not null;

-- The aligned blocks a range is made of: an address is found by looking up its prefixes of the lengths in use.
create table resource_block (
  tenant_id text collate "C" not null,
  family smallint not null check (family in (4, 6)),
  prefix_length smallint not null,
  network cidr not null,
  resource_id uuid not null,
  -- How narrow the whole range is: the narrowest one wins, however it was cut into blocks.
  range_length smallint not null,
  primary key (tenant_id, family, prefix_length, network, resource_id)
);
