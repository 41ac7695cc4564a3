-- Due timers by tenant, and due deliveries by webhook: each is asked for a share, so that a long backlog of one does not
-- hold up the others. What is being sent has an index of its own.

drop index run_token_timer;
create index run_token_timer on run_token (tenant_id, timer_at) where state = 'waiting' and timer_at is not null;
drop index webhook_delivery_due;
create index webhook_delivery_due on webhook_delivery (tenant_id, webhook_id, wake_at) where state = 'waiting';
create index webhook_delivery_leased on webhook_delivery (tenant_id, webhook_id) where lease_owner is not null;
