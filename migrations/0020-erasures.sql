-- Addresses of people that were erased, or are being erased: who asked when and what came of it, and never the address itself.

create table erasure (
  tenant_id text collate "C" not null references tenant (id),
  -- UUIDv7: the order of ids is the order of the requests.
  id uuid not null,
  -- What stands in place of the address: the same each time, and telling it to nobody who has not the key of this instance.
  replaced_by text collate "C" not null,
  -- Counts, and changes nothing.
  is_preview boolean not null,
  -- Id of the token.
  requested_by text not null,
  started_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  -- How far it has come: a table and a page or key in it.
  place jsonb not null,
  -- Rows by table.
  changed jsonb not null default '{}',
  kept jsonb not null default '{}',
  primary key (tenant_id, id)
);
-- Who asks again for the same goes on with it.
create unique index erasure_under_way on erasure (tenant_id, replaced_by, is_preview) where finished_at is null;
