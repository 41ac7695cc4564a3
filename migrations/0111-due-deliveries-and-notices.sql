-- Which tenants have deliveries and notices that are due: while a receiver or the relay is away, very many wait for a later time.

create index webhook_delivery_due_at on webhook_delivery (wake_at, tenant_id) where state = 'waiting';
create index notice_due_at on notice (wake_at, tenant_id) where state = 'waiting';
