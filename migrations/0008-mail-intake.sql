-- How a report came, and what its transport said of it: the envelope (RFC 5321) and the results of SPF, DKIM, DMARC and ARC.

alter table report
  add column via text collate "C" not null default 'api' check (via in ('api', 'smtp', 'lmtp', 'imap', 'import')),
  add column envelope_from text,
  add column envelope_to text[] not null default '{}',
  add column remote_address text collate "C",
  add column helo text,
  add column message_id text,
  add column authentication jsonb;
create index report_by_via on report (tenant_id, via, id);

-- Which tenant the mail to an address belongs to: `abuse@example.org`, or `*@abuse.example.org` for every address of a domain, lower case.
-- While it is empty, mail to any address belongs to the tenant `default`. The one table of intake that is asked before a tenant is known.
create table report_address (
  address text collate "C" primary key,
  tenant_id text collate "C" not null references tenant (id),
  created_at timestamptz(3) not null default now()
);

-- Which node pulls a mailbox: one at a time, the next one when the lease has run out.
create table mailbox_lease (
  mailbox text collate "C" primary key,
  holder text not null,
  expires_at timestamptz(3) not null
);
