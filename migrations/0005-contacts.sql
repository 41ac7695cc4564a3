-- What tests of abuse contacts found out, one row for each e-mail address that is or was of interest. `failures` counts undecided
-- results in a row. The recipient is asked for at most monthly, so its answer is kept beside the status that the rest gives.
create table contact_check (
  email text collate "C" primary key,
  status text not null default 'UNKNOWN'
    check (status in ('UNKNOWN', 'OK', 'MX_FAILED', 'CONNECTION_FAILED', 'RECIPIENT_FAILED')),
  last_verification timestamptz(3),
  failures smallint not null default 0,
  recipient_status text check (recipient_status in ('OK', 'RECIPIENT_FAILED')),
  recipient_checked_at timestamptz(3),
  -- Claimed rows are moved into the future, which is their lease.
  next_check_at timestamptz(3) not null,
  -- When a look-up showed it last, to the day; null: it is imported and was not shown since.
  shown_at timestamptz(3),
  -- contact_serial.check_serial of its last change of status.
  serial bigint not null default 0
);

create index contact_check_due on contact_check (next_check_at);
create index contact_check_serial on contact_check (serial);

-- Raised with every change of a status, as `serial` is with every change of a contact.
alter table contact_serial add column check_serial bigint not null default 0;
