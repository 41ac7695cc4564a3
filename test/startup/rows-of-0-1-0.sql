-- Rows for a database of 0.1.0 (migrations 0001 to 0031), as its program would have written them. test/startup/upgrade-crash.test.ts upgrades them.

insert into tenant (id, name) values ('default', 'Default'), ('other', 'Other') on conflict do nothing;

insert into api_token (id, token_hash, name, tenant_id, scopes)
select 'tok_' || nth, sha256(('token ' || nth)::bytea), 'Token ' || nth, case when nth % 2 = 0 then 'default' else 'other' end, '{casework:read}'
from generate_series(1, 50) as nth;

insert into customer (tenant_id, id, name, contacts)
select tenant.id, 'customer-' || nth, 'Customer ' || nth, jsonb_build_array(jsonb_build_object('email', 'abuse-' || nth || '@customer.example'))
from tenant, generate_series(1, 200) as nth;

insert into contract (tenant_id, id, customer_id)
select tenant_id, 'contract-of-' || id, id from customer;

insert into resource (tenant_id, id, kind, value, customer_id, contract_id, valid_from, valid_until)
select tenant_id, gen_random_uuid(), 'domain', id || '.example', customer_id, id, '2026-01-01', '2027-01-01' from contract;

insert into case_group (tenant_id, id, position, name, description, is_enabled, key_fields)
select tenant.id, 'group-' || nth, 100 + nth, 'Group ' || nth, 'Of the rows of 0.1.0', true, '{ip}' from tenant, generate_series(1, 3) as nth;

insert into playbook (tenant_id, id, name, latest_version)
select tenant.id, md5(tenant.id || nth)::uuid, 'Playbook ' || nth, 1 from tenant, generate_series(1, 5) as nth;

insert into playbook_version (tenant_id, playbook_id, version, state, graph, start_node)
select tenant_id, id, 1, 'active', '{"nodes": {"begin": {"type": "start"}}, "edges": []}', 'begin' from playbook;

insert into abuse_case (
  tenant_id, id, case_group_id, key_hash, state, created_at, updated_at, customer_id, first_event_date, last_event_date, event_count,
  event_types, event_ips, event_reporters, event_tags, ended_at, close_reason)
select tenant.id, 'C-' || nth, 'group-1', sha256(nth::text::bytea), case when nth % 3 = 0 then 'CLOSED' else 'NEW' end, '2026-11-01', '2026-11-02',
  'customer-' || 1 + nth % 200, '2026-11-01', '2026-11-02', 5, '{spam}', array['192.0.2.' || nth % 256], '{reporter@example.org}', '{}',
  case when nth % 3 = 0 then timestamptz '2026-11-03' end, case when nth % 3 = 0 then 'expired' end
from tenant, generate_series(1, 200) as nth;

insert into case_slot (tenant_id, case_group_id, key_hash, case_id)
select tenant_id, case_group_id, key_hash, id from abuse_case where ended_at is null;

insert into event (
  tenant_id, event_id, create_date, event_date, event_type, sender_email, ip, resolved, customer_id, case_id, event_subtypes, tags, details)
select tenant_id, md5(tenant_id || id || nth)::uuid, created_at, created_at, 'spam', 'reporter@example.org', event_ips[1], false, customer_id, id, '{}', '{}',
  jsonb_build_object('nth', nth)
from abuse_case, generate_series(1, 5) as nth;

insert into case_history (tenant_id, case_id, id, at, kind, actor_kind, actor, to_state)
select tenant_id, id, md5(tenant_id || id)::uuid, created_at, 'created', 'system', 'ingest', 'NEW' from abuse_case;

insert into case_comment (tenant_id, case_id, id, text, author, created_at)
select tenant_id, id, md5('comment' || tenant_id || id)::uuid, 'A comment of ' || id, 'tok_1', created_at from abuse_case;

insert into report_raw (tenant_id, sha256, bytes)
select tenant.id, sha256(('report ' || nth)::bytea), ('report ' || nth)::bytea from tenant, generate_series(1, 100) as nth;

insert into report (tenant_id, id, received_at, media_type, byte_length, sha256, state, received_by)
select tenant_id, md5(tenant_id || encode(sha256, 'hex'))::uuid, '2026-11-01', 'text/plain', length(bytes), sha256, 'accepted', 'tok_1' from report_raw;

insert into run (tenant_id, id, case_id, playbook_id, version, state)
select tenant_id, md5('run' || tenant_id || id)::uuid, id, md5(tenant_id || 1)::uuid, 1, case when ended_at is null then 'active' else 'ended' end from abuse_case;

insert into run_token (tenant_id, run_id, id, case_id, state, node)
select tenant_id, id, 1, case_id, case state when 'active' then 'waiting' else 'done' end, 'begin' from run;

insert into intel_source (kind, name) values ('honeypot', 'trap'), ('mail-blocklist', 'desk');

insert into sighting (subject, source_id, service, type, first_seen, last_seen, count)
select '198.51.100.' || nth, (select id from intel_source where name = 'trap'), 'ssh', 'login', '2026-11-01', '2026-11-02', 3 from generate_series(0, 255) as nth;

insert into listing (subject, source_id, name, is_active, first_seen, last_seen)
select '203.0.113.' || nth, (select id from intel_source where name = 'desk'), 'list', true, '2026-11-01', '2026-11-02' from generate_series(0, 255) as nth;
