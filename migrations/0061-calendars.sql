-- Business hours that nodes of playbooks name: time zone, hours by weekday and holidays (internals: playbook engine).

create table calendar (
  tenant_id text collate "C" not null references tenant (id),
  name text collate "C" not null,
  -- As the API takes it.
  settings jsonb not null,
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, name)
);
