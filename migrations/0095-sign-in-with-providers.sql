-- Sign-in with an OpenID Connect provider: who is who there, and the sign-ins that are under way.

-- Issuer and subject are the identity; the address is what a person knows it by, and decides nothing.
create table user_identity (
  id text collate "C" primary key,
  user_id text collate "C" not null references user_account (id),
  -- Of the settings, at the time of the link.
  provider text collate "C" not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  email text,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  unique (issuer, subject)
);

create index user_identity_of_user on user_identity (user_id);

-- State, nonce and the verifier of PKCE follow from the secret in the cookie of the browser, of which only the hash is here.
create table provider_try (
  secret_hash bytea primary key,
  provider text collate "C" not null,
  -- Of the invitation that it accepts.
  link_hash bytea,
  -- The signed-in person who links the account.
  user_id text collate "C" references user_account (id),
  address_group text not null,
  expires_at timestamptz(3) not null
);

create index provider_try_old on provider_try (expires_at);
create index provider_try_of_address on provider_try (address_group);
