-- Which tenants have timers that are due is one statement over all tenants, and a million others may wait meanwhile: it
-- reads the due ones from here. A claim then reads those of its tenant by run_token_timer.

create index run_token_timer_due on run_token (timer_at, tenant_id) where state = 'waiting' and timer_at is not null;
