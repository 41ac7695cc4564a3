-- What the search of a desk finds beside the values of events (migration 0068).

create index customer_by_word on customer using gin (to_tsvector('simple', id || ' ' || coalesce(name, '')));
create index customer_by_contact on customer using gin (contacts jsonb_path_ops);
-- Words that many comments have are read in the order of the comments.
create index case_comment_by_id on case_comment (tenant_id, id);
-- The id that a reporter gave a report, and the mail that brought it.
create index report_by_reporter_id on report (tenant_id, reporter_report_id) where reporter_report_id is not null;
create index report_by_message on report (tenant_id, message_id) where message_id is not null;

-- Parts of words in the names of customers, where the database has the extension and lets this role create it. Without it, words are found by
-- their beginnings.
do $$
begin
  if exists (select from pg_available_extensions where name = 'pg_trgm') then
    create extension if not exists pg_trgm;
    create index customer_by_part on customer using gin (lower(id || ' ' || coalesce(name, '')) gin_trgm_ops);
  end if;
exception when insufficient_privilege or undefined_object or feature_not_supported then
  null;
end $$;
