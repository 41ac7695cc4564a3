-- What an operator says of a source, when it was last heard of, and how it is fetched where it is a published list.

alter table intel_source
  add column description text,
  -- Who publishes it, and under which terms: kept with the source for as long as its entries are.
  add column origin text,
  add column licence text,
  -- After this without a word from it, it is told to be stale. Its entries count on.
  add column ttl_seconds integer check (ttl_seconds > 0),
  -- When it last said something that was kept, and a number of the change log that has all it said until then.
  add column heard_at timestamptz(3),
  add column heard_serial bigint;

create table source_fetch (
  source_id integer primary key references intel_source (id) on delete cascade,
  url text not null,
  format text not null,
  -- What being on the list means: a name of a blocklist or allow-list, or a tag.
  entry_name text not null,
  is_enabled boolean not null,
  interval_seconds integer not null check (interval_seconds > 0),
  -- For the conditional request; forgotten when what is fetched is changed.
  etag text,
  last_modified text,
  tried_at timestamptz(3),
  -- Why the last try failed; null after one that did not.
  trouble text,
  next_at timestamptz(3) not null,
  -- A node that fetches has it for itself until then, or until it is done.
  leased_until timestamptz(3)
);
