-- Notices: what is told to people by mail, by which template, every attempt to send it, and who wants no mail.

create table notice_template (
  tenant_id text collate "C" not null references tenant (id),
  id uuid not null,
  -- A template named like a purpose and without a name of its own is the one of that purpose.
  name text collate "C" not null,
  -- BCP 47 in lower case, such as `de` or `pt-br`.
  language text collate "C" not null,
  purpose text collate "C" not null,
  -- Whom it is written for: what it may show.
  profile text collate "C" not null check (profile in ('customer', 'reporter', 'authority')),
  -- LiquidJS.
  subject text not null,
  body text not null,
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, name, language)
);

create table notice (
  tenant_id text collate "C" not null references tenant (id),
  -- UUIDv7: the order of ids is the order of time.
  id uuid not null,
  -- Null for a digest, which is about several cases.
  case_id text collate "C",
  purpose text collate "C" not null,
  -- The name of the template.
  template text collate "C" not null,
  language text collate "C" not null,
  party text collate "C" not null check (party in ('customer', 'reporter', 'other')),
  -- The customer to whom it goes, for the limit of notices a day; null for other parties.
  customer_id text collate "C",
  recipient text not null,
  -- As it is sent: rendered when it was made.
  subject text not null,
  text text not null,
  -- held: nothing is sent before somebody acts, or before the digest that takes it up.
  state text collate "C" not null check (state in ('waiting', 'sent', 'bounced', 'failed', 'suppressed', 'held')),
  -- One stable word; null while it waits for the first attempt and when it was sent.
  reason text collate "C",
  -- Without angle brackets, and so are the next two.
  message_id text not null,
  -- The message with which the thread began: its own id, or that of an earlier notice or report.
  thread text not null,
  in_reply_to text,
  -- `run:token:visit` of a playbook, or the key of a request: no second notice is made with it.
  effect_key text collate "C",
  -- The part behind the plus of its addresses for answers and bounces. In clear only until it is sent, then the hash alone.
  reply_key text collate "C",
  -- SHA-256 of the key; null where the mail domain was not set.
  reply_key_hash bytea,
  -- An answer is taken until then.
  reply_until timestamptz(3),
  -- Of the digest that took it up.
  digest_id uuid,
  attempts smallint not null default 0,
  wake_at timestamptz not null default now(),
  lease_owner uuid,
  lease_until timestamptz,
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  sent_at timestamptz(3),
  -- When its state was last set.
  changed_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);

create index notice_due on notice (wake_at) where state = 'waiting';
create unique index notice_effect on notice (tenant_id, effect_key) where effect_key is not null;
create index notice_of_case on notice (tenant_id, case_id, id) where case_id is not null;
create index notice_by_state on notice (tenant_id, state, id);
create index notice_of_customer on notice (tenant_id, customer_id, purpose, id) where customer_id is not null;
create index notice_throttled on notice (changed_at) where state = 'held' and reason = 'throttled';
-- A bounce or an answer finds its notice by the key of the address, before any tenant is known, or by the id that it answers.
create index notice_by_reply_key on notice (reply_key_hash) where reply_key_hash is not null;
create index notice_by_message_id on notice (tenant_id, message_id);

create table notice_attempt (
  tenant_id text collate "C" not null,
  notice_id uuid not null,
  attempt smallint not null,
  started_at timestamptz(3) not null default now(),
  duration_ms integer not null,
  outcome text collate "C" not null check (outcome in ('sent', 'postponed', 'failed')),
  -- The code of the reply of the relay; null when there was none.
  reply_code smallint,
  -- One public sentence; null for a success.
  failure text,
  primary key (tenant_id, notice_id, attempt),
  foreign key (tenant_id, notice_id) references notice (tenant_id, id) on delete cascade
);

-- Addresses to which nothing is sent. The hash of the address is the key, so that the erasure of an address leaves the wish of its
-- owner.
create table mail_suppression (
  tenant_id text collate "C" not null references tenant (id),
  -- SHA-256 of the address in lower case.
  address_hash bytea not null,
  address text not null,
  cause text collate "C" not null check (cause in ('person', 'bounce', 'complaint')),
  -- Why, for people.
  note text not null default '',
  notice_id uuid,
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  primary key (tenant_id, address_hash)
);
create index mail_suppression_by_time on mail_suppression (tenant_id, created_at, address_hash);
