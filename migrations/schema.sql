-- The sum of the migrations. Made by "npm run write"; nothing runs it. The monthly partitions of a
-- table are left out, and so is pg-boss, which keeps a schema of its own.

create table abuse_case (
  tenant_id text not null,
  id text not null,
  case_group_id text not null,
  key_hash bytea not null,
  state text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  customer_id text not null,
  contract_id text,
  first_event_date timestamptz(3) not null,
  last_event_date timestamptz(3) not null,
  event_count bigint not null,
  event_types text[] not null,
  event_ips text[] not null,
  event_reporters text[] not null,
  event_tags text[] not null,
  resolution text,
  close_reason text,
  resolved_at timestamptz(3),
  ended_at timestamptz(3),
  reopen_count integer not null default 0,
  severity text,
  assignee_user_id text,
  metadata jsonb not null default '{}'::jsonb,
  linked_case_id text,
  waiting_on text not null default 'none'::text,
  customer_status text not null default 'unnotified'::text,
  tags text[] not null default '{}'::text[],
  aware_at timestamptz(3),
  deadline_at timestamptz(3),
  deadlines_met text[] not null default '{}'::text[],
  merged_into text,
  sealed_at timestamptz(3),
  former_last_event_date timestamptz(3),
  run_waits_for text,
  laws text[] not null default '{}'::text[],
  due_at timestamptz(3) generated always as (LEAST(
CASE
    WHEN ended_at IS NULL THEN deadline_at
    ELSE NULL::timestamptz
END,
CASE
    WHEN ('dsa'::text = ANY (laws)) AND ended_at IS NULL AND NOT ('receipt'::text = ANY (deadlines_met)) THEN (((COALESCE(aware_at, created_at) AT TIME ZONE 'UTC'::text) + '24:00:00'::interval) AT TIME ZONE 'UTC'::text)
    ELSE NULL::timestamptz
END,
CASE
    WHEN ('dsa'::text = ANY (laws)) AND state <> 'CLOSED'::text AND ('ChildAbuse'::text = ANY (event_types)) AND NOT ('authority_notice'::text = ANY (deadlines_met)) THEN (((COALESCE(aware_at, created_at) AT TIME ZONE 'UTC'::text) + '24:00:00'::interval) AT TIME ZONE 'UTC'::text)
    ELSE NULL::timestamptz
END,
CASE
    WHEN ('nis2'::text = ANY (laws)) AND state <> 'CLOSED'::text AND (COALESCE(severity = ANY (ARRAY['high'::text, 'critical'::text]), false) OR ('CVE'::text = ANY (event_types))) AND NOT ('early_warning'::text = ANY (deadlines_met)) THEN (((COALESCE(aware_at, created_at) AT TIME ZONE 'UTC'::text) + '24:00:00'::interval) AT TIME ZONE 'UTC'::text)
    ELSE NULL::timestamptz
END,
CASE
    WHEN ('nis2'::text = ANY (laws)) AND state <> 'CLOSED'::text AND (COALESCE(severity = ANY (ARRAY['high'::text, 'critical'::text]), false) OR ('CVE'::text = ANY (event_types))) AND NOT ('incident_notification'::text = ANY (deadlines_met)) THEN (((COALESCE(aware_at, created_at) AT TIME ZONE 'UTC'::text) + '72:00:00'::interval) AT TIME ZONE 'UTC'::text)
    ELSE NULL::timestamptz
END,
CASE
    WHEN ('nis2'::text = ANY (laws)) AND state <> 'CLOSED'::text AND (COALESCE(severity = ANY (ARRAY['high'::text, 'critical'::text]), false) OR ('CVE'::text = ANY (event_types))) AND NOT ('final_report'::text = ANY (deadlines_met)) THEN (((COALESCE(aware_at, created_at) AT TIME ZONE 'UTC'::text) + '1 mon'::interval) AT TIME ZONE 'UTC'::text)
    ELSE NULL::timestamptz
END)) stored,
  constraint abuse_case_pkey primary key (tenant_id, id),
  constraint abuse_case_check check ((state = ANY (ARRAY['NEW'::text, 'IN_PROGRESS'::text])) = (ended_at IS NULL)),
  constraint abuse_case_check1 check ((state = 'RESOLVED'::text) <= (resolution IS NOT NULL AND resolved_at IS NOT NULL)),
  constraint abuse_case_check2 check ((state = 'CLOSED'::text) = (close_reason IS NOT NULL)),
  constraint abuse_case_check3 check (waiting_on = 'none'::text OR ended_at IS NULL),
  constraint abuse_case_check4 check (merged_into IS NULL OR close_reason = 'merged'::text),
  constraint abuse_case_customer_status_check check (customer_status = ANY (ARRAY['unnotified'::text, 'notified'::text, 'seen'::text, 'claims_fixed'::text, 'disputed'::text, 'bounced'::text])),
  constraint abuse_case_severity_check check (severity = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'critical'::text])),
  constraint abuse_case_state_check check (state = ANY (ARRAY['NEW'::text, 'IN_PROGRESS'::text, 'RESOLVED'::text, 'CLOSED'::text])),
  constraint abuse_case_waiting_on_check check (waiting_on = ANY (ARRAY['none'::text, 'agent'::text, 'customer'::text, 'reporter'::text, 'third_party'::text, 'timer'::text]))
);

create index case_by_assignee ON abuse_case USING btree (tenant_id, assignee_user_id, created_at, id) INCLUDE (state, customer_id, contract_id, case_group_id) WHERE (assignee_user_id IS NOT NULL);

create index case_by_contract ON abuse_case USING btree (tenant_id, contract_id, created_at, id) INCLUDE (state, customer_id, case_group_id, due_at) WHERE (contract_id IS NOT NULL);

create index case_by_created ON abuse_case USING btree (tenant_id, created_at, id) INCLUDE (state, customer_id, contract_id, case_group_id, due_at);

create index case_by_customer ON abuse_case USING btree (tenant_id, customer_id, created_at, id) INCLUDE (state, contract_id, case_group_id, due_at);

create index case_by_due ON abuse_case USING btree (tenant_id, due_at, id) INCLUDE (state, created_at, customer_id, contract_id, case_group_id) WHERE (due_at IS NOT NULL);

create index case_by_end ON abuse_case USING btree (tenant_id, ended_at, id) WHERE (ended_at IS NOT NULL);

create index case_by_ended_key ON abuse_case USING btree (tenant_id, case_group_id, key_hash, ended_at) WHERE (ended_at IS NOT NULL);

create index case_by_event_type ON abuse_case USING gin (event_types);

create index case_by_first_event ON abuse_case USING btree (tenant_id, first_event_date, id) INCLUDE (state, created_at, customer_id, contract_id, case_group_id, due_at);

create index case_by_group ON abuse_case USING btree (tenant_id, case_group_id, created_at, id) INCLUDE (state, customer_id, contract_id, due_at);

create index case_by_merge ON abuse_case USING btree (tenant_id, merged_into) WHERE (merged_into IS NOT NULL);

create index case_by_severity ON abuse_case USING btree (tenant_id, severity, created_at, id) INCLUDE (state, customer_id, contract_id, case_group_id) WHERE (severity IS NOT NULL);

create index case_by_state ON abuse_case USING btree (tenant_id, state, created_at, id) INCLUDE (customer_id, contract_id, case_group_id, due_at);

create index case_by_tag ON abuse_case USING gin (tags) WHERE (tags <> '{}'::text[]);

create index case_by_waiting ON abuse_case USING btree (tenant_id, waiting_on, created_at, id) INCLUDE (state, customer_id, contract_id, case_group_id) WHERE (waiting_on <> 'none'::text);

create index case_due_by_week ON abuse_case USING btree (tenant_id, floor((EXTRACT(epoch FROM (created_at AT TIME ZONE 'UTC'::text)) / (604800)::numeric)), due_at) INCLUDE (id, created_at, state, customer_id, contract_id, case_group_id) WHERE (due_at IS NOT NULL);

alter table abuse_case enable row level security;

alter table abuse_case force row level security;

create policy rows_of_tenants on abuse_case using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table account_mail (
  id uuid not null,
  kind text not null,
  user_id text,
  invited_to text,
  language text not null,
  created_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  attempts integer not null default 0,
  constraint account_mail_pkey primary key (id),
  constraint account_mail_kind_check check (kind = ANY (ARRAY['invitation'::text, 'reset'::text])),
  constraint account_mail_language_check check (language = ANY (ARRAY['en'::text, 'de'::text])),
  constraint account_mail_of_invitation check ((kind = 'invitation'::text) = (invited_to IS NOT NULL))
);

create index account_mail_due ON account_mail USING btree (due_at);

create table allowance (
  subject text not null,
  source_id integer not null,
  name text not null,
  is_active boolean not null,
  reason text,
  first_seen timestamptz(3) not null,
  last_seen timestamptz(3) not null,
  expires_at timestamptz(3),
  constraint allowance_pkey primary key (subject, source_id, name)
);

create table api_token (
  id text not null,
  token_hash bytea not null,
  name text not null,
  tenant_id text not null,
  scopes text[] not null,
  contact_email text,
  is_bootstrap boolean not null default false,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  changed_serial bigint not null default 0,
  roles text[] not null default '{}'::text[],
  networks text[],
  owner_user_id text,
  service_account_id text,
  former_hash bytea,
  former_until timestamptz(3),
  rotated_at timestamptz(3),
  is_personal boolean not null default false,
  constraint api_token_pkey primary key (id),
  constraint api_token_former check ((former_hash IS NULL) = (former_until IS NULL)),
  constraint api_token_one_owner check (owner_user_id IS NULL OR service_account_id IS NULL),
  constraint api_token_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id),
  constraint api_token_former_hash_key unique (former_hash),
  constraint api_token_token_hash_key unique (token_hash)
);

create index api_token_changed ON api_token USING btree (changed_serial);

create index api_token_live ON api_token USING btree (tenant_id, expires_at) WHERE (revoked_at IS NULL);

create index api_token_of_service_account ON api_token USING btree (tenant_id, service_account_id) WHERE ((service_account_id IS NOT NULL) AND (revoked_at IS NULL));

create index api_token_of_user ON api_token USING btree (owner_user_id) WHERE ((owner_user_id IS NOT NULL) AND (revoked_at IS NULL));

alter table api_token enable row level security;

alter table api_token force row level security;

create policy rows_of_tenants on api_token using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table api_token_serial (
  id integer not null,
  serial bigint not null,
  constraint api_token_serial_pkey primary key (id),
  constraint api_token_serial_id_check check (id = 1)
);

create table audit_checkpoint (
  tenant_id text not null,
  seq bigint not null,
  kind text not null,
  at timestamptz(3) not null,
  hash bytea not null,
  key_id text not null,
  signature bytea not null,
  constraint audit_checkpoint_pkey primary key (tenant_id, seq, kind)
);

create trigger audit_checkpoint_stays BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_checkpoint FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

alter table audit_checkpoint enable row level security;

alter table audit_checkpoint force row level security;

create policy rows_of_tenants on audit_checkpoint using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table audit_detail (
  tenant_id text not null,
  seq bigint not null,
  salt bytea not null,
  object_name text,
  actor_name text,
  address text,
  before jsonb,
  after jsonb,
  erased_at timestamptz(3),
  constraint audit_detail_pkey primary key (tenant_id, seq)
);

create trigger audit_detail_is_marked BEFORE UPDATE ON audit_detail FOR EACH ROW EXECUTE FUNCTION mark_audit_erasure();

alter table audit_detail enable row level security;

alter table audit_detail force row level security;

create policy rows_of_tenants on audit_detail using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table audit_entry (
  tenant_id text not null,
  seq bigint not null,
  at timestamptz(3) not null,
  act text not null,
  object_id text not null,
  actor_kind text not null,
  actor_id text not null,
  request_id text,
  key_id text,
  before_digest bytea,
  after_digest bytea,
  origin_digest bytea,
  hash bytea not null,
  constraint audit_entry_pkey primary key (tenant_id, seq)
);

create index audit_entry_by_act ON audit_entry USING btree (tenant_id, act, seq);

create index audit_entry_by_actor ON audit_entry USING btree (tenant_id, actor_id, seq);

create index audit_entry_by_object ON audit_entry USING btree (tenant_id, object_id, seq);

create trigger audit_entry_stays BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

alter table audit_entry enable row level security;

alter table audit_entry force row level security;

create policy rows_of_tenants on audit_entry using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table audit_head (
  tenant_id text not null,
  seq bigint not null,
  hash bytea not null,
  constraint audit_head_pkey primary key (tenant_id)
);

alter table audit_head enable row level security;

alter table audit_head force row level security;

create policy rows_of_tenants on audit_head using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table audit_key (
  id text not null,
  public_key bytea not null,
  secret_key_id text not null,
  sealed bytea not null,
  created_at timestamptz not null default now(),
  constraint audit_key_pkey primary key (id)
);

create table bulk_change (
  tenant_id text not null,
  id uuid not null,
  at timestamptz(3) not null,
  has_move boolean not null,
  has_comment boolean not null,
  undone jsonb,
  constraint bulk_change_pkey primary key (tenant_id, id),
  constraint bulk_change_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

create index bulk_change_at ON bulk_change USING btree (at);

alter table bulk_change enable row level security;

alter table bulk_change force row level security;

create policy rows_of_tenants on bulk_change using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table bulk_change_case (
  tenant_id text not null,
  bulk_change_id uuid not null,
  case_id text not null,
  changes jsonb not null,
  move jsonb,
  constraint bulk_change_case_pkey primary key (tenant_id, bulk_change_id, case_id),
  constraint bulk_change_case_tenant_id_bulk_change_id_fkey foreign key (tenant_id, bulk_change_id) REFERENCES bulk_change(tenant_id, id) ON DELETE CASCADE
);

create index bulk_change_case_case ON bulk_change_case USING btree (tenant_id, case_id);

alter table bulk_change_case enable row level security;

alter table bulk_change_case force row level security;

create policy rows_of_tenants on bulk_change_case using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table calendar (
  tenant_id text not null,
  name text not null,
  settings jsonb not null,
  updated_at timestamptz(3) not null default now(),
  constraint calendar_pkey primary key (tenant_id, name),
  constraint calendar_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

alter table calendar enable row level security;

alter table calendar force row level security;

create policy rows_of_tenants on calendar using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table case_comment (
  tenant_id text not null,
  case_id text not null,
  id uuid not null,
  text text not null,
  author text not null,
  created_at timestamptz(3) not null,
  party text,
  is_automatic boolean not null default false,
  quoted text,
  report_id uuid,
  attachments jsonb,
  author_user_id text,
  constraint case_comment_pkey primary key (tenant_id, case_id, id),
  constraint case_comment_party_check check (party = ANY (ARRAY['customer'::text, 'reporter'::text, 'other'::text]))
);

create index case_comment_by_id ON case_comment USING btree (tenant_id, id);

create index case_comment_by_word ON case_comment USING gin (to_tsvector('simple'::regconfig, text));

create index case_comment_of_report ON case_comment USING btree (tenant_id, report_id) WHERE (report_id IS NOT NULL);

alter table case_comment enable row level security;

alter table case_comment force row level security;

create policy rows_of_tenants on case_comment using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table case_group (
  tenant_id text not null,
  id text not null,
  position integer not null,
  name text not null,
  description text not null,
  is_enabled boolean not null,
  xarf_classes text[],
  key_fields text[] not null,
  playbook_id uuid,
  condition text,
  threshold_events integer not null default 1,
  threshold_reporters integer not null default 1,
  threshold_window_seconds integer,
  max_age_seconds integer,
  max_gap_seconds integer,
  relapse text not null default 'link'::text,
  relapse_window_seconds integer,
  late_event text not null default 'attach'::text,
  severity text,
  severity_rules jsonb,
  constraint case_group_pkey primary key (tenant_id, id),
  constraint case_group_late_event_check check (late_event = ANY (ARRAY['attach'::text, 'open_case'::text])),
  constraint case_group_max_age_seconds_check check (max_age_seconds > 0),
  constraint case_group_max_gap_seconds_check check (max_gap_seconds > 0),
  constraint case_group_relapse_check check (relapse = ANY (ARRAY['reopen'::text, 'link'::text, 'new'::text, 'attach_only'::text])),
  constraint case_group_relapse_window_seconds_check check (relapse_window_seconds > 0),
  constraint case_group_severity_check check (severity = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'critical'::text])),
  constraint case_group_threshold_events_check check (threshold_events > 0),
  constraint case_group_threshold_reporters_check check (threshold_reporters > 0),
  constraint case_group_threshold_window_seconds_check check (threshold_window_seconds > 0),
  constraint case_group_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id),
  constraint case_group_tenant_id_position_key unique (tenant_id, "position")
);

alter table case_group enable row level security;

alter table case_group force row level security;

create policy rows_of_tenants on case_group using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table case_history (
  tenant_id text not null,
  case_id text not null,
  id uuid not null,
  at timestamptz(3) not null,
  kind text not null,
  actor_kind text not null,
  actor text not null,
  from_state text,
  to_state text,
  reason text,
  cause_id text,
  changes jsonb,
  constraint case_history_pkey primary key (tenant_id, case_id, id),
  constraint case_history_actor_kind_check check (actor_kind = ANY (ARRAY['token'::text, 'run'::text, 'system'::text]))
) partition by range (id);

alter table case_history enable row level security;

alter table case_history force row level security;

create policy rows_of_tenants on case_history using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table case_last_event (
  tenant_id text not null,
  last_event_date timestamptz(3) not null,
  id text not null,
  state text not null,
  created_at timestamptz(3) not null,
  customer_id text not null,
  contract_id text,
  case_group_id text not null,
  constraint case_last_event_pkey primary key (tenant_id, last_event_date, id) INCLUDE (state, created_at, customer_id, contract_id, case_group_id)
);

alter table case_last_event enable row level security;

alter table case_last_event force row level security;

create policy rows_of_tenants on case_last_event using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table case_merge (
  tenant_id text not null,
  id uuid not null,
  source_id text not null,
  target_id text not null,
  merged_at timestamptz(3) not null,
  unmerged_at timestamptz(3),
  event_count bigint not null,
  state text not null,
  resolution text,
  close_reason text,
  resolved_at timestamptz(3),
  ended_at timestamptz(3),
  waiting_on text not null,
  constraint case_merge_pkey primary key (tenant_id, id)
);

create unique index case_merge_standing ON case_merge USING btree (tenant_id, source_id) WHERE (unmerged_at IS NULL);

alter table case_merge enable row level security;

alter table case_merge force row level security;

create policy rows_of_tenants on case_merge using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table case_slot (
  tenant_id text not null,
  case_group_id text not null,
  key_hash bytea not null,
  case_id text not null,
  constraint case_slot_pkey primary key (tenant_id, case_group_id, key_hash)
);

alter table case_slot enable row level security;

alter table case_slot force row level security;

create policy rows_of_tenants on case_slot using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table change (
  tenant_id text not null,
  id bigint not null generated always as identity,
  kind text not null,
  what text not null,
  subject_id text not null,
  case_id text,
  actor_kind text not null,
  actor text not null,
  cause_id text,
  data jsonb,
  at timestamptz(3) not null,
  attempts smallint not null default 0,
  due_at timestamptz not null default now(),
  constraint change_pkey primary key (tenant_id, id),
  constraint change_kind_check check (kind = ANY (ARRAY['case'::text, 'event'::text, 'report'::text, 'run'::text]))
);

create index change_due ON change USING btree (due_at, id);

alter table change enable row level security;

alter table change force row level security;

create policy rows_of_tenants on change using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table change_listener (
  tenant_id text not null,
  listener text not null,
  kinds text[] not null,
  constraint change_listener_pkey primary key (tenant_id, listener),
  constraint change_listener_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

alter table change_listener enable row level security;

alter table change_listener force row level security;

create policy rows_of_tenants on change_listener using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table contact_check (
  email text not null,
  status text not null default 'UNKNOWN'::text,
  last_verification timestamptz(3),
  failures smallint not null default 0,
  recipient_status text,
  recipient_checked_at timestamptz(3),
  next_check_at timestamptz(3) not null,
  shown_at timestamptz(3),
  serial bigint not null default 0,
  constraint contact_check_pkey primary key (email),
  constraint contact_check_recipient_status_check check (recipient_status = ANY (ARRAY['OK'::text, 'RECIPIENT_FAILED'::text])),
  constraint contact_check_status_check check (status = ANY (ARRAY['UNKNOWN'::text, 'OK'::text, 'MX_FAILED'::text, 'CONNECTION_FAILED'::text, 'RECIPIENT_FAILED'::text]))
);

create index contact_check_due ON contact_check USING btree (next_check_at);

create index contact_check_serial ON contact_check USING btree (serial);

create table contact_domain (
  domain text not null,
  email text not null,
  source text not null,
  updated_at timestamptz(3) not null default now(),
  constraint contact_domain_pkey primary key (domain, source)
);

create table contact_range (
  range text not null,
  email text not null,
  source text not null,
  updated_at timestamptz(3) not null default now(),
  constraint contact_range_pkey primary key (range, source)
);

create table contact_serial (
  id integer not null,
  serial bigint not null,
  check_serial bigint not null default 0,
  constraint contact_serial_pkey primary key (id),
  constraint contact_serial_id_check check (id = 1)
);

create table contract (
  tenant_id text not null,
  id text not null,
  customer_id text not null,
  name text,
  valid_from timestamptz(3) not null default '-infinity'::timestamptz,
  valid_until timestamptz(3) not null default 'infinity'::timestamptz,
  metadata jsonb not null default '{}'::jsonb,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint contract_pkey primary key (tenant_id, id),
  constraint contract_check check (valid_from < valid_until),
  constraint contract_customer foreign key (tenant_id, customer_id) REFERENCES customer(tenant_id, id),
  constraint contract_tenant_id_customer_id_id_key unique (tenant_id, customer_id, id)
);

alter table contract enable row level security;

alter table contract force row level security;

create policy rows_of_tenants on contract using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table correlation_lock (
  tenant_id text not null,
  constraint correlation_lock_pkey primary key (tenant_id)
);

alter table correlation_lock enable row level security;

alter table correlation_lock force row level security;

create policy rows_of_tenants on correlation_lock using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table cursor_key (
  id integer not null,
  secret bytea not null,
  created_at timestamptz(3) not null default now(),
  constraint cursor_key_pkey primary key (id),
  constraint cursor_key_id_check check (id = 1),
  constraint cursor_key_secret_check check (length(secret) = 32)
);

create table customer (
  tenant_id text not null,
  id text not null,
  name text,
  parent_customer_id text,
  contacts jsonb not null default '[]'::jsonb,
  metadata jsonb not null default '{}'::jsonb,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint customer_pkey primary key (tenant_id, id),
  constraint customer_parent foreign key (tenant_id, parent_customer_id) REFERENCES customer(tenant_id, id),
  constraint customer_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

create index customer_by_contact ON customer USING gin (contacts jsonb_path_ops);

create index customer_by_parent ON customer USING btree (tenant_id, parent_customer_id, id) WHERE (parent_customer_id IS NOT NULL);

create index customer_by_part ON customer USING gin (lower(((id || ' '::text) ||
CASE
    WHEN (name IS NULL) THEN ''::text
    ELSE name
END)) gin_trgm_ops);

create index customer_by_word ON customer USING gin (to_tsvector('simple'::regconfig, ((id || ' '::text) ||
CASE
    WHEN (name IS NULL) THEN ''::text
    ELSE name
END)));

alter table customer enable row level security;

alter table customer force row level security;

create policy rows_of_tenants on customer using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table demo_record (
  kind text not null,
  id text not null,
  constraint demo_record_pkey primary key (kind, id),
  constraint demo_record_kind_check check (kind = ANY (ARRAY['user'::text, 'source'::text, 'tag'::text, 'filling'::text]))
);

create table device_code (
  id text not null,
  device_hash bytea not null,
  user_code_hash bytea not null,
  client_name text not null,
  address text,
  address_group text not null,
  scopes text[],
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  poll_seconds integer not null,
  last_polled_at timestamptz(3),
  decision text,
  user_id text,
  tenant_id text,
  constraint device_code_pkey primary key (id),
  constraint device_code_decided check ((decision IS NULL) = (user_id IS NULL) AND (decision IS NULL) = (tenant_id IS NULL)),
  constraint device_code_decision_check check (decision = ANY (ARRAY['approved'::text, 'denied'::text])),
  constraint device_code_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id),
  constraint device_code_user_id_fkey foreign key (user_id) REFERENCES user_account(id),
  constraint device_code_device_hash_key unique (device_hash),
  constraint device_code_user_code_hash_key unique (user_code_hash)
);

create index device_code_of_address ON device_code USING btree (address_group);

create index device_code_of_user ON device_code USING btree (user_id) WHERE (user_id IS NOT NULL);

create index device_code_old ON device_code USING btree (expires_at);

alter table device_code enable row level security;

alter table device_code force row level security;

create policy rows_of_tenants on device_code using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table erasure (
  tenant_id text not null,
  id uuid not null,
  replaced_by text not null,
  is_preview boolean not null,
  requested_by text not null,
  started_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  place jsonb not null,
  changed jsonb not null default '{}'::jsonb,
  kept jsonb not null default '{}'::jsonb,
  subjects text[] not null default '{}'::text[],
  repeats uuid[] not null default '{}'::uuid[],
  held jsonb not null default '{}'::jsonb,
  unsearched uuid[] not null default '{}'::uuid[],
  statistics_due boolean not null default false,
  constraint erasure_pkey primary key (tenant_id, id),
  constraint erasure_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

create index erasure_by_finish ON erasure USING btree (finished_at) WHERE ((finished_at IS NOT NULL) AND (NOT is_preview));

create index erasure_statistics_due ON erasure USING btree (id) WHERE statistics_due;

create unique index erasure_under_way ON erasure USING btree (tenant_id, replaced_by, is_preview) WHERE (finished_at IS NULL);

alter table erasure enable row level security;

alter table erasure force row level security;

create policy rows_of_tenants on erasure using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table event (
  tenant_id text not null,
  event_id uuid not null,
  create_date timestamptz(3) not null,
  event_date timestamptz(3) not null,
  event_type text not null,
  sender_email text not null,
  domain text,
  ip text,
  resolved boolean not null default false,
  customer_id text,
  contract_id text,
  case_id text,
  xarf_class text,
  recipient_email text,
  report_id uuid,
  reporter_report_id text,
  event_subtypes text[] not null,
  tags text[] not null,
  details jsonb,
  unassigned_cause text,
  merged_from text,
  mute_rule_id uuid,
  resolved_before boolean[],
  constraint event_pkey primary key (tenant_id, event_id) INCLUDE (event_date, event_type, sender_email, domain, ip, resolved, customer_id),
  constraint event_check check (contract_id IS NULL OR customer_id IS NOT NULL)
) partition by range (event_id);

create index event_by_case ON ONLY event USING btree (tenant_id, case_id, event_date, event_id) INCLUDE (event_type, sender_email, domain, ip, resolved, customer_id) WHERE (case_id IS NOT NULL);

create index event_by_cause ON ONLY event USING btree (tenant_id, unassigned_cause, event_date, event_id) WHERE (unassigned_cause IS NOT NULL);

create index event_by_cause_and_id ON ONLY event USING btree (tenant_id, unassigned_cause, event_id) WHERE (unassigned_cause IS NOT NULL);

create index event_by_customer ON ONLY event USING btree (tenant_id, customer_id, event_date, event_id) INCLUDE (event_type, sender_email, domain, ip, resolved) WHERE (customer_id IS NOT NULL);

create index event_by_date ON ONLY event USING btree (tenant_id, event_date, event_id) INCLUDE (event_type, sender_email, domain, ip, resolved, customer_id);

create index event_by_domain ON ONLY event USING btree (tenant_id, domain, event_date, event_id) WHERE (domain IS NOT NULL);

create index event_by_ip ON ONLY event USING btree (tenant_id, ip, event_date, event_id) WHERE (ip IS NOT NULL);

create index event_by_mute_rule ON ONLY event USING btree (tenant_id, mute_rule_id, event_id) WHERE (mute_rule_id IS NOT NULL);

create index event_by_origin ON ONLY event USING btree (tenant_id, case_id, merged_from) WHERE (merged_from IS NOT NULL);

create index event_by_report ON ONLY event USING btree (tenant_id, report_id, event_date, event_id) INCLUDE (event_type, sender_email, domain, ip, resolved, customer_id) WHERE (report_id IS NOT NULL);

create index event_by_resolved ON ONLY event USING btree (tenant_id, resolved, event_date, event_id);

create index event_by_resolved_and_id ON ONLY event USING btree (tenant_id, resolved, event_id);

create index event_by_type ON ONLY event USING btree (tenant_id, event_type, event_date, event_id) INCLUDE (sender_email, domain, ip, resolved, customer_id);

create index event_by_word ON ONLY event USING gin (jsonb_to_tsvector('simple'::regconfig, details, '["string"]'::jsonb)) WHERE (details IS NOT NULL);

create index event_case_by_domain ON ONLY event USING btree (tenant_id, reverse(domain), case_id) WHERE (domain IS NOT NULL);

create index event_case_by_ip ON ONLY event USING btree (tenant_id, ((ip)::inet), case_id) WHERE (ip IS NOT NULL);

create index event_case_by_sender ON ONLY event USING btree (tenant_id, lower(sender_email), case_id);

create index event_held_by_date ON ONLY event USING btree (tenant_id, event_date, event_id) WHERE ((case_id IS NULL) AND (mute_rule_id IS NULL) AND (unassigned_cause IS NULL));

create index event_held_by_id ON ONLY event USING btree (tenant_id, event_id) WHERE ((case_id IS NULL) AND (mute_rule_id IS NULL) AND (unassigned_cause IS NULL));

create index event_muted_by_date ON ONLY event USING btree (tenant_id, event_date, event_id) WHERE (mute_rule_id IS NOT NULL);

create index event_muted_by_id ON ONLY event USING btree (tenant_id, event_id) WHERE (mute_rule_id IS NOT NULL);

create index event_report_by_case ON ONLY event USING btree (tenant_id, case_id, report_id) WHERE ((case_id IS NOT NULL) AND (report_id IS NOT NULL));

create index event_report_by_domain ON ONLY event USING btree (tenant_id, domain, report_id, event_date, event_id) WHERE ((domain IS NOT NULL) AND (report_id IS NOT NULL));

create index event_report_by_ip ON ONLY event USING btree (tenant_id, ip, report_id, event_date, event_id) WHERE ((ip IS NOT NULL) AND (report_id IS NOT NULL));

create index event_unassigned_by_date ON ONLY event USING btree (tenant_id, event_date, event_id) WHERE (unassigned_cause IS NOT NULL);

create index event_unassigned_by_id ON ONLY event USING btree (tenant_id, event_id) WHERE (unassigned_cause IS NOT NULL);

alter table event enable row level security;

alter table event force row level security;

create policy rows_of_tenants on event using (
CASE ( SELECT current_setting('casework.tenant_id'::text, true) AS current_setting)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table event_fingerprint (
  tenant_id text not null,
  fingerprint bytea not null,
  event_id uuid not null,
  seen_count bigint not null default 1,
  last_seen timestamptz(3) not null,
  constraint event_fingerprint_pkey primary key (tenant_id, fingerprint)
);

create index event_fingerprint_by_event ON event_fingerprint USING btree (tenant_id, event_id);

alter table event_fingerprint enable row level security;

alter table event_fingerprint force row level security;

create policy rows_of_tenants on event_fingerprint using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table event_hour (
  tenant_id text not null,
  from_id uuid not null,
  until_id uuid not null,
  first_event_date timestamptz(3) not null,
  constraint event_hour_pkey primary key (tenant_id, from_id) INCLUDE (until_id, first_event_date)
);

create index event_hour_by_first ON event_hour USING btree (tenant_id, first_event_date, from_id);

alter table event_hour enable row level security;

alter table event_hour force row level security;

create policy rows_of_tenants on event_hour using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table fact_sweep (
  fact_table text not null,
  subject text not null default ''::text,
  source_id integer not null default 0,
  name text not null default ''::text,
  next_at timestamptz(3) not null default now(),
  constraint fact_sweep_pkey primary key (fact_table),
  constraint fact_sweep_fact_table_check check (fact_table = ANY (ARRAY['listing'::text, 'tagging'::text, 'allowance'::text]))
);

create table former_sighting (
  subject text not null,
  source_id integer not null,
  service text not null,
  type text not null,
  first_seen timestamptz(3) not null,
  last_seen timestamptz(3) not null,
  count bigint not null,
  constraint former_sighting_pkey primary key (subject, source_id, service, type, first_seen, last_seen),
  constraint sighting_count_check check (count > 0)
);

create table held_event (
  tenant_id text not null,
  event_id uuid not null,
  case_group_id text not null,
  key_hash bytea not null,
  constraint held_event_pkey primary key (tenant_id, event_id)
);

create index held_event_by_key ON held_event USING btree (tenant_id, case_group_id, key_hash);

alter table held_event enable row level security;

alter table held_event force row level security;

create policy rows_of_tenants on held_event using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table intel_change (
  push_id bigint not null,
  subjects text[] not null
);

create index intel_change_push_id ON intel_change USING btree (push_id);

create table intel_push (
  serial bigint not null,
  id bigint not null,
  mark uuid not null default gen_random_uuid(),
  subject_count bigint not null,
  created_at timestamptz(3) not null default now(),
  fact_table text,
  constraint intel_push_pkey primary key (serial),
  constraint intel_push_id_key unique (id)
);

create table intel_serial (
  id integer not null,
  serial bigint not null,
  tag_serial bigint not null,
  constraint intel_serial_pkey primary key (id),
  constraint intel_serial_id_check check (id = 1)
);

create table intel_source (
  id integer not null generated always as identity,
  kind text not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  description text,
  origin text,
  licence text,
  ttl_seconds integer,
  heard_at timestamptz(3),
  heard_serial bigint,
  constraint intel_source_pkey primary key (id),
  constraint intel_source_ttl_seconds_check check (ttl_seconds > 0),
  constraint intel_source_kind_name_key unique (kind, name)
);

create table kept_answer (
  tenant_id text not null,
  token_id text not null,
  key text not null,
  request_hash text not null,
  answer jsonb,
  created_at timestamptz(3) not null default now(),
  operation text not null,
  constraint kept_answer_pkey primary key (tenant_id, token_id, operation, key),
  constraint kept_answer_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

create index kept_answer_age ON kept_answer USING btree (tenant_id, created_at);

alter table kept_answer enable row level security;

alter table kept_answer force row level security;

create policy rows_of_tenants on kept_answer using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table known_device (
  user_id text not null,
  secret_hash bytea not null,
  expires_at timestamptz(3) not null,
  constraint known_device_pkey primary key (user_id, secret_hash),
  constraint known_device_user_id_fkey foreign key (user_id) REFERENCES user_account(id)
);

create table legal_hold (
  tenant_id text not null,
  id uuid not null,
  case_id text not null,
  reason text not null,
  placed_at timestamptz(3) not null,
  placed_by text not null,
  extends_id uuid,
  lifted_at timestamptz(3),
  lifted_by text,
  lift_reason text,
  constraint legal_hold_pkey primary key (tenant_id, id),
  constraint legal_hold_check check ((lifted_at IS NULL) = (lifted_by IS NULL) AND (lifted_at IS NULL) = (lift_reason IS NULL)),
  constraint legal_hold_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

create unique index legal_hold_in_force ON legal_hold USING btree (tenant_id, case_id) WHERE (lifted_at IS NULL);

alter table legal_hold enable row level security;

alter table legal_hold force row level security;

create policy rows_of_tenants on legal_hold using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table listing (
  subject text not null,
  source_id integer not null,
  name text not null,
  is_active boolean not null,
  reason text,
  first_seen timestamptz(3) not null,
  last_seen timestamptz(3) not null,
  expires_at timestamptz(3),
  constraint listing_pkey primary key (subject, source_id, name)
);

create table mail_suppression (
  tenant_id text not null,
  address_hash bytea not null,
  address text not null,
  cause text not null,
  note text not null default ''::text,
  notice_id uuid,
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  constraint mail_suppression_pkey primary key (tenant_id, address_hash),
  constraint mail_suppression_cause_check check (cause = ANY (ARRAY['person'::text, 'bounce'::text, 'complaint'::text])),
  constraint mail_suppression_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

create index mail_suppression_by_time ON mail_suppression USING btree (tenant_id, created_at, address_hash);

alter table mail_suppression enable row level security;

alter table mail_suppression force row level security;

create policy rows_of_tenants on mail_suppression using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table mailbox_lease (
  mailbox text not null,
  holder text not null,
  expires_at timestamptz(3) not null,
  constraint mailbox_lease_pkey primary key (mailbox)
);

create table mitigation (
  tenant_id text not null,
  id uuid not null,
  case_id text not null,
  customer_id text not null,
  run_id uuid,
  kind text not null,
  target_type text not null,
  target text not null,
  port integer not null default 0,
  adapter text not null,
  parameters jsonb not null default '{}'::jsonb,
  note text not null default ''::text,
  effect_key text not null,
  state text not null,
  reason text,
  detail text,
  reference text,
  removal_cause text,
  duration_seconds bigint,
  effective_from timestamptz(3),
  expires_at timestamptz(3),
  removed_at timestamptz(3),
  is_accepted boolean not null default false,
  phase_at timestamptz(3) not null default now(),
  tries integer not null default 0,
  attempts smallint not null default 0,
  wake_at timestamptz,
  lease_owner uuid,
  lease_until timestamptz,
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  changed_at timestamptz(3) not null default now(),
  constraint mitigation_pkey primary key (tenant_id, id),
  constraint mitigation_kind_check check (kind = ANY (ARRAY['suspend'::text, 'null_route'::text, 'dns_hold'::text, 'block_port'::text, 'takedown'::text, 'custom'::text])),
  constraint mitigation_removal_cause_check check (removal_cause = ANY (ARRAY['expired'::text, 'request'::text, 'playbook'::text, 'timeout'::text])),
  constraint mitigation_state_check check (state = ANY (ARRAY['pending'::text, 'active'::text, 'failed'::text, 'removing'::text, 'removed'::text])),
  constraint mitigation_target_type_check check (target_type = ANY (ARRAY['ip'::text, 'domain'::text, 'url'::text, 'customer'::text, 'contract'::text, 'other'::text])),
  constraint mitigation_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

create index mitigation_by_adapter ON mitigation USING btree (tenant_id, adapter, kind, target, port) WHERE (state = ANY (ARRAY['pending'::text, 'active'::text, 'removing'::text]));

create index mitigation_by_kind ON mitigation USING btree (tenant_id, kind, id);

create index mitigation_by_state ON mitigation USING btree (tenant_id, state, id);

create index mitigation_by_target ON mitigation USING btree (tenant_id, target, id);

create index mitigation_due ON mitigation USING btree (tenant_id, adapter, wake_at) WHERE ((state = ANY (ARRAY['pending'::text, 'removing'::text])) AND (wake_at IS NOT NULL));

create unique index mitigation_effect ON mitigation USING btree (tenant_id, effect_key);

create index mitigation_expiring ON mitigation USING btree (expires_at) WHERE ((state = ANY (ARRAY['pending'::text, 'active'::text])) AND (expires_at IS NOT NULL));

create index mitigation_of_case ON mitigation USING btree (tenant_id, case_id, id);

create index mitigation_of_run ON mitigation USING btree (tenant_id, run_id) WHERE (run_id IS NOT NULL);

create index mitigation_stuck ON mitigation USING btree (tenant_id, id) WHERE ((state = 'removing'::text) AND (reason IS NOT NULL));

create unique index mitigation_under_way ON mitigation USING btree (tenant_id, adapter, kind, target, port) WHERE (lease_owner IS NOT NULL);

alter table mitigation enable row level security;

alter table mitigation force row level security;

create policy rows_of_tenants on mitigation using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table mitigation_adapter (
  tenant_id text not null,
  name text not null,
  url text not null,
  secret_name text not null,
  kinds text[] not null,
  description text not null default ''::text,
  is_enabled boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint mitigation_adapter_pkey primary key (tenant_id, name),
  constraint mitigation_adapter_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

alter table mitigation_adapter enable row level security;

alter table mitigation_adapter force row level security;

create policy rows_of_tenants on mitigation_adapter using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table mitigation_attempt (
  tenant_id text not null,
  mitigation_id uuid not null,
  case_id text not null,
  attempt integer not null,
  action text not null,
  started_at timestamptz(3) not null default now(),
  duration_ms integer,
  outcome text,
  status smallint,
  failure text,
  constraint mitigation_attempt_pkey primary key (tenant_id, mitigation_id, attempt),
  constraint mitigation_attempt_action_check check (action = ANY (ARRAY['execute'::text, 'undo'::text])),
  constraint mitigation_attempt_outcome_check check (outcome = ANY (ARRAY['done'::text, 'accepted'::text, 'refused'::text, 'postponed'::text, 'interrupted'::text])),
  constraint mitigation_attempt_tenant_id_mitigation_id_fkey foreign key (tenant_id, mitigation_id) REFERENCES mitigation(tenant_id, id) ON DELETE CASCADE
);

alter table mitigation_attempt enable row level security;

alter table mitigation_attempt force row level security;

create policy rows_of_tenants on mitigation_attempt using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table mute_rule (
  tenant_id text not null,
  id uuid not null,
  condition text,
  key_match jsonb,
  reason text not null,
  created_at timestamptz(3) not null,
  created_by text not null,
  until timestamptz(3) not null,
  ended_at timestamptz(3),
  ended_by text,
  constraint mute_rule_pkey primary key (tenant_id, id),
  constraint mute_rule_check check ((condition IS NULL) <> (key_match IS NULL)),
  constraint mute_rule_check1 check (until > created_at),
  constraint mute_rule_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

create index mute_rule_in_force ON mute_rule USING btree (tenant_id, id) WHERE (ended_at IS NULL);

alter table mute_rule enable row level security;

alter table mute_rule force row level security;

create policy rows_of_tenants on mute_rule using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table notice (
  tenant_id text not null,
  id uuid not null,
  case_id text,
  purpose text not null,
  template text not null,
  language text not null,
  party text not null,
  customer_id text,
  recipient text not null,
  subject text not null,
  text text not null,
  state text not null,
  reason text,
  message_id text not null,
  thread text not null,
  in_reply_to text,
  effect_key text,
  reply_key text,
  reply_key_hash bytea,
  reply_until timestamptz(3),
  digest_id uuid,
  attempts smallint not null default 0,
  wake_at timestamptz not null default now(),
  lease_owner uuid,
  lease_until timestamptz,
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  sent_at timestamptz(3),
  changed_at timestamptz(3) not null default now(),
  former_key_hash bytea,
  evidence_profile text,
  evidence jsonb,
  constraint notice_pkey primary key (tenant_id, id),
  constraint notice_evidence_profile_check check (evidence_profile = ANY (ARRAY['customer'::text, 'reporter'::text, 'authority'::text])),
  constraint notice_party_check check (party = ANY (ARRAY['customer'::text, 'reporter'::text, 'other'::text])),
  constraint notice_state_check check (state = ANY (ARRAY['waiting'::text, 'sent'::text, 'bounced'::text, 'failed'::text, 'suppressed'::text, 'held'::text])),
  constraint notice_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

create index notice_bounced ON notice USING btree (tenant_id, lower(recipient)) WHERE (state = 'bounced'::text);

create index notice_by_customer ON notice USING btree (tenant_id, customer_id, created_at) WHERE (customer_id IS NOT NULL);

create index notice_by_former_key ON notice USING btree (former_key_hash) WHERE (former_key_hash IS NOT NULL);

create index notice_by_message_id ON notice USING btree (tenant_id, message_id);

create index notice_by_recipient ON notice USING btree (tenant_id, lower(recipient), created_at);

create index notice_by_reply_key ON notice USING btree (reply_key_hash) WHERE (reply_key_hash IS NOT NULL);

create index notice_by_state ON notice USING btree (tenant_id, state, id);

create index notice_due ON notice USING btree (tenant_id, wake_at) WHERE (state = 'waiting'::text);

create index notice_due_at ON notice USING btree (wake_at, tenant_id) WHERE (state = 'waiting'::text);

create unique index notice_effect ON notice USING btree (tenant_id, effect_key) WHERE (effect_key IS NOT NULL);

create index notice_of_case ON notice USING btree (tenant_id, case_id, id) WHERE (case_id IS NOT NULL);

create index notice_of_customer ON notice USING btree (tenant_id, customer_id, purpose, id) WHERE (customer_id IS NOT NULL);

create index notice_of_digest ON notice USING btree (tenant_id, digest_id) WHERE (digest_id IS NOT NULL);

create index notice_throttled ON notice USING btree (changed_at) WHERE ((state = 'held'::text) AND (reason = 'throttled'::text));

alter table notice enable row level security;

alter table notice force row level security;

create policy rows_of_tenants on notice using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table notice_attempt (
  tenant_id text not null,
  notice_id uuid not null,
  attempt smallint not null,
  started_at timestamptz(3) not null default now(),
  duration_ms integer not null,
  outcome text not null,
  reply_code smallint,
  failure text,
  constraint notice_attempt_pkey primary key (tenant_id, notice_id, attempt),
  constraint notice_attempt_outcome_check check (outcome = ANY (ARRAY['sent'::text, 'postponed'::text, 'failed'::text])),
  constraint notice_attempt_tenant_id_notice_id_fkey foreign key (tenant_id, notice_id) REFERENCES notice(tenant_id, id) ON DELETE CASCADE
);

alter table notice_attempt enable row level security;

alter table notice_attempt force row level security;

create policy rows_of_tenants on notice_attempt using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table notice_limits (
  tenant_id text not null,
  is_on boolean not null,
  limits jsonb not null,
  digest_hour smallint not null,
  time_zone text not null,
  updated_at timestamptz(3) not null default now(),
  constraint notice_limits_pkey primary key (tenant_id),
  constraint notice_limits_digest_hour_check check (digest_hour >= 0 AND digest_hour <= 23),
  constraint notice_limits_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

alter table notice_limits enable row level security;

alter table notice_limits force row level security;

create policy rows_of_tenants on notice_limits using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table notice_recipient (
  tenant_id text not null,
  address_hash bytea not null,
  used_at timestamptz(3) not null default now(),
  constraint notice_recipient_pkey primary key (tenant_id, address_hash),
  constraint notice_recipient_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

create index notice_recipient_by_use ON notice_recipient USING btree (used_at);

alter table notice_recipient enable row level security;

alter table notice_recipient force row level security;

create policy rows_of_tenants on notice_recipient using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table notice_reply (
  tenant_id text not null,
  notice_id uuid not null,
  mail_hash bytea not null,
  kind text not null,
  case_id text,
  report_id uuid not null,
  comment_id uuid,
  status text,
  received_at timestamptz(3) not null default now(),
  constraint notice_reply_pkey primary key (tenant_id, notice_id, mail_hash),
  constraint notice_reply_kind_check check (kind = ANY (ARRAY['answer'::text, 'automatic'::text, 'bounce'::text, 'delay'::text, 'delivery'::text, 'complaint'::text])),
  constraint notice_reply_tenant_id_notice_id_fkey foreign key (tenant_id, notice_id) REFERENCES notice(tenant_id, id) ON DELETE CASCADE
);

create index notice_reply_of_report ON notice_reply USING btree (tenant_id, report_id);

alter table notice_reply enable row level security;

alter table notice_reply force row level security;

create policy rows_of_tenants on notice_reply using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table notice_template (
  tenant_id text not null,
  id uuid not null,
  name text not null,
  language text not null,
  purpose text not null,
  profile text not null,
  subject text not null,
  body text not null,
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint notice_template_pkey primary key (tenant_id, id),
  constraint notice_template_profile_check check (profile = ANY (ARRAY['customer'::text, 'reporter'::text, 'authority'::text])),
  constraint notice_template_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id),
  constraint notice_template_tenant_id_name_language_key unique (tenant_id, name, language)
);

alter table notice_template enable row level security;

alter table notice_template force row level security;

create policy rows_of_tenants on notice_template using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table own_network (
  source_id integer not null,
  subject text not null,
  constraint own_network_pkey primary key (source_id, subject),
  constraint own_network_source_id_fkey foreign key (source_id) REFERENCES intel_source(id) ON DELETE CASCADE
);

create table own_network_serial (
  id integer not null,
  serial bigint not null,
  constraint own_network_serial_pkey primary key (id),
  constraint own_network_serial_id_check check (id = 1)
);

create table owner_answer (
  tenant_id text not null,
  target text not null,
  valid_from timestamptz(3) not null,
  valid_until timestamptz(3) not null,
  customer_id text,
  contract_id text,
  generation uuid not null,
  asked_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint owner_answer_pkey primary key (tenant_id, target, valid_from),
  constraint owner_answer_check check (valid_from < valid_until),
  constraint owner_answer_check1 check (contract_id IS NULL OR customer_id IS NOT NULL)
);

create index owner_answer_expiry ON owner_answer USING btree (expires_at);

alter table owner_answer enable row level security;

alter table owner_answer force row level security;

create policy rows_of_tenants on owner_answer using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table owner_resolver (
  tenant_id text not null,
  generation uuid not null,
  url text not null,
  header_name text,
  header_value text,
  timeout_ms integer not null,
  cache_seconds integer not null,
  updated_at timestamptz(3) not null default now(),
  failures integer not null default 0,
  failed_at timestamptz(3),
  failure text,
  retry_at timestamptz not null default now(),
  retry_failures integer not null default 0,
  retry_after_id uuid,
  constraint owner_resolver_pkey primary key (tenant_id),
  constraint owner_resolver_check check (header_value IS NULL OR header_name IS NOT NULL),
  constraint owner_resolver_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

alter table owner_resolver enable row level security;

alter table owner_resolver force row level security;

create policy rows_of_tenants on owner_resolver using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table pending_start (
  tenant_id text not null,
  case_id text not null,
  playbook_id uuid not null,
  noted_at timestamptz not null default now(),
  due_at timestamptz not null,
  constraint pending_start_pkey primary key (tenant_id, case_id, playbook_id)
);

create index pending_start_due ON pending_start USING btree (due_at);

alter table pending_start enable row level security;

alter table pending_start force row level security;

create policy rows_of_tenants on pending_start using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table playbook (
  tenant_id text not null,
  id uuid not null,
  name text not null,
  active_version integer,
  latest_version integer not null,
  created_at timestamptz(3) not null default now(),
  constraint playbook_pkey primary key (tenant_id, id),
  constraint playbook_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id),
  constraint playbook_tenant_id_name_key unique (tenant_id, name)
);

alter table playbook enable row level security;

alter table playbook force row level security;

create policy rows_of_tenants on playbook using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table playbook_version (
  tenant_id text not null,
  playbook_id uuid not null,
  version integer not null,
  state text not null,
  graph jsonb not null,
  start_node text not null,
  created_at timestamptz(3) not null default now(),
  activated_at timestamptz(3),
  starts_new_cases boolean not null default true,
  start_debounce integer,
  start_states text[] not null default '{}'::text[],
  watches_cases boolean not null default false,
  description text not null default ''::text,
  is_scheduled boolean not null default false,
  constraint playbook_version_pkey primary key (tenant_id, playbook_id, version),
  constraint playbook_version_state_check check (state = ANY (ARRAY['draft'::text, 'active'::text, 'draining'::text, 'inactive'::text])),
  constraint playbook_version_tenant_id_playbook_id_fkey foreign key (tenant_id, playbook_id) REFERENCES playbook(tenant_id, id)
);

create index playbook_version_draining ON playbook_version USING btree (tenant_id, playbook_id, version) WHERE (state = 'draining'::text);

alter table playbook_version enable row level security;

alter table playbook_version force row level security;

create policy rows_of_tenants on playbook_version using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table provider_try (
  secret_hash bytea not null,
  provider text not null,
  link_hash bytea,
  user_id text,
  address_group text not null,
  expires_at timestamptz(3) not null,
  next_page text,
  constraint provider_try_pkey primary key (secret_hash),
  constraint provider_try_user_id_fkey foreign key (user_id) REFERENCES user_account(id)
);

create index provider_try_of_address ON provider_try USING btree (address_group);

create index provider_try_old ON provider_try USING btree (expires_at);

create table report (
  tenant_id text not null,
  id uuid not null,
  received_at timestamptz(3) not null,
  media_type text not null,
  byte_length integer not null,
  sha256 bytea not null,
  state text not null,
  reason text,
  problems jsonb,
  format text,
  reporter_report_id text,
  event_count integer not null default 0,
  received_by text not null,
  fallback_reporter text,
  via text not null default 'api'::text,
  envelope_from text,
  envelope_to text[] not null default '{}'::text[],
  remote_address text,
  helo text,
  message_id text,
  authentication jsonb,
  is_raw_removed boolean not null default false,
  repeated_event_ids uuid[],
  is_mail boolean,
  version bigint not null default 1,
  constraint report_pkey primary key (tenant_id, id),
  constraint report_check check ((state = 'accepted'::text) = (reason IS NULL)),
  constraint report_state_check check (state = ANY (ARRAY['accepted'::text, 'rejected'::text, 'quarantined'::text])),
  constraint report_via_check check (via = ANY (ARRAY['api'::text, 'smtp'::text, 'lmtp'::text, 'imap'::text, 'import'::text]))
);

create index report_by_content ON report USING btree (tenant_id, sha256) WHERE (NOT is_raw_removed);

create index report_by_format ON report USING btree (tenant_id, format, id) WHERE (format IS NOT NULL);

create index report_by_message ON report USING btree (tenant_id, message_id) WHERE (message_id IS NOT NULL);

create index report_by_part ON report USING gin (lower(((((((((
CASE
    WHEN (reason IS NULL) THEN ''::text
    ELSE reason
END || ' '::text) ||
CASE
    WHEN (message_id IS NULL) THEN ''::text
    ELSE message_id
END) || ' '::text) ||
CASE
    WHEN (reporter_report_id IS NULL) THEN ''::text
    ELSE reporter_report_id
END) || ' '::text) ||
CASE
    WHEN (envelope_from IS NULL) THEN ''::text
    ELSE envelope_from
END) || ' '::text) ||
CASE
    WHEN (fallback_reporter IS NULL) THEN ''::text
    ELSE fallback_reporter
END)) gin_trgm_ops);

create index report_by_reporter_id ON report USING btree (tenant_id, reporter_report_id) WHERE (reporter_report_id IS NOT NULL);

create index report_by_sender ON report USING btree (tenant_id, lower(
CASE
    WHEN ((envelope_from IS NULL) OR (envelope_from = ''::text)) THEN fallback_reporter
    ELSE envelope_from
END), id);

create index report_by_state ON report USING btree (tenant_id, state, id);

create index report_by_time ON report USING btree (tenant_id, received_at);

create index report_by_via ON report USING btree (tenant_id, via, id);

create index report_corrected ON report USING btree (tenant_id, id) WHERE (version > 1);

create index report_unread ON report USING btree (id) WHERE (reason = 'The report has not been read yet.'::text);

create index report_with_raw ON report USING btree (tenant_id, id) WHERE (NOT is_raw_removed);

alter table report enable row level security;

alter table report force row level security;

create policy rows_of_tenants on report using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table report_address (
  address text not null,
  tenant_id text not null,
  created_at timestamptz(3) not null default now(),
  is_trap boolean not null default false,
  constraint report_address_pkey primary key (address),
  constraint report_address_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

create index report_address_by_tenant ON report_address USING btree (tenant_id, is_trap DESC, address);

alter table report_address enable row level security;

alter table report_address force row level security;

create policy rows_of_tenants on report_address using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table report_correction (
  tenant_id text not null,
  report_id uuid not null,
  version bigint not null,
  id uuid not null,
  at timestamptz(3) not null,
  corrected_by text not null,
  reason text,
  former_state text not null,
  former_reason text,
  changes jsonb not null,
  withdrawn_event_ids uuid[] not null default '{}'::uuid[],
  constraint report_correction_pkey primary key (tenant_id, report_id, version)
);

alter table report_correction enable row level security;

alter table report_correction force row level security;

create policy rows_of_tenants on report_correction using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table report_raw (
  tenant_id text not null,
  sha256 bytea not null,
  bytes bytea not null,
  constraint report_raw_pkey primary key (tenant_id, sha256)
);

alter table report_raw enable row level security;

alter table report_raw force row level security;

create policy rows_of_tenants on report_raw using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table report_sharing (
  tenant_id text not null,
  source_key text not null,
  reporters_min integer not null,
  constraint report_sharing_pkey primary key (tenant_id),
  constraint report_sharing_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id),
  constraint report_sharing_source_key_key unique (source_key)
);

alter table report_sharing enable row level security;

alter table report_sharing force row level security;

create policy rows_of_tenants on report_sharing using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table report_sighting_change (
  tenant_id text not null,
  id uuid not null default gen_random_uuid(),
  items text[] not null,
  due_at timestamptz(3) not null default now(),
  constraint report_sighting_change_pkey primary key (tenant_id, id)
);

create index report_sighting_change_by_due ON report_sighting_change USING btree (tenant_id, due_at);

alter table report_sighting_change enable row level security;

alter table report_sighting_change force row level security;

create policy rows_of_tenants on report_sighting_change using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table resource (
  tenant_id text not null,
  id uuid not null,
  kind text not null,
  value text not null,
  customer_id text not null,
  contract_id text,
  valid_from timestamptz(3) not null default '-infinity'::timestamptz,
  valid_until timestamptz(3) not null default 'infinity'::timestamptz,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint resource_pkey primary key (tenant_id, id),
  constraint resource_check check (valid_from < valid_until),
  constraint resource_kind_check check (kind = ANY (ARRAY['ip_range'::text, 'domain'::text, 'account'::text])),
  constraint resource_contract foreign key (tenant_id, customer_id, contract_id) REFERENCES contract(tenant_id, customer_id, id),
  constraint resource_customer foreign key (tenant_id, customer_id) REFERENCES customer(tenant_id, id),
  constraint resource_identity unique (tenant_id, kind, value, valid_from)
);

create index resource_by_contract ON resource USING btree (tenant_id, contract_id, id) WHERE (contract_id IS NOT NULL);

create index resource_by_customer ON resource USING btree (tenant_id, customer_id, id);

alter table resource enable row level security;

alter table resource force row level security;

create policy rows_of_tenants on resource using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table resource_block (
  tenant_id text not null,
  family smallint not null,
  prefix_length smallint not null,
  network cidr not null,
  resource_id uuid not null,
  range_length smallint not null,
  constraint resource_block_pkey primary key (tenant_id, family, prefix_length, network, resource_id),
  constraint resource_block_family_check check (family = ANY (ARRAY[4, 6]))
);

alter table resource_block enable row level security;

alter table resource_block force row level security;

create policy rows_of_tenants on resource_block using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table role (
  tenant_id text not null,
  name text not null,
  description text not null default ''::text,
  scopes text[] not null,
  created_at timestamptz(3) not null default now(),
  changed_at timestamptz(3) not null default now(),
  changed_serial bigint not null,
  constraint role_pkey primary key (tenant_id, name),
  constraint role_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

create index role_changed ON role USING btree (changed_serial);

alter table role enable row level security;

alter table role force row level security;

create policy rows_of_tenants on role using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table rule_history (
  tenant_id text not null,
  rule_kind text not null,
  rule_id text not null,
  id uuid not null,
  at timestamptz(3) not null,
  kind text not null,
  actor text not null,
  changes jsonb not null,
  constraint rule_history_pkey primary key (tenant_id, rule_kind, rule_id, id),
  constraint rule_history_kind_check check (kind = ANY (ARRAY['create'::text, 'change'::text, 'delete'::text, 'end'::text])),
  constraint rule_history_rule_kind_check check (rule_kind = ANY (ARRAY['case_group'::text, 'mute_rule'::text]))
);

alter table rule_history enable row level security;

alter table rule_history force row level security;

create policy rows_of_tenants on rule_history using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table run (
  tenant_id text not null,
  id uuid not null,
  case_id text not null,
  playbook_id uuid not null,
  version integer not null,
  state text not null,
  visits integer not null default 0,
  failure text,
  started_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  started_by text,
  parent_run_id uuid,
  parent_token_id smallint,
  next_token smallint not null default 2,
  depth smallint not null default 0,
  paused_at timestamptz(3),
  constraint run_pkey primary key (tenant_id, id),
  constraint run_state_check check (state = ANY (ARRAY['active'::text, 'paused'::text, 'ended'::text, 'failed'::text, 'cancelled'::text])),
  constraint run_tenant_id_playbook_id_version_fkey foreign key (tenant_id, playbook_id, version) REFERENCES playbook_version(tenant_id, playbook_id, version)
);

create index run_by_parent ON run USING btree (tenant_id, parent_run_id, parent_token_id) WHERE (parent_run_id IS NOT NULL);

create index run_by_playbook ON run USING btree (tenant_id, playbook_id, id);

create index run_by_state ON run USING btree (tenant_id, state, id);

create index run_failed ON run USING btree (tenant_id, id) WHERE (state = 'failed'::text);

create index run_of_case ON run USING btree (tenant_id, case_id, id);

create index run_of_draining ON run USING btree (tenant_id, playbook_id, version) WHERE (state = ANY (ARRAY['active'::text, 'paused'::text]));

create unique index run_one_active ON run USING btree (tenant_id, case_id, playbook_id) WHERE ((state = ANY (ARRAY['active'::text, 'paused'::text])) AND (parent_run_id IS NULL));

alter table run enable row level security;

alter table run force row level security;

create policy rows_of_tenants on run using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table run_attempt (
  tenant_id text not null,
  run_id uuid not null,
  token_id smallint not null,
  visit integer not null,
  attempt integer not null,
  case_id text not null,
  node text not null,
  started_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  outcome text,
  detail jsonb,
  constraint run_attempt_pkey primary key (tenant_id, run_id, token_id, visit, attempt),
  constraint run_attempt_outcome_check check (outcome = ANY (ARRAY['done'::text, 'refused'::text, 'over'::text, 'retry'::text, 'interrupted'::text]))
);

create index run_attempt_open ON run_attempt USING btree (started_at) WHERE (ended_at IS NULL);

alter table run_attempt enable row level security;

alter table run_attempt force row level security;

create policy rows_of_tenants on run_attempt using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table run_token (
  tenant_id text not null,
  run_id uuid not null,
  id smallint not null,
  case_id text not null,
  state text not null,
  node text not null,
  visit integer not null default 1,
  entered_at timestamptz(3) not null default now(),
  chosen_path text,
  chosen_by text,
  wake_at timestamptz not null default now(),
  lease_owner uuid,
  lease_until timestamptz,
  attempts smallint not null default 0,
  waits_for text,
  timer_at timestamptz,
  timer_rang boolean not null default false,
  watches_case boolean not null default false,
  vars jsonb not null default '{}'::jsonb,
  memo jsonb,
  fork text not null default ''::text,
  calls boolean not null default false,
  begun_at_node text,
  key_visit integer,
  call_outcome jsonb,
  constraint run_token_pkey primary key (tenant_id, run_id, id),
  constraint run_token_state_check check (state = ANY (ARRAY['ready'::text, 'waiting'::text, 'paused'::text, 'done'::text, 'dead'::text]))
);

create index run_token_call ON run_token USING btree (tenant_id, wake_at) WHERE ((state = 'ready'::text) AND calls);

create index run_token_due ON run_token USING btree (tenant_id, wake_at) WHERE ((state = 'ready'::text) AND (NOT calls));

create index run_token_timer ON run_token USING btree (tenant_id, timer_at) WHERE ((state = 'waiting'::text) AND (timer_at IS NOT NULL));

create index run_token_timer_due ON run_token USING btree (timer_at, tenant_id) WHERE ((state = 'waiting'::text) AND (timer_at IS NOT NULL));

create index run_token_waiting ON run_token USING btree (tenant_id, run_id) WHERE (state = 'waiting'::text);

alter table run_token enable row level security;

alter table run_token force row level security;

create policy rows_of_tenants on run_token using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table saved_view (
  tenant_id text not null,
  id uuid not null,
  name text not null,
  list text not null,
  query jsonb not null,
  is_shared boolean not null,
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  updated_at timestamptz(3) not null default now(),
  constraint saved_view_pkey primary key (tenant_id, id),
  constraint saved_view_list_check check (list = ANY (ARRAY['cases'::text, 'events'::text])),
  constraint saved_view_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

alter table saved_view enable row level security;

alter table saved_view force row level security;

create policy rows_of_tenants on saved_view using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table schedule_tick (
  tenant_id text not null,
  playbook_id uuid not null,
  version integer not null,
  due_at timestamptz not null,
  last_case text,
  taken_at timestamptz,
  constraint schedule_tick_pkey primary key (tenant_id, playbook_id)
);

create index schedule_tick_due ON schedule_tick USING btree (due_at);

alter table schedule_tick enable row level security;

alter table schedule_tick force row level security;

create policy rows_of_tenants on schedule_tick using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table schema_lock (
  id integer not null,
  constraint schema_lock_pkey primary key (id)
);

create table schema_migration (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamptz(3) not null default now(),
  constraint schema_migration_pkey primary key (version)
);

create table secret (
  tenant_id text not null,
  owner text not null,
  name text not null,
  key_id text not null,
  sealed bytea not null,
  updated_at timestamptz(3) not null default now(),
  constraint secret_pkey primary key (tenant_id, owner, name),
  constraint secret_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

create index secret_by_key ON secret USING btree (key_id);

alter table secret enable row level security;

alter table secret force row level security;

create policy rows_of_tenants on secret using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table service_account (
  tenant_id text not null,
  id text not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  changed_at timestamptz(3) not null default now(),
  constraint service_account_pkey primary key (tenant_id, id),
  constraint service_account_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

alter table service_account enable row level security;

alter table service_account force row level security;

create policy rows_of_tenants on service_account using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table sighting (
  subject text not null,
  source_id integer not null,
  service text not null,
  type text not null,
  day date not null,
  first_seen timestamptz(3) not null,
  last_seen timestamptz(3) not null,
  count bigint not null,
  is_single boolean not null,
  is_closed boolean not null default false,
  changed_on date not null default CURRENT_DATE,
  constraint sighting_pkey primary key (subject, source_id, service, type, day),
  constraint sighting_check check (NOT (is_single AND is_closed)),
  constraint sighting_count_check1 check (count > 0)
);

create index sighting_by_change ON sighting USING btree (changed_on) WHERE ((NOT is_single) AND (NOT is_closed));

create index sighting_by_day ON sighting USING brin (day);

create table sighting_observation (
  subject text not null,
  source_id integer not null,
  service text not null,
  type text not null,
  last_seen timestamptz(3) not null,
  first_seen timestamptz(3) not null,
  count bigint not null,
  constraint sighting_observation_pkey primary key (subject, source_id, service, type, last_seen, first_seen),
  constraint sighting_observation_count_check check (count > 0)
);

create table sighting_rule (
  name text not null,
  kind text not null,
  types text[] not null,
  services text[],
  count_min bigint not null,
  sources_min integer not null,
  within_seconds integer,
  tags text[] not null,
  is_enabled boolean not null default true,
  is_edited boolean not null default false,
  version integer not null default 1,
  constraint sighting_rule_pkey primary key (name),
  constraint sighting_rule_count_min_check check (count_min > 0),
  constraint sighting_rule_sources_min_check check (sources_min > 0),
  constraint sighting_rule_within_seconds_check check (within_seconds > 0)
);

create table sighting_rule_history (
  id uuid not null,
  name text not null,
  at timestamptz(3) not null,
  kind text not null,
  actor text not null,
  before jsonb,
  after jsonb,
  constraint sighting_rule_history_pkey primary key (id),
  constraint sighting_rule_history_kind_check check (kind = ANY (ARRAY['created'::text, 'changed'::text, 'reset'::text, 'deleted'::text]))
);

create index sighting_rule_history_by_name ON sighting_rule_history USING btree (name, id);

create table sign_in_back_off (
  key_hash bytea not null,
  failures integer not null,
  last_failed_at timestamptz(3) not null,
  blocked_until timestamptz(3) not null,
  constraint sign_in_back_off_pkey primary key (key_hash)
);

create index sign_in_back_off_old ON sign_in_back_off USING btree (last_failed_at);

create table sign_in_link (
  secret_hash bytea not null,
  kind text not null,
  user_id text,
  tenant_id text,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  constraint sign_in_link_pkey primary key (secret_hash),
  constraint sign_in_link_kind_check check (kind = ANY (ARRAY['setup'::text, 'invitation'::text, 'reset'::text])),
  constraint sign_in_link_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id),
  constraint sign_in_link_user_id_fkey foreign key (user_id) REFERENCES user_account(id)
);

create index sign_in_link_of_user ON sign_in_link USING btree (user_id) WHERE (user_id IS NOT NULL);

alter table sign_in_link enable row level security;

alter table sign_in_link force row level security;

create policy rows_of_tenants on sign_in_link using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table sign_in_step (
  secret_hash bytea not null,
  purpose text not null,
  user_id text,
  tenant_id text,
  methods text[] not null,
  challenge text,
  origin_hash bytea,
  expires_at timestamptz(3) not null,
  constraint sign_in_step_pkey primary key (secret_hash),
  constraint sign_in_step_purpose_check check (purpose = ANY (ARRAY['second_factor'::text, 'passkey_sign_in'::text, 'passkey_factor'::text, 'passkey_registration'::text])),
  constraint sign_in_step_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id),
  constraint sign_in_step_user_id_fkey foreign key (user_id) REFERENCES user_account(id)
);

create index sign_in_step_end ON sign_in_step USING btree (expires_at);

create index sign_in_step_of_origin ON sign_in_step USING btree (origin_hash) WHERE (origin_hash IS NOT NULL);

create index sign_in_step_of_user ON sign_in_step USING btree (user_id) WHERE (user_id IS NOT NULL);

alter table sign_in_step enable row level security;

alter table sign_in_step force row level security;

create policy rows_of_tenants on sign_in_step using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table simulation (
  tenant_id text not null,
  owner uuid not null,
  lease_until timestamptz not null,
  constraint simulation_pkey primary key (tenant_id),
  constraint simulation_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

alter table simulation enable row level security;

alter table simulation force row level security;

create policy rows_of_tenants on simulation using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table source_fetch (
  source_id integer not null,
  url text not null,
  format text not null,
  entry_name text not null,
  is_enabled boolean not null,
  interval_seconds integer not null,
  etag text,
  last_modified text,
  tried_at timestamptz(3),
  trouble text,
  next_at timestamptz(3) not null,
  leased_until timestamptz(3),
  constraint source_fetch_pkey primary key (source_id),
  constraint source_fetch_interval_seconds_check check (interval_seconds > 0),
  constraint source_fetch_source_id_fkey foreign key (source_id) REFERENCES intel_source(id) ON DELETE CASCADE
);

create table source_history (
  source_id integer not null,
  day date not null,
  entries integer not null,
  added integer not null,
  removed integer not null,
  syncs integer not null,
  constraint source_history_pkey primary key (source_id, day),
  constraint source_history_added_check check (added >= 0),
  constraint source_history_entries_check check (entries >= 0),
  constraint source_history_removed_check check (removed >= 0),
  constraint source_history_syncs_check check (syncs > 0),
  constraint source_history_source_id_fkey foreign key (source_id) REFERENCES intel_source(id) ON DELETE CASCADE
);

create table stream_head (
  tenant_id text not null,
  serial bigint not null default 0,
  kept_from bigint not null default 0,
  wanted_until timestamptz not null,
  is_settled boolean not null default false,
  constraint stream_head_pkey primary key (tenant_id),
  constraint stream_head_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

alter table stream_head enable row level security;

alter table stream_head force row level security;

create policy rows_of_tenants on stream_head using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table stream_message (
  tenant_id text not null,
  serial bigint not null,
  kind text not null,
  what text not null,
  subject_id text not null,
  case_id text,
  at timestamptz(3) not null,
  noted_at timestamptz not null default now(),
  constraint stream_message_pkey primary key (tenant_id, serial)
);

create index stream_message_noted ON stream_message USING btree (noted_at);

alter table stream_message enable row level security;

alter table stream_message force row level security;

create policy rows_of_tenants on stream_message using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table tag (
  name text not null,
  intent text not null,
  category text not null,
  description text not null,
  reference_links jsonb not null,
  timeline jsonb not null,
  is_edited boolean not null default false,
  constraint tag_pkey primary key (name),
  constraint tag_intent_check check (intent = ANY (ARRAY['malicious'::text, 'suspicious'::text, 'benign'::text, 'unknown'::text, 'none'::text]))
);

create table tag_list (
  id bigint not null generated always as identity,
  tag text not null,
  serial bigint not null,
  total bigint not null,
  made_at timestamptz(3) not null,
  last_update timestamptz(3) not null,
  constraint tag_list_pkey primary key (id)
);

create index tag_list_tag ON tag_list USING btree (tag, id);

create table tag_list_page (
  list_id bigint not null,
  page integer not null,
  entries text[] not null,
  constraint tag_list_page_pkey primary key (list_id, page),
  constraint tag_list_page_list_id_fkey foreign key (list_id) REFERENCES tag_list(id) ON DELETE CASCADE
);

create table tagging (
  subject text not null,
  source_id integer not null,
  name text not null,
  is_active boolean not null,
  reason text,
  first_seen timestamptz(3) not null,
  last_seen timestamptz(3) not null,
  expires_at timestamptz(3),
  constraint tagging_pkey primary key (subject, source_id, name)
);

create table tenant (
  id text not null,
  name text not null,
  settings jsonb not null default '{}'::jsonb,
  created_at timestamptz(3) not null default now(),
  retention_at timestamptz not null default now(),
  share_sightings boolean,
  share_sightings_origin text not null default 'default'::text,
  is_demo boolean not null default false,
  constraint tenant_pkey primary key (id),
  constraint tenant_share_sightings_origin_check check (share_sightings_origin = ANY (ARRAY['default'::text, 'person'::text]))
);

create table tenant_user (
  tenant_id text not null,
  user_id text not null,
  invited_name text not null,
  roles text[] not null,
  created_at timestamptz(3) not null default now(),
  accepted_at timestamptz(3),
  constraint tenant_user_pkey primary key (tenant_id, user_id),
  constraint tenant_user_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id),
  constraint tenant_user_user_id_fkey foreign key (user_id) REFERENCES user_account(id)
);

create index tenant_user_of_user ON tenant_user USING btree (user_id);

alter table tenant_user enable row level security;

alter table tenant_user force row level security;

create policy rows_of_tenants on tenant_user using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table trigger_key (
  tenant_id text not null,
  token_id text not null,
  key text not null,
  case_id text not null,
  node text not null,
  path text not null,
  run_id uuid not null,
  created_at timestamptz(3) not null default now(),
  form_hash text,
  is_decided boolean not null default true,
  constraint trigger_key_pkey primary key (tenant_id, token_id, key)
);

create index trigger_key_age ON trigger_key USING btree (created_at);

alter table trigger_key enable row level security;

alter table trigger_key force row level security;

create policy rows_of_tenants on trigger_key using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table trigger_signal (
  tenant_id text not null,
  run_id uuid not null,
  token_id smallint not null,
  visit integer not null,
  case_id text not null,
  node text not null,
  path text not null,
  actor text not null,
  accepted_at timestamptz(3) not null default now(),
  constraint trigger_signal_pkey primary key (tenant_id, run_id, token_id, visit)
);

create index trigger_signal_of_case ON trigger_signal USING btree (tenant_id, case_id, node, accepted_at);

alter table trigger_signal enable row level security;

alter table trigger_signal force row level security;

create policy rows_of_tenants on trigger_signal using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table trusted_reporter (
  tenant_id text not null,
  reporter text not null,
  note text,
  created_at timestamptz(3) not null,
  created_by text not null,
  constraint trusted_reporter_pkey primary key (tenant_id, reporter),
  constraint trusted_reporter_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

alter table trusted_reporter enable row level security;

alter table trusted_reporter force row level security;

create policy rows_of_tenants on trusted_reporter using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table user_account (
  id text not null,
  email text not null,
  email_key text not null,
  name text not null,
  password_hash text,
  disabled_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  last_sign_in_at timestamptz(3),
  constraint user_account_pkey primary key (id),
  constraint user_account_email_key_key unique (email_key)
);

create table user_group (
  tenant_id text not null,
  id text not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  constraint user_group_pkey primary key (tenant_id, id),
  constraint user_group_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id),
  constraint user_group_tenant_id_name_key unique (tenant_id, name)
);

alter table user_group enable row level security;

alter table user_group force row level security;

create policy rows_of_tenants on user_group using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table user_group_member (
  tenant_id text not null,
  group_id text not null,
  user_id text not null,
  constraint user_group_member_pkey primary key (tenant_id, group_id, user_id),
  constraint user_group_member_tenant_id_group_id_fkey foreign key (tenant_id, group_id) REFERENCES user_group(tenant_id, id) ON DELETE CASCADE,
  constraint user_group_member_tenant_id_user_id_fkey foreign key (tenant_id, user_id) REFERENCES tenant_user(tenant_id, user_id) ON DELETE CASCADE
);

create index user_group_member_of_user ON user_group_member USING btree (tenant_id, user_id);

alter table user_group_member enable row level security;

alter table user_group_member force row level security;

create policy rows_of_tenants on user_group_member using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table user_identity (
  id text not null,
  user_id text not null,
  provider text not null,
  issuer text not null,
  subject text not null,
  email text,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  constraint user_identity_pkey primary key (id),
  constraint user_identity_user_id_fkey foreign key (user_id) REFERENCES user_account(id),
  constraint user_identity_issuer_subject_key unique (issuer, subject)
);

create index user_identity_of_user ON user_identity USING btree (user_id);

create table user_passkey (
  id text not null,
  user_id text not null,
  credential_id text not null,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  is_synced boolean not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  constraint user_passkey_pkey primary key (id),
  constraint user_passkey_user_id_fkey foreign key (user_id) REFERENCES user_account(id),
  constraint user_passkey_credential_id_key unique (credential_id)
);

create index user_passkey_of_user ON user_passkey USING btree (user_id);

create table user_recovery_code (
  user_id text not null,
  code_hash bytea not null,
  created_at timestamptz(3) not null default now(),
  used_at timestamptz(3),
  constraint user_recovery_code_pkey primary key (user_id, code_hash),
  constraint user_recovery_code_user_id_fkey foreign key (user_id) REFERENCES user_account(id)
);

create table user_session (
  id text not null,
  secret_hash bytea not null,
  user_id text not null,
  tenant_id text not null,
  methods text[] not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  address text,
  user_agent text,
  changed_serial bigint not null,
  proven_at timestamptz(3),
  must_enrol boolean not null default false,
  constraint user_session_pkey primary key (id),
  constraint user_session_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id),
  constraint user_session_user_id_fkey foreign key (user_id) REFERENCES user_account(id),
  constraint user_session_secret_hash_key unique (secret_hash)
);

create index user_session_changed ON user_session USING btree (changed_serial);

create index user_session_of_user ON user_session USING btree (user_id) WHERE (ended_at IS NULL);

alter table user_session enable row level security;

alter table user_session force row level security;

create policy rows_of_tenants on user_session using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table user_totp (
  user_id text not null,
  secret_key_id text not null,
  sealed bytea not null,
  created_at timestamptz(3) not null default now(),
  confirmed_at timestamptz(3),
  last_step bigint not null default 0,
  constraint user_totp_pkey primary key (user_id),
  constraint user_totp_user_id_fkey foreign key (user_id) REFERENCES user_account(id)
);

create table visit (
  tenant_id text not null,
  run_id uuid not null,
  token_id smallint not null,
  visit integer not null,
  case_id text not null,
  node text not null,
  kind text not null,
  path text,
  actor text,
  output jsonb,
  entered_at timestamptz(3) not null,
  left_at timestamptz(3) not null,
  constraint visit_pkey primary key (tenant_id, run_id, token_id, visit)
) partition by range (run_id);

create index visit_of_case ON ONLY visit USING btree (tenant_id, case_id, left_at);

alter table visit enable row level security;

alter table visit force row level security;

create policy rows_of_tenants on visit using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table webhook (
  tenant_id text not null,
  id uuid not null,
  url text not null,
  description text not null default ''::text,
  types text[] not null,
  case_groups text[],
  customers text[],
  event_types text[],
  is_enabled boolean not null default true,
  disabled_reason text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint webhook_pkey primary key (tenant_id, id),
  constraint webhook_tenant_id_fkey foreign key (tenant_id) REFERENCES tenant(id)
);

alter table webhook enable row level security;

alter table webhook force row level security;

create policy rows_of_tenants on webhook using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table webhook_attempt (
  tenant_id text not null,
  delivery_id uuid not null,
  attempt smallint not null,
  started_at timestamptz(3) not null default now(),
  duration_ms integer not null,
  status smallint,
  failure text,
  constraint webhook_attempt_pkey primary key (tenant_id, delivery_id, attempt),
  constraint webhook_attempt_tenant_id_delivery_id_fkey foreign key (tenant_id, delivery_id) REFERENCES webhook_delivery(tenant_id, id) ON DELETE CASCADE
);

alter table webhook_attempt enable row level security;

alter table webhook_attempt force row level security;

create policy rows_of_tenants on webhook_attempt using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create table webhook_delivery (
  tenant_id text not null,
  id uuid not null,
  webhook_id uuid not null,
  type text not null,
  body text not null,
  state text not null,
  attempts smallint not null default 0,
  created_at timestamptz(3) not null default now(),
  wake_at timestamptz not null default now(),
  lease_owner uuid,
  lease_until timestamptz,
  ended_at timestamptz(3),
  constraint webhook_delivery_pkey primary key (tenant_id, id),
  constraint webhook_delivery_state_check check (state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'dead'::text])),
  constraint webhook_delivery_tenant_id_webhook_id_fkey foreign key (tenant_id, webhook_id) REFERENCES webhook(tenant_id, id) ON DELETE CASCADE
);

create index webhook_delivery_due ON webhook_delivery USING btree (tenant_id, webhook_id, wake_at) WHERE (state = 'waiting'::text);

create index webhook_delivery_due_at ON webhook_delivery USING btree (wake_at, tenant_id) WHERE (state = 'waiting'::text);

create index webhook_delivery_ended ON webhook_delivery USING btree (ended_at) WHERE (state <> 'waiting'::text);

create index webhook_delivery_leased ON webhook_delivery USING btree (tenant_id, webhook_id) WHERE (lease_owner IS NOT NULL);

create index webhook_delivery_of ON webhook_delivery USING btree (tenant_id, webhook_id, id);

alter table webhook_delivery enable row level security;

alter table webhook_delivery force row level security;

create policy rows_of_tenants on webhook_delivery using (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL) with check (
CASE current_setting('casework.tenant_id'::text, true)
    WHEN tenant_id THEN 1
    WHEN '*'::text THEN 1
    ELSE NULL::integer
END IS NOT NULL);

create sequence intel_push_id;

create view known_sighting as
 SELECT sighting.subject,
    sighting.source_id,
    sighting.service,
    sighting.type,
    sighting.first_seen,
    sighting.last_seen,
    sighting.count
   FROM sighting
UNION ALL
 SELECT former_sighting.subject,
    former_sighting.source_id,
    former_sighting.service,
    former_sighting.type,
    former_sighting.first_seen,
    former_sighting.last_seen,
    former_sighting.count
   FROM former_sighting;

create or replace function add_month(table_name text, key_column text, month date)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  name constant text := table_name || '_' || to_char(month, 'YYYY_MM');
  other constant text := table_name || '_other';
  first constant uuid := month_floor(month);
  behind constant uuid := month_floor((month + interval '1 month')::date);
  has_rows boolean;
begin
  if is_sharded() then
    execute format('select exists (select 1 from %I where %I >= %L and %I < %L)', other, key_column, first, key_column, behind) into has_rows;
    if has_rows then
      return;
    end if;
  end if;
  execute format('create table %I (like %I including defaults including constraints)', name, table_name);
  if is_sharded() then
    perform protect_rows_of_tenants();
  else
    -- Before it is looked into: else a row could come between.
    execute format('lock table %I in access exclusive mode', other);
    execute format('insert into %I select * from %I where %I >= $1 and %I < $2', name, other, key_column, key_column) using first, behind;
    execute format('delete from %I where %I >= $1 and %I < $2', other, key_column, key_column) using first, behind;
  end if;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', table_name, name, first, behind);
  if not is_sharded() then
    perform protect_rows_of_tenants();
  end if;
end
$function$;

create or replace function divide_by_month(table_name text, key_column text, month date)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  former constant text := table_name || '_until_' || to_char(month, 'YYYY_MM');
  former_table regclass;
  other constant text := table_name || '_other';
  key_definition text;
  key_name text;
  definitions text[];
  grants text[];
  one record;
begin
  execute format('lock table %I in access exclusive mode', table_name);
  former_table := table_name::regclass;
  if (select relkind from pg_class where oid = former_table) <> 'r' then return; end if;
  select conname, pg_get_constraintdef(oid) into strict key_name, key_definition
    from pg_constraint where conrelid = former_table and contype = 'p';
  select coalesce(array_agg(pg_get_indexdef(indexrelid) order by indexrelid), '{}') into definitions
    from pg_index where indrelid = former_table and not indisprimary;
  select coalesce(array_agg(format('grant %s on %I to %s', a.privilege_type, table_name,
      case a.grantee when 0 then 'public' else a.grantee::regrole::text end)), '{}') into grants
    from pg_class c, aclexplode(c.relacl) a where c.oid = former_table and a.grantee <> c.relowner;
  execute format('alter table %I rename to %I', table_name, former);
  for one in select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = former_table loop
    execute format('alter index %I rename to %I', one.name, former || substr(one.name, length(table_name) + 1));
  end loop;
  execute format('create table %I (like %I including all excluding indexes) partition by range (%I)', table_name, former, key_column);
  -- What only said that no row is too new.
  execute format('alter table %I drop constraint if exists %I', table_name, table_name || '_before_month');
  execute format('alter table %I add constraint %I %s', table_name, key_name, key_definition);
  for i in 1 .. cardinality(definitions) loop execute definitions[i]; end loop;
  for i in 1 .. cardinality(grants) loop execute grants[i]; end loop;
  execute format('create table %I partition of %I default', other, table_name);
  if not exists (
    select from pg_constraint where conrelid = former_table and conname = table_name || '_before_month' and convalidated
  ) then
    execute format('insert into %I select * from %I where %I >= $1', other, former, key_column) using month_floor(month);
    execute format('delete from %I where %I >= $1', former, key_column) using month_floor(month);
  end if;
  execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', table_name, former, month_floor(month));
  execute format('alter table %I drop constraint if exists %I', former, table_name || '_before_month');
  perform protect_rows_of_tenants();
end
$function$;

create or replace function find_events_by_id(tenant text, ids uuid[])
 RETURNS TABLE(tenant_id text, event_id uuid, event_date timestamptz, event_type text, sender_email text, domain text, ip text, resolved boolean, customer_id text, case_id text, report_id uuid, details jsonb, unassigned_cause text, mute_rule_id uuid)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
begin
  if is_sharded() then
    return query
      select event.tenant_id, event.event_id, event.event_date, event.event_type, event.sender_email, event.domain, event.ip, event.resolved,
        event.customer_id, event.case_id, event.report_id, event.details, event.unassigned_cause, event.mute_rule_id
      from event where event.tenant_id = tenant and event.event_id = any(ids);
    return;
  end if;
  -- One by one, since a kept plan leaves out partitions for each id, and none for all of them. As a range, because of one id there is no order.
  return query
    select event.* from unnest(ids) as given (id) cross join lateral (
      select event.tenant_id, event.event_id, event.event_date, event.event_type, event.sender_email, event.domain, event.ip, event.resolved,
        event.customer_id, event.case_id, event.report_id, event.details, event.unassigned_cause, event.mute_rule_id
      from event where event.tenant_id = tenant and event.event_id >= given.id and event.event_id <= given.id
      order by event.event_id limit 1
    ) as event;
end
$function$;

create or replace function find_events_by_words(tenant text, words tsquery, before uuid, most integer)
 RETURNS TABLE(event_id uuid, case_id text, report_id uuid)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
begin
  if is_sharded() or not exists (select from event where event.tenant_id = tenant offset 3000) then
    return query
      select event.event_id, event.case_id, event.report_id from event
      where event.tenant_id = tenant and event.details is not null
        and jsonb_to_tsvector('simple', event.details, '["string"]') @@ words and (before is null or event.event_id < before)
      limit most;
    return;
  end if;
  return query
    select named.event_id, named.case_id, named.report_id from (
      select event.tenant_id, event.event_id, event.case_id, event.report_id from event
      where event.details is not null and jsonb_to_tsvector('simple', event.details, '["string"]') @@ words
      offset 0
    ) as named
    where named.tenant_id = tenant and (before is null or named.event_id < before)
    limit most;
end
$function$;

create or replace function find_events_of_items(tenant text, kind text, items text[], most integer)
 RETURNS TABLE(item text, event_date timestamptz, event_type text, sender_email text, report_id uuid, case_id text, mute_rule_id uuid)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
begin
  case kind
    when 'ip' then
      return query
        select event.ip, event.event_date, event.event_type, event.sender_email, event.report_id, event.case_id, event.mute_rule_id
        from event where event.tenant_id = tenant and event.ip = any(items) limit most;
    when 'domain' then
      return query
        select event.domain, event.event_date, event.event_type, event.sender_email, event.report_id, event.case_id, event.mute_rule_id
        from event where event.tenant_id = tenant and event.domain = any(items) limit most;
  end case;
end
$function$;

create or replace function find_months_of_events(tenant text, kind text, given text[])
 RETURNS TABLE(low uuid, high uuid)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
declare
  most constant integer := 1000;
  ids uuid[];
begin
  case kind
    when 'case' then
      ids := array(select event_id from event where tenant_id = tenant and case_id = any(given) limit 1001);
    when 'customer' then
      ids := array(select event_id from event where tenant_id = tenant and customer_id = any(given) limit 1001);
    when 'ip' then
      ids := array(select event_id from event where tenant_id = tenant and ip = any(given) limit 1001);
    when 'domain' then
      ids := array(select event_id from event where tenant_id = tenant and domain = any(given) limit 1001);
    when 'sender' then
      ids := array(select event_id from event where tenant_id = tenant and lower(sender_email) = any(given) limit 1001);
    -- The conditions of these two are those of src/kernel/db/word-query.ts.
    when 'site' then
      ids := array(select event_id from event where tenant_id = tenant and domain is not null
        and reverse(domain) >= reverse(given[1]) and reverse(domain) < reverse(given[1]) || '/'
        order by reverse(domain) limit 1001);
    when 'range' then
      ids := array(select event_id from event where tenant_id = tenant and ip is not null
        and ip::inet >= host(network(given[1]::cidr))::inet and ip::inet <= host(broadcast(given[2]::cidr))::inet
        order by ip::inet limit 1001);
  end case;
  if cardinality(ids) > most then
    return query select '00000000-0000-0000-0000-000000000000'::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid;
    return;
  end if;
  -- As text, because the least of UUIDs is newer than PostgreSQL 15.
  return query
    select min(found.id)::uuid, max(found.id)::uuid
    from (
      select one::text collate "C" as id,
        to_timestamp(('x' || translate(left(one::text, 13), '-', ''))::bit(48)::bigint / 1000.0) at time zone 'UTC' as arrived
      from unnest(ids) as one
    ) as found
    group by date_trunc('month', found.arrived);
end
$function$;

create or replace function find_newest_event(tenant text, before uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
begin
  return (
    select event_id from event
    where tenant_id = tenant and event_id < coalesce(before, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
    order by event_id desc limit 1);
end
$function$;

create or replace function find_reports_of_senders(tenant text, beginning text, most integer)
 RETURNS TABLE(report_id uuid)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
begin
  return query
    select event.report_id from event
    where event.tenant_id = tenant and lower(event.sender_email) >= beginning and lower(event.sender_email) < beginning || chr(1114111)
      and event.report_id is not null
    order by lower(event.sender_email) limit most;
end
$function$;

create or replace function forget_audit(chain text, through_seq bigint)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
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
$function$;

create or replace function forget_demo_audit(chain text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$;

create or replace function is_sharded()
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  found boolean;
begin
  if to_regclass('pg_catalog.pg_dist_partition') is null then
    return false;
  end if;
  execute $q$select exists (select from pg_catalog.pg_dist_partition where logicalrelid = to_regclass('tenant') and partmethod = 'n' and repmodel = 't')$q$ into found;
  return found;
end
$function$;

create or replace function mark_audit_erasure()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.erased_at := coalesce(old.erased_at, now());
  return new;
end
$function$;

create or replace function month_floor(month date)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE STRICT
AS $function$
  -- No greater than any UUIDv7 of the month, and greater than all before.
  select (substr(digits, 1, 8) || '-' || substr(digits, 9, 4) || '-7000-8000-000000000000')::uuid
  from (select lpad(to_hex((extract(epoch from month::timestamp at time zone 'UTC') * 1000)::bigint), 12, '0') as digits) as one
$function$;

create or replace function protect_rows_of_tenants()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  name regclass;
  -- Both are written as `… is not null` for the planner, see 0083.
  by_row constant text := '(case current_setting(''casework.tenant_id'', true) when tenant_id then 1 when ''*'' then 1 end) is not null';
  by_statement constant text := '(case (select current_setting(''casework.tenant_id'', true)) when tenant_id then 1 when ''*'' then 1 end) is not null';
begin
  for name in
    select c.oid from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
      and a.attname = 'tenant_id' and not a.attisdropped
      and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'rows_of_tenants')
    order by c.relname
  loop
    execute format('alter table %s enable row level security', name);
    execute format('alter table %s force row level security', name);
    execute format('create policy rows_of_tenants on %s using (%s) with check (%s)', name,
      case when name = 'event'::regclass then by_statement else by_row end, by_row);
  end loop;
end
$function$;

create or replace function refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

create or replace function shard_by_tenant(name regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  condition constant text := '(case current_setting(''casework.tenant_id'', true) when tenant_id then 1 when ''*'' then 1 end) is not null';
  -- A table with a key to a reference table is made anew by Citus, so its number does not last.
  table_name constant text := name::text;
  -- The table itself, and its months.
  tables text[];
  part text;
  neighbour text;
  is_there boolean;
begin
  if not is_sharded() then
    return;
  end if;
  execute 'select exists (select from pg_catalog.pg_dist_partition where logicalrelid = $1 and partmethod = ''h'')' into is_there using name;
  if is_there then
    return;
  end if;
  execute $q$select logicalrelid::text from pg_catalog.pg_dist_partition join pg_class c on c.oid = logicalrelid
    where partmethod = 'h' and c.relnamespace = current_schema()::regnamespace order by logicalrelid::text limit 1$q$ into neighbour;
  perform protect_rows_of_tenants();
  execute format('alter policy rows_of_tenants on %s using (%s)', table_name, condition);
  select array_agg(oid::regclass::text order by oid) into tables from pg_class
    where oid = name or oid in (select inhrelid from pg_inherits where inhparent = name);
  foreach part in array tables loop
    execute format('alter table %s no force row level security', part);
    execute format('alter table %s disable row level security', part);
  end loop;
  execute 'select create_distributed_table($1, ''tenant_id'', colocate_with => $2)' using table_name::regclass, coalesce(neighbour, 'none');
  execute 'select truncate_local_data_after_distributing_table($1)' using table_name::regclass;
  foreach part in array tables loop
    execute format('alter table %s enable row level security', part);
    execute format('alter table %s force row level security', part);
  end loop;
end
$function$;
