-- Simulations of playbooks: one at a time for each tenant, on whatever node.

create table simulation (
  tenant_id text collate "C" primary key references tenant (id),
  owner uuid not null,
  -- A node that died holds it no longer than this.
  lease_until timestamptz not null
);
