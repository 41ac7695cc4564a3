-- The audit log: a chain of hashes for each tenant, and one of the instance, whose tenant_id is `*`, which no tenant can be called.

create table audit_key (
  -- Part of the SHA-256 of the public key.
  id text collate "C" primary key,
  public_key bytea not null,
  -- The private key and the key of the digests, sealed with a key that is not in the database.
  secret_key_id text collate "C" not null,
  sealed bytea not null,
  -- To the microsecond: rows of the present transaction are told from older ones by it.
  created_at timestamptz not null default now()
);

-- The last entry of each chain; the row is locked while an entry is added.
create table audit_head (
  tenant_id text collate "C" primary key,
  seq bigint not null,
  hash bytea not null
);

-- Holds no text about people: those are in audit_detail, and here as keyed digests.
create table audit_entry (
  tenant_id text collate "C" not null,
  seq bigint not null,
  at timestamptz(3) not null,
  act text collate "C" not null,
  object_id text collate "C" not null,
  actor_kind text collate "C" not null,
  actor_id text collate "C" not null,
  request_id text collate "C",
  -- Of the digests; null when the process had no key, and then there are none.
  key_id text collate "C",
  before_digest bytea,
  after_digest bytea,
  origin_digest bytea,
  -- Of the entry and of the hash before it.
  hash bytea not null,
  primary key (tenant_id, seq)
);

create index audit_entry_by_act on audit_entry (tenant_id, act, seq);
create index audit_entry_by_object on audit_entry (tenant_id, object_id, seq);
create index audit_entry_by_actor on audit_entry (tenant_id, actor_id, seq);

-- What erasure and retention reach.
create table audit_detail (
  tenant_id text collate "C" not null,
  seq bigint not null,
  -- Part of what the digests are of, so that nothing can be guessed from a digest once it is gone.
  salt bytea not null,
  -- Where the id in the chain is a digest.
  object_name text,
  actor_name text,
  address text,
  before jsonb,
  after jsonb,
  -- When it was changed or emptied, which only an erasure does.
  erased_at timestamptz(3),
  primary key (tenant_id, seq)
);

create table audit_checkpoint (
  tenant_id text collate "C" not null,
  seq bigint not null,
  -- `regular`, or `retention`: the entries up to it were removed at their age.
  kind text collate "C" not null,
  at timestamptz(3) not null,
  -- Of the entry of that number.
  hash bytea not null,
  key_id text collate "C" not null,
  signature bytea not null,
  primary key (tenant_id, seq, kind)
);

create function refuse_audit_change() returns trigger language plpgsql as $$
declare
  has_rows boolean;
begin
  if tg_op = 'DELETE' and current_setting('casework.audit_forget', true) = 'on' then
    return null;
  end if;
  -- A restore empties the tables of a database that was never used.
  if tg_op = 'TRUNCATE' then
    execute format('select exists (select from %I.%I)', tg_table_schema, tg_table_name) into has_rows;
    if not has_rows then
      return null;
    end if;
  end if;
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'insufficient_privilege';
end
$$;

create trigger audit_entry_stays before update or delete or truncate on audit_entry
  for each statement execute function refuse_audit_change();
create trigger audit_checkpoint_stays before update or delete or truncate on audit_checkpoint
  for each statement execute function refuse_audit_change();

create function mark_audit_erasure() returns trigger language plpgsql as $$
begin
  new.erased_at := coalesce(old.erased_at, now());
  return new;
end
$$;

create trigger audit_detail_is_marked before update on audit_detail
  for each row execute function mark_audit_erasure();

-- The only way out of the chain: what a signed checkpoint of retention covers. Returns the number of entries.
create function forget_audit(chain text, through_seq bigint) returns bigint language plpgsql as $$
declare
  gone bigint;
begin
  if not exists (
    select from audit_checkpoint where tenant_id = chain and seq = through_seq and kind = 'retention'
  ) then
    raise exception 'no checkpoint of retention is at entry % of %', through_seq, chain using errcode = 'insufficient_privilege';
  end if;
  perform set_config('casework.audit_forget', 'on', true);
  delete from audit_entry where tenant_id = chain and seq <= through_seq;
  get diagnostics gone = row_count;
  delete from audit_checkpoint where tenant_id = chain 
    and (seq < through_seq or (seq = through_seq and kind <> 'retention'));
  perform set_config('casework.audit_forget', '', true);
  delete from audit_detail where tenant_id = chain and seq <= through_seq;
  return gone;
end
$$;
