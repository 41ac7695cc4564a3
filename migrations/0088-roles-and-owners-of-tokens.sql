-- Roles and service accounts of a tenant. A token names roles, an owner and networks, and keeps its former secret for a while after a rotation.

create table role (
  tenant_id text not null references tenant (id),
  name text collate "C" not null,
  description text not null default '',
  scopes text[] not null,
  created_at timestamptz(3) not null default now(),
  changed_at timestamptz(3) not null default now(),
  -- Of api_token_serial, as for tokens: nodes read the roles past the serial they know.
  changed_serial bigint not null,
  primary key (tenant_id, name)
);

create index role_changed on role (changed_serial);

create table service_account (
  tenant_id text not null references tenant (id),
  id text collate "C" not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  changed_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);

alter table api_token
  -- Names of roles: shipped ones, and those of the tenant. Their scopes come on top of `scopes`.
  add column roles text[] not null default '{}',
  -- CIDR blocks that the token may come from; null for any address.
  add column networks text[],
  add column owner_user_id text,
  add column service_account_id text,
  -- The secret before the last rotation, good until former_until.
  add column former_hash bytea unique,
  add column former_until timestamptz(3),
  add column rotated_at timestamptz(3),
  add constraint api_token_one_owner check (owner_user_id is null or service_account_id is null),
  add constraint api_token_former check ((former_hash is null) = (former_until is null));

create index api_token_of_user on api_token (owner_user_id)
  where owner_user_id is not null and revoked_at is null;
create index api_token_of_service_account on api_token (tenant_id, service_account_id)
  where service_account_id is not null and revoked_at is null;
