-- A mailbox to which nobody complains: every mail to it is spam, and is itself the complaint.

alter table report_address add column is_trap boolean not null default false;
create index report_address_by_tenant on report_address (tenant_id, is_trap desc, address);
