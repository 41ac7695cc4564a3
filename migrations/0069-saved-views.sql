-- Views that people who work cases have saved: a list with its parameters, by name.

create table saved_view (
  tenant_id text collate "C" not null references tenant (id),
  -- UUIDv7: the order of ids is the order in which they were made.
  id uuid not null,
  -- For people; two may have the same.
  name text not null,
  list text collate "C" not null check (list in ('cases', 'events')),
  -- The query parameters of the list.
  query jsonb not null,
  -- False: only the token that made it sees it.
  is_shared boolean not null,
  created_at timestamptz(3) not null default now(),
  -- The id of a token.
  created_by text collate "C" not null,
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
