-- Due mitigations are read adapter by adapter, so that a long queue of one holds up no other.

drop index mitigation_due;
create index mitigation_due on mitigation (tenant_id, adapter, wake_at) where state in ('pending', 'removing') and wake_at is not null;
