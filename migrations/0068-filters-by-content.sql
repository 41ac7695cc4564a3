-- Cases and events by what was reported: address, range, domain, reporter, type and words. Every index holds the case behind the value, so that the
-- cases of a value are read one after the other, whatever number of events each has. Comparisons are `>=` and `<=`, also for ranges.

create index event_case_by_ip on event (tenant_id, (ip::inet), case_id) where ip is not null;
-- Backwards, so that a domain and all names below it lie side by side.
create index event_case_by_domain on event (tenant_id, reverse(domain), case_id) where domain is not null;
create index event_case_by_sender on event (tenant_id, lower(sender_email), case_id);

-- The types of a case are few, and all of them are in its row.
create index case_by_event_type on abuse_case using gin (event_types);

-- The words of the texts in the details of an event (its URL among them), and of comments. In the row's own transaction, so that an erasure,
-- a removal or a correction needs nothing else.
create index event_by_word on event using gin (jsonb_to_tsvector('simple', details, '["string"]')) where details is not null;
create index case_comment_by_word on case_comment using gin (to_tsvector('simple', text));
