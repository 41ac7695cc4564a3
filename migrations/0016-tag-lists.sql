-- What carries a tag, written down once when somebody begins to read it page by page: all pages are then of one moment, whichever node or
-- thread answers. Old lists are removed when new ones are made.

create table tag_list (
  id bigint generated always as identity primary key,
  tag text not null,
  -- Of the change log when it was made; the same serial gives another list later, since taggings expire by the clock.
  serial bigint not null,
  total bigint not null,
  made_at timestamptz(3) not null,
  -- When the change of that serial was made.
  last_update timestamptz(3) not null
);

create index tag_list_tag on tag_list (tag, id);

-- 10,000 entries a row: a page of the answer is cut from two rows at most.
create table tag_list_page (
  list_id bigint not null references tag_list (id) on delete cascade,
  page integer not null,
  entries text[] collate "C" not null,
  primary key (list_id, page)
);
