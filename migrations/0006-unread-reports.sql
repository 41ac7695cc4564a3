-- Reports that were kept and never read, since the process ended or the database failed in between: the sweep that reads them later
-- finds none at no cost. The sentence is the one of src/casework/reports/report-store.ts.
create index report_unread on report (id) where reason = 'The report has not been read yet.';
