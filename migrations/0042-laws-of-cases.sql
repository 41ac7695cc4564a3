-- The deadlines of the law count only for cases of tenants that switched them on (setting legal_deadlines). Off unless the tenant has used them: one that
-- marked such a deadline as met keeps all of them, for the cases that it has and for later ones.

-- Whose deadlines the case has: 'dsa', 'nis2'. Taken from the setting when the case is opened.
alter table abuse_case add column laws text[] collate "C" not null default '{}';

update tenant set settings = settings || '{"legal_deadlines": ["dsa", "nis2"]}'
where exists (select from abuse_case where tenant_id = tenant.id and deadlines_met <> '{}');
update abuse_case set laws = '{dsa,nis2}'
from tenant where tenant.id = abuse_case.tenant_id and tenant.settings ? 'legal_deadlines';

-- Its expression cannot be changed, and its indexes go with it. The same rules as src/casework/cases/case-deadline.ts, and a test compares the two.
alter table abuse_case drop column due_at;
alter table abuse_case add column due_at timestamptz(3) generated always as (least(
  case when ended_at is null then deadline_at end,
  case when 'dsa' = any (laws) and ended_at is null and not 'receipt' = any (deadlines_met)
    then (coalesce(aware_at, created_at) at time zone 'UTC' + interval '24 hours') at time zone 'UTC' end,
  case when 'dsa' = any (laws) and state <> 'CLOSED' and 'ChildAbuse' = any (event_types) and not 'authority_notice' = any (deadlines_met)
    then (coalesce(aware_at, created_at) at time zone 'UTC' + interval '24 hours') at time zone 'UTC' end,
  case when 'nis2' = any (laws) and state <> 'CLOSED' and (coalesce(severity in ('high', 'critical'), false) or 'CVE' = any (event_types))
      and not 'early_warning' = any (deadlines_met)
    then (coalesce(aware_at, created_at) at time zone 'UTC' + interval '24 hours') at time zone 'UTC' end,
  case when 'nis2' = any (laws) and state <> 'CLOSED' and (coalesce(severity in ('high', 'critical'), false) or 'CVE' = any (event_types))
      and not 'incident_notification' = any (deadlines_met)
    then (coalesce(aware_at, created_at) at time zone 'UTC' + interval '72 hours') at time zone 'UTC' end,
  case when 'nis2' = any (laws) and state <> 'CLOSED' and (coalesce(severity in ('high', 'critical'), false) or 'CVE' = any (event_types))
      and not 'final_report' = any (deadlines_met)
    then (coalesce(aware_at, created_at) at time zone 'UTC' + interval '1 month') at time zone 'UTC' end
)) stored;

-- As migrations 0026, 0027 and 0031 made them.
create index case_by_due on abuse_case (tenant_id, due_at, id)
  include (state, created_at, customer_id, contract_id, case_group_id)
  where due_at is not null;
create index case_by_created on abuse_case (tenant_id, created_at, id)
  include (state, customer_id, contract_id, case_group_id, due_at);
create index case_by_first_event on abuse_case (tenant_id, first_event_date, id)
  include (state, created_at, customer_id, contract_id, case_group_id, due_at);
create index case_by_state on abuse_case (tenant_id, state, created_at, id)
  include (customer_id, contract_id, case_group_id, due_at);
create index case_by_customer on abuse_case (tenant_id, customer_id, created_at, id)
  include (state, contract_id, case_group_id, due_at);
create index case_by_group on abuse_case (tenant_id, case_group_id, created_at, id)
  include (state, customer_id, contract_id, due_at);
create index case_by_contract on abuse_case (tenant_id, contract_id, created_at, id)
  include (state, customer_id, case_group_id, due_at)
  where contract_id is not null;
create index case_due_by_week on abuse_case (tenant_id, (floor(extract(epoch from created_at at time zone 'UTC') / 604800)), due_at)
  include (id, created_at, state, customer_id, contract_id, case_group_id)
  where due_at is not null;
