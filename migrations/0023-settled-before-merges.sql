-- Whether an event was settled before each of the merges that moved it, the last one at the end: an unmerge gives exactly that back.
alter table event add column resolved_before boolean[];
