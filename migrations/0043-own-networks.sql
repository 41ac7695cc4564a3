-- The operator's own address ranges, the entries of sources of kind network.

create table own_network (
  source_id integer not null references intel_source (id) on delete cascade,
  subject text collate "C" not null,
  primary key (source_id, subject)
);

-- Raised as the last act of every change of own networks, which nodes read as a whole.
create table own_network_serial (
  id integer primary key check (id = 1),
  serial bigint not null
);

insert into own_network_serial (id, serial) values (1, 0);
