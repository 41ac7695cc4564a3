-- Intel: the tag catalogue, sources, what they said about addresses, ranges and domains ("subjects", in canonical text), and the
-- numbered change log from which every node keeps its copy in memory fresh (design section 4, decision 6).

create table tag (
  name text primary key,
  intent text not null check (intent in ('malicious', 'suspicious', 'benign', 'unknown', 'none')),
  category text not null,
  description text not null,
  reference_links jsonb not null,
  timeline jsonb not null,
  -- A tag that an operator changed is left alone when a newer program brings its own text of it.
  is_edited boolean not null default false
);

create table intel_source (
  id integer generated always as identity primary key,
  kind text not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  -- One name may exist in several kinds (design section 10).
  unique (kind, name)
);

-- Subjects are ASCII and compare by bytes: cheaper than by a language's rules, and in the order in which a push sorts its rows.
-- The tables of facts name sources and tags without foreign keys: their check of every single row halves the rate of a bulk push
-- (measured), and their only writer has just looked both up.

-- One row an observation, as it was pushed. The key makes a repeated push find its own row; the first column is how one
-- subject is read.
create table sighting (
  subject text collate "C" not null,
  source_id integer not null,
  service text not null,
  type text not null,
  first_seen timestamptz(3) not null,
  last_seen timestamptz(3) not null,
  count bigint not null check (count > 0),
  primary key (subject, source_id, service, type, first_seen, last_seen)
);

-- The three tables of statements have one shape: what a source says of a subject, until it expires or is withdrawn.
create table listing (
  subject text collate "C" not null,
  source_id integer not null,
  name text not null,
  is_active boolean not null,
  reason text,
  first_seen timestamptz(3) not null,
  last_seen timestamptz(3) not null,
  expires_at timestamptz(3),
  primary key (subject, source_id, name)
);

create table tagging (
  subject text collate "C" not null,
  source_id integer not null,
  name text not null,
  is_active boolean not null,
  reason text,
  first_seen timestamptz(3) not null,
  last_seen timestamptz(3) not null,
  expires_at timestamptz(3),
  primary key (subject, source_id, name)
);

-- Entries of allow-lists: listings of the subject, and of what lies in it, do not count.
create table allowance (
  subject text collate "C" not null,
  source_id integer not null,
  name text not null,
  is_active boolean not null,
  reason text,
  first_seen timestamptz(3) not null,
  last_seen timestamptz(3) not null,
  expires_at timestamptz(3),
  primary key (subject, source_id, name)
);

-- Abuse contacts of address ranges and of domains, as imported lists give them. Of several sources the statement made last holds.
create table contact_range (
  range text not null,
  email text not null,
  source text not null,
  updated_at timestamptz(3) not null default now(),
  primary key (range, source)
);

create table contact_domain (
  domain text not null,
  email text not null,
  source text not null,
  updated_at timestamptz(3) not null default now(),
  primary key (domain, source)
);

-- Raised as the last act of every change of contacts, which nodes read as a whole.
create table contact_serial (
  id integer primary key check (id = 1),
  serial bigint not null
);

insert into contact_serial (id, serial) values (1, 0);

-- The number of the last change. It is raised as the last act of a push, and its row lock is held until that commits: whoever
-- reads serial n therefore sees every change up to n. The tag catalogue is counted apart, since it is read as a whole.
create table intel_serial (
  id integer primary key check (id = 1),
  serial bigint not null,
  tag_serial bigint not null
);

insert into intel_serial (id, serial, tag_serial) values (1, 0, 0);

-- Which subjects a change touched; a reader takes the full state of each from the tables above. They are written under the number
-- of the push while it goes on, and the push gets its serial at its end, so that a large one does not hold up the others.
create sequence intel_push_id;

-- The mark is random: a copy of the set that names serial and mark is known to be of this very history, and not of another database or
-- of a restored one that went another way. Old rows are pruned; a copy whose row is gone is built anew.
create table intel_push (
  serial bigint primary key,
  id bigint not null unique,
  mark uuid not null default gen_random_uuid(),
  subject_count bigint not null,
  created_at timestamptz(3) not null default now()
);

insert into intel_push (serial, id, subject_count) values (0, 0, 0);

-- Subjects by the thousand in one value: a row and an index entry for each cost as much as the facts themselves.
create table intel_change (
  push_id bigint not null,
  subjects text[] collate "C" not null
);

-- Compressing them would cost more than it saves.
alter table intel_change alter column subjects set storage external;

create index intel_change_push_id on intel_change (push_id);
