-- Answers and bounces of notices, as they came back by mail; comments that such a mail became.

-- A mail that came back for a notice, once for each mail, however often it is delivered.
create table notice_reply (
  tenant_id text collate "C" not null,
  notice_id uuid not null,
  -- SHA-256 of the Message-ID, or of the bytes of a mail without one.
  mail_hash bytea not null,
  kind text collate "C" not null check (kind in ('answer', 'automatic', 'bounce', 'delay', 'delivery', 'complaint')),
  -- The case at that time; a merged case is named by the case at the end of its merges.
  case_id text collate "C",
  report_id uuid not null,
  comment_id uuid,
  -- Of a bounce, by RFC 3463.
  status text collate "C",
  received_at timestamptz(3) not null default now(),
  primary key (tenant_id, notice_id, mail_hash),
  foreign key (tenant_id, notice_id) references notice (tenant_id, id) on delete cascade
);
create index notice_reply_of_report on notice_reply (tenant_id, report_id);

-- An answer to a mail that was sent before a resend still finds its notice.
alter table notice add column former_key_hash bytea;
create index notice_by_former_key on notice (former_key_hash) where former_key_hash is not null;
-- Bounces of an address, lately.
create index notice_bounced on notice (tenant_id, lower(recipient)) where state = 'bounced';

-- Of a comment that came by mail: whose text it is, the mail itself, and what it quoted and had with it.
alter table case_comment
  add column party text collate "C" check (party in ('customer', 'reporter', 'other')),
  add column is_automatic boolean not null default false,
  add column quoted text,
  add column report_id uuid,
  add column attachments jsonb;
create index case_comment_of_report on case_comment (tenant_id, report_id) where report_id is not null;
