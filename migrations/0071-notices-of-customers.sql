-- The limit of a day counts the notices to any contact of a customer (notice-limits-store.ts).
create index notice_by_customer on notice (tenant_id, customer_id, created_at) where customer_id is not null;
