-- Due tokens by tenant: a claim takes the same number of each, so that a tenant with many does not hold up the others.

drop index run_token_due;
create index run_token_due on run_token (tenant_id, wake_at) where state = 'ready' and not calls;
drop index run_token_call;
create index run_token_call on run_token (tenant_id, wake_at) where state = 'ready' and calls;
