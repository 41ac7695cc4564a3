-- The reports about an item, one after the other, without reading all events of each; then the newest events of each. Pushed events
-- have no report and cost nothing here.

create index event_report_by_ip on event (tenant_id, ip, report_id, event_date, event_id)
  where ip is not null and report_id is not null;
create index event_report_by_domain on event (tenant_id, domain, report_id, event_date, event_id)
  where domain is not null and report_id is not null;
