-- The demo: tenants with made-up data, which send nothing to anybody, and what of the instance it made beside them.

alter table tenant add column is_demo boolean not null default false;

-- People, sources and tags that belong to the instance. The removal of the demo deletes these and no others.
create table demo_record (
  kind text collate "C" not null check (kind in ('user', 'source', 'tag')),
  id text collate "C" not null,
  primary key (kind, id)
);

-- The audit log of a demo tells made-up acts. It goes with its tenant; that of no other tenant does.
create function forget_demo_audit(chain text) returns void language plpgsql as $$
begin
  if not exists (select from tenant where id = chain and is_demo) then
    raise exception '% is no tenant of the demo', chain using errcode = 'insufficient_privilege';
  end if;
  perform set_config('casework.audit_forget', 'on', true);
  delete from audit_entry where tenant_id = chain;
  delete from audit_checkpoint where tenant_id = chain;
  perform set_config('casework.audit_forget', '', true);
  delete from audit_detail where tenant_id = chain;
  delete from audit_head where tenant_id = chain;
end
$$;
