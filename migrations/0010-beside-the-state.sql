-- What stands beside the state of a case (reference: case operations 3.1), and when something about it is due.

alter table abuse_case
  add column waiting_on text collate "C" not null default 'none'
    check (waiting_on in ('none', 'agent', 'customer', 'reporter', 'third_party', 'timer')),
  add column customer_status text collate "C" not null default 'unnotified'
    check (customer_status in ('unnotified', 'notified', 'seen', 'claims_fixed', 'disputed', 'bounced')),
  add column tags text[] collate "C" not null default '{}',
  -- When the clocks of the law began; null: when the case was opened.
  add column aware_at timestamptz(3),
  -- What was agreed with somebody, beside the law's.
  add column deadline_at timestamptz(3),
  add column deadlines_met text[] collate "C" not null default '{}',
  -- The case this one was merged into.
  add column merged_into text collate "C",
  add check (waiting_on = 'none' or ended_at is null),
  add check (merged_into is null or close_reason = 'merged');

-- The next thing that is due, worked out by the database, so that it holds whoever writes the row: an agent, a playbook or an arriving
-- event. The same rules as casework/model/deadline.ts, and a test compares the two. Sums are made in UTC, or they would depend on the
-- time zone of the session.
alter table abuse_case add column due_at timestamptz(3) generated always as (least(
  case when ended_at is null then deadline_at end,
  case when ended_at is null and not 'receipt' = any (deadlines_met)
    then (coalesce(aware_at, created_at) at time zone 'UTC' + interval '24 hours') at time zone 'UTC' end,
  case when state <> 'CLOSED' and 'ChildAbuse' = any (event_types) and not 'authority_notice' = any (deadlines_met)
    then (coalesce(aware_at, created_at) at time zone 'UTC' + interval '24 hours') at time zone 'UTC' end,
  case when state <> 'CLOSED' and (coalesce(severity in ('high', 'critical'), false) or 'CVE' = any (event_types))
      and not 'early_warning' = any (deadlines_met)
    then (coalesce(aware_at, created_at) at time zone 'UTC' + interval '24 hours') at time zone 'UTC' end,
  case when state <> 'CLOSED' and (coalesce(severity in ('high', 'critical'), false) or 'CVE' = any (event_types))
      and not 'incident_notification' = any (deadlines_met)
    then (coalesce(aware_at, created_at) at time zone 'UTC' + interval '72 hours') at time zone 'UTC' end,
  case when state <> 'CLOSED' and (coalesce(severity in ('high', 'critical'), false) or 'CVE' = any (event_types))
      and not 'final_report' = any (deadlines_met)
    then (coalesce(aware_at, created_at) at time zone 'UTC' + interval '1 month') at time zone 'UTC' end
)) stored;

create index case_by_due on abuse_case (tenant_id, due_at, id)
  include (state, created_at, first_event_date, last_event_date, customer_id, contract_id, case_group_id)
  where due_at is not null;
create index case_by_assignee on abuse_case (tenant_id, assignee_user_id, created_at, id)
  include (state, first_event_date, last_event_date, customer_id, contract_id, case_group_id)
  where assignee_user_id is not null;
create index case_by_severity on abuse_case (tenant_id, severity, created_at, id)
  include (state, first_event_date, last_event_date, customer_id, contract_id, case_group_id)
  where severity is not null;
create index case_by_waiting on abuse_case (tenant_id, waiting_on, created_at, id)
  include (state, first_event_date, last_event_date, customer_id, contract_id, case_group_id)
  where waiting_on <> 'none';
-- Tags are given by hand, to few cases: what has one is found here and sorted.
create index case_by_tag on abuse_case using gin (tags) where tags <> '{}';
-- Which cases a case took in.
create index case_by_merge on abuse_case (tenant_id, merged_into) where merged_into is not null;
