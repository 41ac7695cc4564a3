-- From a report to its events and from a case to its reports. Pushed events have no report and cost nothing here.

drop index event_by_report;
create index event_by_report on event (tenant_id, report_id, event_date, event_id)
  include (event_type, sender_email, domain, ip, resolved, customer_id)
  where report_id is not null;
create index event_report_by_case on event (tenant_id, case_id, report_id)
  where case_id is not null and report_id is not null;

-- Events of earlier reports that this report held again; null for most reports.
alter table report add column repeated_event_ids uuid[];
