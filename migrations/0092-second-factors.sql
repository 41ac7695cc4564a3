-- Second factors of people: codes of an authenticator app (TOTP), recovery codes, passkeys; and the steps of a sign-in that is under way. They belong
-- to the account, which is of the instance, as its password is.

create table user_totp (
  user_id text collate "C" primary key references user_account (id),
  -- The secret, sealed with a key that is not in the database.
  secret_key_id text collate "C" not null,
  sealed bytea not null,
  created_at timestamptz(3) not null default now(),
  -- Null until a code has shown that the app has the secret; before that it counts for nothing.
  confirmed_at timestamptz(3),
  -- The time step of the newest code that was taken: neither it nor an older one is good again.
  last_step bigint not null default 0
);

create table user_recovery_code (
  user_id text collate "C" not null references user_account (id),
  code_hash bytea not null,
  created_at timestamptz(3) not null default now(),
  used_at timestamptz(3),
  primary key (user_id, code_hash)
);

create table user_passkey (
  id text collate "C" primary key,
  user_id text collate "C" not null references user_account (id),
  -- As the authenticator names it, in base64url.
  credential_id text collate "C" not null unique,
  -- COSE.
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  -- Whether it is copied to other devices of its person.
  is_synced boolean not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);

create index user_passkey_of_user on user_passkey (user_id);

-- What a browser has begun and not ended: a sign-in that waits for its second factor, or a challenge of a passkey. The browser has the secret.
create table sign_in_step (
  secret_hash bytea primary key,
  purpose text collate "C" not null check (purpose in ('second_factor', 'passkey_sign_in', 'passkey_factor', 'passkey_registration')),
  -- Null where the passkey says who signs in.
  user_id text collate "C" references user_account (id),
  -- The tenant that was asked for.
  tenant_id text collate "C" references tenant (id),
  -- What was proved already.
  methods text[] not null,
  -- Of a passkey, in base64url.
  challenge text,
  -- Of the address it was begun from, where anybody may begin it.
  origin_hash bytea,
  expires_at timestamptz(3) not null
);

create index sign_in_step_of_user on sign_in_step (user_id) where user_id is not null;
create index sign_in_step_of_origin on sign_in_step (origin_hash) where origin_hash is not null;
create index sign_in_step_end on sign_in_step (expires_at);

-- When the person last proved who they are, which a change of factors needs; null for sessions from before.
alter table user_session add column proven_at timestamptz(3);
-- The person has to set up a second factor; until then the session may do nothing else.
alter table user_session add column must_enrol boolean not null default false;
