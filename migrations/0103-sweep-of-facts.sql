-- How far the sweep of entries that ran out has come in each table (src/intel/sources/sweep). It walks the key of the table, so that no push
-- has to keep an index by expiry.
create table fact_sweep (
  fact_table text primary key check (fact_table in ('listing', 'tagging', 'allowance')),
  -- The last row that was looked at; empty before the first.
  subject text collate "C" not null default '',
  source_id integer not null default 0,
  name text not null default '',
  next_at timestamptz(3) not null default now()
);

insert into fact_sweep (fact_table) values ('listing'), ('tagging'), ('allowance');
