-- The timeline of a case reads its visits in their order, a page at a time.
create index visit_of_case on visit (tenant_id, case_id, left_at);
