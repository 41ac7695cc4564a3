-- Pages that read more than they show (measured at 5 million events and 100,000 cases, 2026-11-22).

-- Few resolved events among many others, or the other way round: 22 to 32 ms, and more the rarer they are.
create index event_by_resolved on event (tenant_id, resolved, event_date, event_id);

-- One cause of several, in both orders: 370 to 930 ms for one that hardly any event has. What a resolver did not answer is found by the
-- second one too. Nothing for events that have an owner.
create index event_by_cause on event (tenant_id, unassigned_cause, event_date, event_id) where unassigned_cause is not null;
create index event_by_cause_and_id on event (tenant_id, unassigned_cause, event_id) where unassigned_cause is not null;
drop index event_unanswered;

-- 45 to 110 ms for a group or contract with few cases.
create index case_by_group on abuse_case (tenant_id, case_group_id, created_at, id)
  include (state, first_event_date, last_event_date, customer_id, contract_id, due_at);
create index case_by_contract on abuse_case (tenant_id, contract_id, created_at, id)
  include (state, first_event_date, last_event_date, customer_id, case_group_id, due_at)
  where contract_id is not null;

-- Every list of cases shows when something is due, and that was read from the table: 100 to 160 ms where few of many are due.
drop index case_by_created;
create index case_by_created on abuse_case (tenant_id, created_at, id)
  include (state, first_event_date, last_event_date, customer_id, contract_id, case_group_id, due_at);
drop index case_by_last_event;
create index case_by_last_event on abuse_case (tenant_id, last_event_date, id)
  include (state, first_event_date, created_at, customer_id, contract_id, case_group_id, due_at);
drop index case_by_first_event;
create index case_by_first_event on abuse_case (tenant_id, first_event_date, id)
  include (state, last_event_date, created_at, customer_id, contract_id, case_group_id, due_at);
drop index case_by_state;
create index case_by_state on abuse_case (tenant_id, state, created_at, id)
  include (first_event_date, last_event_date, customer_id, contract_id, case_group_id, due_at);
drop index case_by_customer;
create index case_by_customer on abuse_case (tenant_id, customer_id, created_at, id)
  include (state, first_event_date, last_event_date, contract_id, case_group_id, due_at);
