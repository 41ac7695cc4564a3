-- A filling of the demo notes that it has begun, and takes the note away at its end: one that is killed has left half a
-- story, which the next filling removes first.

alter table demo_record drop constraint demo_record_kind_check;
alter table demo_record add constraint demo_record_kind_check check (kind in ('user', 'source', 'tag', 'filling'));
