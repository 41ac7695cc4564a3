-- One row for each tenant. A transaction that decides which case a correlation key has (intake, moves that open or end a case, merges, splits) locks it
-- before it reads those cases, so that the decisions of a tenant are made one after the other (docs/decisions/0009-one-correlation-lock.md).
create table correlation_lock (
  tenant_id text collate "C" primary key
);
insert into correlation_lock (tenant_id) select id from tenant;
