-- Reports whose bytes an erasure could not search (they were too costly): it names them, and goes on.
alter table erasure add column unsearched uuid[] not null default '{}';
