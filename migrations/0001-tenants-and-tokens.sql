-- Tenants (the hard wall between owners of cases) and API tokens (stored as SHA-256 with a public id, design section 6).

create table tenant (
  id text primary key,
  name text not null,
  settings jsonb not null default '{}',
  created_at timestamptz(3) not null default now()
);

insert into tenant (id, name) values ('default', 'Default');

create table api_token (
  id text primary key,
  token_hash bytea not null unique,
  name text not null,
  tenant_id text not null references tenant (id),
  scopes text[] not null,
  contact_email text,
  -- The value of CASEWORK_BOOTSTRAP_TOKEN: at most one is live, and a changed value replaces it.
  is_bootstrap boolean not null default false,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  -- The serial below as this token's last change raised it: nodes read the tokens past the serial they know.
  changed_serial bigint not null default 0
);

create index api_token_changed on api_token (changed_serial);

-- One row that every change of a token raises in its own transaction: nodes poll it and read what changed, so that a revocation
-- takes effect everywhere within a second without LISTEN/NOTIFY. Its lock makes changes visible in the order of their serials.
create table api_token_serial (
  id integer primary key check (id = 1),
  serial bigint not null
);

insert into api_token_serial (id, serial) values (1, 0);
