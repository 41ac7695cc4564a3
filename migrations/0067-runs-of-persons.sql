-- Attempts that a dead process has left, for the upkeep; and cases whose run failed before such a run counted as one that waits
-- for an agent.

create index run_attempt_open on run_attempt (started_at) where ended_at is null;

update abuse_case set run_waits_for = 'agent',
  waiting_on = case when state in ('NEW', 'IN_PROGRESS') and waiting_on = 'none' then 'agent' else waiting_on end
where run_waits_for is null and close_reason is distinct from 'merged' and exists (
  select from run join run_token on run_token.tenant_id = run.tenant_id and run_token.run_id = run.id
  where run.tenant_id = abuse_case.tenant_id and run.case_id = abuse_case.id and run.state = 'failed' and run.parent_run_id is null
    and run_token.state = 'dead'
);
