-- The searches of the list of reports, by reporter and by text. The expressions are those of casework/reports/report-filter-store.ts, without
-- `coalesce` (0091).

create index report_by_sender on report (
  tenant_id,
  lower(case when envelope_from is null or envelope_from = '' then fallback_reporter else envelope_from end),
  id
);

-- Parts of texts, where the database has the extension (0070). Without it the reports of the tenant are read in their order.
do $$
begin
  if exists (select from pg_extension where extname = 'pg_trgm') then
    create index report_by_part on report using gin (lower(
      case when reason is null then '' else reason end
        || ' ' || case when message_id is null then '' else message_id end
        || ' ' || case when reporter_report_id is null then '' else reporter_report_id end
        || ' ' || case when envelope_from is null then '' else envelope_from end
        || ' ' || case when fallback_reporter is null then '' else fallback_reporter end
    ) gin_trgm_ops);
  end if;
exception when insufficient_privilege or undefined_object or feature_not_supported then
  null;
end $$;
