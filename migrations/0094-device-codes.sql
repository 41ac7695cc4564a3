-- Device codes (RFC 8628): the command line asks for one, a signed-in person approves it in a browser, and the command line gets a token of
-- the person for it. Of both codes only a hash is here.

create table device_code (
  id text collate "C" primary key,
  device_hash bytea not null unique,
  user_code_hash bytea not null unique,
  -- What the program calls itself, and where it asked from: the person who approves sees both.
  client_name text not null,
  address text,
  -- Whose limit it counts against: one IPv4 address, or the /64 of an IPv6 address.
  address_group text not null,
  -- What the token may do; null for all that the person may.
  scopes text[],
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  poll_seconds integer not null,
  last_polled_at timestamptz(3),
  decision text check (decision in ('approved', 'denied')),
  -- Who decided, and the tenant that the session acted in.
  user_id text collate "C" references user_account (id),
  tenant_id text collate "C" references tenant (id),
  constraint device_code_decided check ((decision is null) = (user_id is null) and (decision is null) = (tenant_id is null))
);

create index device_code_old on device_code (expires_at);
create index device_code_of_address on device_code (address_group);
create index device_code_of_user on device_code (user_id) where user_id is not null;

-- True for the token of a login: its person may revoke it, and it ends when the sessions of the person are ended.
alter table api_token add column is_personal boolean not null default false;
