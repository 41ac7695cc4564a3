-- Mails about accounts that wait for the relay: invitations and links for a forgotten password. The link of a mail is made when the mail
-- is sent, so no row here opens an account, and a retry makes a new one.

create table account_mail (
  id uuid primary key,
  kind text collate "C" not null check (kind in ('invitation', 'reset')),
  -- Null where somebody asked for the password of an address that has no account: such a row costs what any other costs, and is dropped.
  user_id text collate "C",
  -- The tenant that an invitation is into.
  invited_to text collate "C",
  language text collate "C" not null check (language in ('en', 'de')),
  created_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  attempts integer not null default 0,
  constraint account_mail_of_invitation check ((kind = 'invitation') = (invited_to is not null))
);

create index account_mail_due on account_mail (due_at);
