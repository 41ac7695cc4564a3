-- The outcome of a call that ended while its run was paused; its token takes it when the run is resumed. Null for any other token.
alter table run_token add column call_outcome jsonb;
