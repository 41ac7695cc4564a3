-- Which table of facts a push wrote to. A copy of the set that follows the change log then reads that table only: what the others say of
-- the changed subjects it knows already. Null, as of pushes before this column: any of them.

alter table intel_push add column fact_table text;
