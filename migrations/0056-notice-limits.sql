-- The limit of notices to one recipient a day, and the digest that takes up what is above it.

-- A tenant without a row has the limits that the program ships with.
create table notice_limits (
  tenant_id text collate "C" primary key references tenant (id),
  is_on boolean not null,
  -- By purpose: `{"notice": {"case_day": 1, "recipient_day": 5}}`. A purpose that is not here is not limited.
  limits jsonb not null,
  digest_hour smallint not null check (digest_hour between 0 and 23),
  time_zone text not null,
  updated_at timestamptz(3) not null default now()
);

-- Locked while it is decided whether one more notice may go to the recipient. A row is removed when nobody used it for two days.
create table notice_recipient (
  tenant_id text collate "C" not null references tenant (id),
  -- SHA-256 of the address in lower case.
  address_hash bytea not null,
  used_at timestamptz(3) not null default now(),
  primary key (tenant_id, address_hash)
);
create index notice_recipient_by_use on notice_recipient (used_at);

create index notice_by_recipient on notice (tenant_id, lower(recipient), created_at);
create index notice_of_digest on notice (tenant_id, digest_id) where digest_id is not null;
