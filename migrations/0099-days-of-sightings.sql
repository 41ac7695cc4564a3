-- Sightings are summed up by day. A row an observation grew without end, and one more observation of an address read all the earlier ones.

-- What is there is moved into the new tables in small steps while the service works (src/intel/sources/push/former-sightings.ts).
alter table sighting rename to former_sighting;
alter index sighting_pkey rename to former_sighting_pkey;

-- What a source saw of a subject in one day (UTC, by the end of each observation): the span and the sum of its observations.
create table sighting (
  subject text collate "C" not null,
  source_id integer not null,
  service text not null,
  type text not null,
  day date not null,
  first_seen timestamptz(3) not null,
  last_seen timestamptz(3) not null,
  count bigint not null check (count > 0),
  -- The row is one observation, and sighting_observation does not repeat it. So are most rows: no address of a port scan is met twice.
  is_single boolean not null,
  -- The observations are forgotten, so that a repeated one cannot be told from a new one. A push no longer adds to the count; it may still raise it.
  is_closed boolean not null default false,
  changed_on date not null default current_date,
  primary key (subject, source_id, service, type, day),
  check (not (is_single and is_closed))
);

-- Which days are to be closed.
create index sighting_by_change on sighting (changed_on) where not is_single and not is_closed;

-- Which days are past their retention: rows come nearly in the order of days, so this index is some pages.
create index sighting_by_day on sighting using brin (day);

-- The observations of a day that has several, so that a repeated push changes nothing.
create table sighting_observation (
  subject text collate "C" not null,
  source_id integer not null,
  service text not null,
  type text not null,
  last_seen timestamptz(3) not null,
  first_seen timestamptz(3) not null,
  count bigint not null check (count > 0),
  primary key (subject, source_id, service, type, last_seen, first_seen)
);

-- What is known, while former sightings are moved and afterwards. Readers sum it up.
create view known_sighting as
  select subject, source_id, service, type, first_seen, last_seen, count from sighting
  union all
  select subject, source_id, service, type, first_seen, last_seen, count from former_sighting;
