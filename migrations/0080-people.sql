-- People who sign in, the tenants they work for with their roles there, groups of them, and what their signing in
-- leaves behind. Of every secret only a hash is here. A person may work for several tenants, so the account itself
-- belongs to the instance.

create table user_account (
  id text collate "C" primary key,
  -- As it was typed; two may not differ by case alone.
  email text not null,
  email_key text collate "C" not null unique,
  name text not null,
  -- With its kind and its costs, in the form of PHC strings; null until the person has chosen one.
  password_hash text,
  disabled_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  last_sign_in_at timestamptz(3)
);

create table tenant_user (
  tenant_id text collate "C" not null references tenant (id),
  user_id text collate "C" not null references user_account (id),
  -- How the inviter called the person; the tenant sees this name until the invitation is accepted.
  invited_name text not null,
  roles text[] not null,
  created_at timestamptz(3) not null default now(),
  accepted_at timestamptz(3),
  primary key (tenant_id, user_id)
);

create index tenant_user_of_user on tenant_user (user_id);

create table user_group (
  tenant_id text collate "C" not null references tenant (id),
  id text collate "C" not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, name)
);

create table user_group_member (
  tenant_id text collate "C" not null,
  group_id text collate "C" not null,
  user_id text collate "C" not null,
  primary key (tenant_id, group_id, user_id),
  foreign key (tenant_id, group_id) references user_group (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references tenant_user (tenant_id, user_id) on delete cascade
);

create index user_group_member_of_user on user_group_member (tenant_id, user_id);

-- Links that are good once: for the first person, for invited people, and for a new password.
create table sign_in_link (
  secret_hash bytea primary key,
  kind text collate "C" not null check (kind in ('setup', 'invitation', 'reset')),
  -- Null for the first person.
  user_id text collate "C" references user_account (id),
  -- Of an invitation.
  tenant_id text collate "C" references tenant (id),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);

create index sign_in_link_of_user on sign_in_link (user_id) where user_id is not null;

create table user_session (
  id text collate "C" primary key,
  secret_hash bytea not null unique,
  user_id text collate "C" not null references user_account (id),
  -- The tenant that it acts in.
  tenant_id text collate "C" not null references tenant (id),
  -- How the person proved who they are: password, …
  methods text[] not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  address text,
  user_agent text,
  -- Of api_token_serial, as for tokens: nodes read the sessions past the serial they know.
  changed_serial bigint not null
);

create index user_session_changed on user_session (changed_serial);
create index user_session_of_user on user_session (user_id) where ended_at is null;

-- Browsers from which a person has signed in: guesses from elsewhere do not slow these down.
create table known_device (
  user_id text collate "C" not null references user_account (id),
  secret_hash bytea not null,
  expires_at timestamptz(3) not null,
  primary key (user_id, secret_hash)
);

-- Wrong passwords by account and address, account and device, and account alone; the key is a hash of these.
create table sign_in_back_off (
  key_hash bytea primary key,
  failures integer not null,
  last_failed_at timestamptz(3) not null,
  blocked_until timestamptz(3) not null
);

create index sign_in_back_off_old on sign_in_back_off (last_failed_at);
