-- Answers to requests with an Idempotency-Key, kept for 24 hours, so that a repeat does nothing and says the same. Keys of different API
-- tokens do not meet. Written first and filled in the transaction of the act: who comes second waits for the first.
create table kept_answer (
  tenant_id text collate "C" not null references tenant (id),
  token_id text collate "C" not null,
  key text collate "C" not null,
  -- Of what was asked: another question under the same key is refused.
  request_hash text collate "C" not null,
  answer jsonb,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, token_id, key)
);
create index kept_answer_age on kept_answer (tenant_id, created_at);
