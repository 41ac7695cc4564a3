-- Due notices by tenant: a claim looks at each tenant that has some, and a long backlog of one does not slow down the others.

drop index notice_due;
create index notice_due on notice (tenant_id, wake_at) where state = 'waiting';
