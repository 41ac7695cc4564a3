-- Casework: reports as they came, events, cases with their slots, history and comments, and the groups events gather by.
-- Every key starts with the tenant. Ids and other opaque words are compared byte by byte ("C"), so that cursors mean one order
-- on every machine. Tables that grow with the events reference each other without foreign keys: one transaction writes them
-- together, and a check of every row against its case would cost more than the row.

-- Signs the cursors of lists. Made once by the first node that starts; every node reads it.
create table cursor_key (
  id integer primary key check (id = 1),
  secret bytea not null check (length(secret) = 32),
  created_at timestamptz(3) not null default now()
);

-- Raw bytes of reports, once for equal content.
create table report_raw (
  tenant_id text collate "C" not null,
  sha256 bytea not null,
  bytes bytea not null,
  primary key (tenant_id, sha256)
);
-- Mails and archives hardly shrink any further, and trying costs time.
alter table report_raw alter column bytes set storage external;

create table report (
  tenant_id text collate "C" not null,
  -- UUIDv7: the order of ids is the order of arrival.
  id uuid not null,
  received_at timestamptz(3) not null,
  media_type text not null,
  byte_length integer not null,
  sha256 bytea not null,
  state text collate "C" not null check (state in ('accepted', 'rejected', 'quarantined')),
  -- One public sentence; null exactly when the report was accepted.
  reason text,
  problems jsonb,
  -- How the content was read ("xarf_v4"), and the id its reporter gave it.
  format text collate "C",
  reporter_report_id text,
  event_count integer not null default 0,
  -- The token that brought it.
  received_by text not null,
  primary key (tenant_id, id),
  check ((state = 'accepted') = (reason is null))
);
create index report_by_state on report (tenant_id, state, id);

create table event (
  tenant_id text collate "C" not null,
  -- UUIDv7, and create_date is the time inside it: ordered by id is ordered by create_date.
  event_id uuid not null,
  create_date timestamptz(3) not null,
  event_date timestamptz(3) not null,
  event_type text collate "C" not null,
  sender_email text collate "C" not null,
  domain text collate "C",
  ip text collate "C",
  resolved boolean not null default false,
  customer_id text collate "C",
  contract_id text collate "C",
  case_id text collate "C",
  xarf_class text collate "C",
  recipient_email text,
  report_id uuid,
  reporter_report_id text,
  event_subtypes text[] not null,
  tags text[] not null,
  details jsonb,
  -- A page of the list, and the page of any one case, customer or type, is read from one index without touching the rows
  -- (measured at 10 million rows: 0.25 ms against 4 to 27 ms).
  primary key (tenant_id, event_id) include (event_date, event_type, sender_email, domain, ip, resolved, customer_id),
  check (contract_id is null or customer_id is not null)
);
create index event_by_date on event (tenant_id, event_date, event_id)
  include (event_type, sender_email, domain, ip, resolved, customer_id);
create index event_by_case on event (tenant_id, case_id, event_date, event_id)
  include (event_type, sender_email, domain, ip, resolved, customer_id)
  where case_id is not null;
create index event_by_customer on event (tenant_id, customer_id, event_date, event_id)
  include (event_type, sender_email, domain, ip, resolved)
  where customer_id is not null;
create index event_by_type on event (tenant_id, event_type, event_date, event_id)
  include (sender_email, domain, ip, resolved, customer_id);
-- Asked for rarely and narrow answers: 50 rows are fetched for a page. An address is nearly always the customer as well.
create index event_by_ip on event (tenant_id, ip, event_date, event_id) where ip is not null;
create index event_by_domain on event (tenant_id, domain, event_date, event_id) where domain is not null;
-- Index-only scans need the visibility map, which only vacuum writes; rows are mostly inserted, so inserts must call for it early.
alter table event set (
  autovacuum_vacuum_insert_threshold = 20000,
  autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_analyze_scale_factor = 0.05
);

-- By what an event is known again when it arrives once more. Apart from the event, so that a repeat changes a narrow row and
-- leaves the pages of the events as the index-only scans need them.
create table event_fingerprint (
  tenant_id text collate "C" not null,
  fingerprint bytea not null,
  event_id uuid not null,
  seen_count bigint not null default 1,
  last_seen timestamptz(3) not null,
  primary key (tenant_id, fingerprint)
) with (fillfactor = 90);

create table case_group (
  tenant_id text collate "C" not null references tenant (id),
  id text collate "C" not null,
  -- Groups are asked in this order and the first match takes the event.
  position integer not null,
  name text not null,
  description text not null,
  is_enabled boolean not null,
  -- Categories of XARF the group takes; null takes everything.
  xarf_classes text[],
  -- What tells the cases of the group apart.
  key_fields text[] not null,
  playbook_id uuid,
  primary key (tenant_id, id),
  unique (tenant_id, position)
);

create table abuse_case (
  tenant_id text collate "C" not null,
  -- "C-" and an upper-case UUIDv7.
  id text collate "C" not null,
  case_group_id text collate "C" not null,
  key_hash bytea not null,
  state text collate "C" not null check (state in ('NEW', 'IN_PROGRESS', 'RESOLVED', 'CLOSED')),
  -- Raised by every change that somebody decided; arriving events do not, or no one could change a busy case.
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  customer_id text collate "C" not null,
  contract_id text collate "C",
  first_event_date timestamptz(3) not null,
  last_event_date timestamptz(3) not null,
  event_count bigint not null,
  -- The first distinct values, capped; event_count counts all.
  event_types text[] not null,
  event_ips text[] not null,
  event_reporters text[] not null,
  event_tags text[] not null,
  resolution text,
  close_reason text,
  -- When it was last RESOLVED; kept when it is then CLOSED, taken away when it is opened again.
  resolved_at timestamptz(3),
  -- When it left the open states; null exactly while it is open.
  ended_at timestamptz(3),
  reopen_count integer not null default 0,
  severity text check (severity in ('low', 'medium', 'high', 'critical')),
  assignee_user_id text,
  metadata jsonb not null default '{}',
  -- The ended case of the same key that this one follows.
  linked_case_id text collate "C",
  primary key (tenant_id, id),
  check ((state in ('NEW', 'IN_PROGRESS')) = (ended_at is null)),
  check ((state = 'RESOLVED') <= (resolution is not null and resolved_at is not null)),
  check ((state = 'CLOSED') = (close_reason is not null))
) with (fillfactor = 80);
create index case_by_created on abuse_case (tenant_id, created_at, id)
  include (state, first_event_date, last_event_date, customer_id, contract_id, case_group_id);
create index case_by_last_event on abuse_case (tenant_id, last_event_date, id)
  include (state, first_event_date, created_at, customer_id, contract_id, case_group_id);
create index case_by_state on abuse_case (tenant_id, state, created_at, id)
  include (first_event_date, last_event_date, customer_id, contract_id, case_group_id);
create index case_by_customer on abuse_case (tenant_id, customer_id, created_at, id)
  include (state, first_event_date, last_event_date, contract_id, case_group_id);
create index case_by_first_event on abuse_case (tenant_id, first_event_date, id);
-- The newest ended case of a key: decides whether an event is late, and which case a new one follows.
create index case_by_ended_key on abuse_case (tenant_id, case_group_id, key_hash, ended_at)
  where ended_at is not null;
alter table abuse_case set (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_threshold = 10000,
  autovacuum_vacuum_insert_scale_factor = 0.01
);

-- One key has at most one open case: whoever inserts the row opens it, and the row goes when the case leaves the open states.
-- Everyone who touches both locks the slot before the case, and several slots in the order of their key.
create table case_slot (
  tenant_id text collate "C" not null,
  case_group_id text collate "C" not null,
  key_hash bytea not null,
  case_id text collate "C" not null,
  primary key (tenant_id, case_group_id, key_hash)
) with (fillfactor = 70);

-- Append-only: what was decided about a case, by whom and why, written in the transaction of the change.
create table case_history (
  tenant_id text collate "C" not null,
  case_id text collate "C" not null,
  id uuid not null,
  at timestamptz(3) not null,
  kind text collate "C" not null,
  actor_kind text collate "C" not null check (actor_kind in ('token', 'run', 'system')),
  -- Token id, or "run:node".
  actor text not null,
  from_state text collate "C",
  to_state text collate "C",
  reason text,
  -- What led to it: a report, an event, a visit ("run:token:visit"), a request.
  cause_id text,
  changes jsonb,
  primary key (tenant_id, case_id, id)
);

create table case_comment (
  tenant_id text collate "C" not null,
  case_id text collate "C" not null,
  id uuid not null,
  text text not null,
  author text not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, case_id, id)
);
