-- An Idempotency-Key belongs to one operation: pushes of events and reports have keys too now, and a client may use one key for several.
alter table kept_answer add column operation text collate "C" not null default 'changeCases';
alter table kept_answer alter column operation drop default;
alter table kept_answer drop constraint kept_answer_pkey;
alter table kept_answer add primary key (tenant_id, token_id, operation, key);
