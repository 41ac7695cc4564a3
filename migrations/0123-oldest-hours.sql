-- Lists from the oldest event on begin with the hours of arrival that have the oldest events (0029), and so look into few months.

create index event_hour_by_first on event_hour (tenant_id, first_event_date, from_id);
