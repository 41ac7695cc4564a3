-- The stream of changes of a tenant (GET /beta/casework/stream): messages in the order of a serial, kept for a day, so that a
-- client that comes back misses nothing.

create table stream_head (
  tenant_id text collate "C" primary key references tenant (id),
  -- Of the newest message. The lock of this row makes messages visible in the order of their serials.
  serial bigint not null default 0,
  -- Everything after this serial is there.
  kept_from bigint not null default 0,
  -- Changes are noted for the stream until then; open streams move it on.
  wanted_until timestamptz not null,
  -- No transaction is under way any more that began to write before changes were noted: the first stream may begin.
  is_settled boolean not null default false
);

create table stream_message (
  tenant_id text collate "C" not null,
  serial bigint not null,
  kind text collate "C" not null,
  what text collate "C" not null,
  subject_id text collate "C" not null,
  case_id text collate "C",
  at timestamptz(3) not null,
  noted_at timestamptz not null default now(),
  primary key (tenant_id, serial)
);
create index stream_message_noted on stream_message (noted_at);
