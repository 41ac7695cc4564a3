-- What the date of the last event was before the last addition (null: there was none). A statement that has waited for the row gives back what it
-- wrote, and not what stood there; with this, it need not lock and read each case before it changes it.
alter table abuse_case add column former_last_event_date timestamptz(3);
-- A changed row that finds no room beside the old one goes through every index: of ten changes a case 6 of 100 at 80 %, 1 at 65 % (measured).
alter table abuse_case set (fillfactor = 65);
