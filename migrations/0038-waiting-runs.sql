-- Whom a run waits for at a node, and what the runs of a case say of that: the case shows it as waiting_on, and takes it back when they go on.

-- Null while the token does not wait, or waits for nobody in particular.
alter table run_token add column waits_for text collate "C";
-- The last of it that the case was given; null when its runs wait for nobody.
alter table abuse_case add column run_waits_for text collate "C";

update run_token set waits_for = 'agent'
from run join playbook_version as version
  on version.tenant_id = run.tenant_id and version.playbook_id = run.playbook_id and version.version = run.version
where run.tenant_id = run_token.tenant_id and run.id = run_token.run_id and run.state = 'active' and run_token.state = 'waiting'
  and version.graph @> jsonb_build_object('nodes', jsonb_build_array(jsonb_build_object('id', run_token.node, 'kind', 'manual')));
update abuse_case set run_waits_for = 'agent', waiting_on = case when state in ('NEW', 'IN_PROGRESS') and waiting_on = 'none' then 'agent' else waiting_on end
where exists (
  select from run_token where run_token.tenant_id = abuse_case.tenant_id and run_token.case_id = abuse_case.id and run_token.waits_for is not null
);

-- Lists of runs by state and by playbook, in the order of their start.
create index run_by_state on run (tenant_id, state, id);
create index run_by_playbook on run (tenant_id, playbook_id, id);

-- Counted for the metrics, over all tenants.
create index run_failed on run (tenant_id, id) where state = 'failed';
create index run_token_waiting on run_token (tenant_id, run_id) where state = 'waiting';
