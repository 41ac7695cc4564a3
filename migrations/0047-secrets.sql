-- Secrets that are used towards others (headers of calls, keys of webhooks), encrypted by a key that is not in the database.

create table secret (
  tenant_id text collate "C" not null references tenant (id),
  -- What it belongs to: `tenant` for those that a tenant names itself, `owner-resolver`, `webhook:<id>`.
  owner text collate "C" not null,
  name text collate "C" not null,
  -- Of the key that sealed it; a node without that key does not start.
  key_id text collate "C" not null,
  sealed bytea not null,
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, owner, name)
);

create index secret_by_key on secret (key_id);
