-- Whether the planner's statistics of the tables that an erasure changed are still to be made anew:
-- they contain values of these tables. True from the end of the erasure until that is done.

alter table erasure add column statistics_due boolean not null default false;
create index erasure_statistics_due on erasure (id) where statistics_due;
