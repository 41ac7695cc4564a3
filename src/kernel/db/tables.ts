// What is read from each column of each table. Made by "npm run write" from the migrations.

/** The types of columns by table. */
export interface Tables {
  abuse_case: {
    tenant_id: string
    id: string
    case_group_id: string
    key_hash: Buffer
    state: string
    version: number
    created_at: Date
    updated_at: Date
    customer_id: string
    contract_id: string | null
    first_event_date: Date
    last_event_date: Date
    event_count: number
    event_types: readonly string[]
    event_ips: readonly string[]
    event_reporters: readonly string[]
    event_tags: readonly string[]
    resolution: string | null
    close_reason: string | null
    resolved_at: Date | null
    ended_at: Date | null
    reopen_count: number
    severity: string | null
    assignee_user_id: string | null
    metadata: object
    linked_case_id: string | null
    waiting_on: string
    customer_status: string
    tags: readonly string[]
    aware_at: Date | null
    deadline_at: Date | null
    deadlines_met: readonly string[]
    merged_into: string | null
    sealed_at: Date | null
    former_last_event_date: Date | null
    run_waits_for: string | null
    laws: readonly string[]
    due_at: Date | null
  }
  account_mail: {
    id: string
    kind: string
    user_id: string | null
    invited_to: string | null
    language: string
    created_at: Date
    due_at: Date
    attempts: number
  }
  allowance: {
    subject: string
    source_id: number
    name: string
    is_active: boolean
    reason: string | null
    first_seen: Date
    last_seen: Date
    expires_at: Date | null
  }
  api_token: {
    id: string
    token_hash: Buffer
    name: string
    tenant_id: string
    scopes: readonly string[]
    contact_email: string | null
    is_bootstrap: boolean
    created_at: Date
    expires_at: Date | null
    revoked_at: Date | null
    last_used_at: Date | null
    changed_serial: number
    roles: readonly string[]
    networks: readonly string[] | null
    owner_user_id: string | null
    service_account_id: string | null
    former_hash: Buffer | null
    former_until: Date | null
    rotated_at: Date | null
    is_personal: boolean
  }
  api_token_serial: {
    id: number
    serial: number
  }
  audit_checkpoint: {
    tenant_id: string
    seq: number
    kind: string
    at: Date
    hash: Buffer
    key_id: string
    signature: Buffer
  }
  audit_detail: {
    tenant_id: string
    seq: number
    salt: Buffer
    object_name: string | null
    actor_name: string | null
    address: string | null
    before: object | null
    after: object | null
    erased_at: Date | null
  }
  audit_entry: {
    tenant_id: string
    seq: number
    at: Date
    act: string
    object_id: string
    actor_kind: string
    actor_id: string
    request_id: string | null
    key_id: string | null
    before_digest: Buffer | null
    after_digest: Buffer | null
    origin_digest: Buffer | null
    hash: Buffer
  }
  audit_head: {
    tenant_id: string
    seq: number
    hash: Buffer
  }
  audit_key: {
    id: string
    public_key: Buffer
    secret_key_id: string
    sealed: Buffer
    created_at: Date
  }
  bulk_change: {
    tenant_id: string
    id: string
    at: Date
    has_move: boolean
    has_comment: boolean
    undone: object | null
  }
  bulk_change_case: {
    tenant_id: string
    bulk_change_id: string
    case_id: string
    changes: object
    move: object | null
  }
  calendar: {
    tenant_id: string
    name: string
    settings: object
    updated_at: Date
  }
  case_comment: {
    tenant_id: string
    case_id: string
    id: string
    text: string
    author: string
    created_at: Date
    party: string | null
    is_automatic: boolean
    quoted: string | null
    report_id: string | null
    attachments: object | null
    author_user_id: string | null
  }
  case_group: {
    tenant_id: string
    id: string
    position: number
    name: string
    description: string
    is_enabled: boolean
    xarf_classes: readonly string[] | null
    key_fields: readonly string[]
    playbook_id: string | null
    condition: string | null
    threshold_events: number
    threshold_reporters: number
    threshold_window_seconds: number | null
    max_age_seconds: number | null
    max_gap_seconds: number | null
    relapse: string
    relapse_window_seconds: number | null
    late_event: string
    severity: string | null
    severity_rules: object | null
  }
  case_history: {
    tenant_id: string
    case_id: string
    id: string
    at: Date
    kind: string
    actor_kind: string
    actor: string
    from_state: string | null
    to_state: string | null
    reason: string | null
    cause_id: string | null
    changes: object | null
  }
  case_last_event: {
    tenant_id: string
    last_event_date: Date
    id: string
    state: string
    created_at: Date
    customer_id: string
    contract_id: string | null
    case_group_id: string
  }
  case_merge: {
    tenant_id: string
    id: string
    source_id: string
    target_id: string
    merged_at: Date
    unmerged_at: Date | null
    event_count: number
    state: string
    resolution: string | null
    close_reason: string | null
    resolved_at: Date | null
    ended_at: Date | null
    waiting_on: string
  }
  case_slot: {
    tenant_id: string
    case_group_id: string
    key_hash: Buffer
    case_id: string
  }
  change: {
    tenant_id: string
    id: number
    kind: string
    what: string
    subject_id: string
    case_id: string | null
    actor_kind: string
    actor: string
    cause_id: string | null
    data: object | null
    at: Date
    attempts: number
    due_at: Date
  }
  change_listener: {
    tenant_id: string
    listener: string
    kinds: readonly string[]
  }
  contact_check: {
    email: string
    status: string
    last_verification: Date | null
    failures: number
    recipient_status: string | null
    recipient_checked_at: Date | null
    next_check_at: Date
    shown_at: Date | null
    serial: number
  }
  contact_domain: {
    domain: string
    email: string
    source: string
    updated_at: Date
  }
  contact_range: {
    range: string
    email: string
    source: string
    updated_at: Date
  }
  contact_serial: {
    id: number
    serial: number
    check_serial: number
  }
  contract: {
    tenant_id: string
    id: string
    customer_id: string
    name: string | null
    valid_from: Date
    valid_until: Date
    metadata: object
    version: number
    created_at: Date
    updated_at: Date
  }
  correlation_lock: {
    tenant_id: string
  }
  cursor_key: {
    id: number
    secret: Buffer
    created_at: Date
  }
  customer: {
    tenant_id: string
    id: string
    name: string | null
    parent_customer_id: string | null
    contacts: object
    metadata: object
    version: number
    created_at: Date
    updated_at: Date
  }
  demo_record: {
    kind: string
    id: string
  }
  device_code: {
    id: string
    device_hash: Buffer
    user_code_hash: Buffer
    client_name: string
    address: string | null
    address_group: string
    scopes: readonly string[] | null
    created_at: Date
    expires_at: Date
    poll_seconds: number
    last_polled_at: Date | null
    decision: string | null
    user_id: string | null
    tenant_id: string | null
  }
  erasure: {
    tenant_id: string
    id: string
    replaced_by: string
    is_preview: boolean
    requested_by: string
    started_at: Date
    finished_at: Date | null
    place: object
    changed: object
    kept: object
    subjects: readonly string[]
    repeats: readonly string[]
    held: object
    unsearched: readonly string[]
    statistics_due: boolean
  }
  event: {
    tenant_id: string
    event_id: string
    create_date: Date
    event_date: Date
    event_type: string
    sender_email: string
    domain: string | null
    ip: string | null
    resolved: boolean
    customer_id: string | null
    contract_id: string | null
    case_id: string | null
    xarf_class: string | null
    recipient_email: string | null
    report_id: string | null
    reporter_report_id: string | null
    event_subtypes: readonly string[]
    tags: readonly string[]
    details: object | null
    unassigned_cause: string | null
    merged_from: string | null
    mute_rule_id: string | null
    resolved_before: readonly boolean[] | null
  }
  event_fingerprint: {
    tenant_id: string
    fingerprint: Buffer
    event_id: string
    seen_count: number
    last_seen: Date
  }
  event_hour: {
    tenant_id: string
    from_id: string
    until_id: string
    first_event_date: Date
  }
  fact_sweep: {
    fact_table: string
    subject: string
    source_id: number
    name: string
    next_at: Date
  }
  former_sighting: {
    subject: string
    source_id: number
    service: string
    type: string
    first_seen: Date
    last_seen: Date
    count: number
  }
  held_event: {
    tenant_id: string
    event_id: string
    case_group_id: string
    key_hash: Buffer
  }
  intel_change: {
    push_id: number
    subjects: readonly string[]
  }
  intel_push: {
    serial: number
    id: number
    mark: string
    subject_count: number
    created_at: Date
    fact_table: string | null
  }
  intel_serial: {
    id: number
    serial: number
    tag_serial: number
  }
  intel_source: {
    id: number
    kind: string
    name: string
    created_at: Date
    description: string | null
    origin: string | null
    licence: string | null
    ttl_seconds: number | null
    heard_at: Date | null
    heard_serial: number | null
  }
  kept_answer: {
    tenant_id: string
    token_id: string
    key: string
    request_hash: string
    answer: object | null
    created_at: Date
    operation: string
  }
  known_device: {
    user_id: string
    secret_hash: Buffer
    expires_at: Date
  }
  legal_hold: {
    tenant_id: string
    id: string
    case_id: string
    reason: string
    placed_at: Date
    placed_by: string
    extends_id: string | null
    lifted_at: Date | null
    lifted_by: string | null
    lift_reason: string | null
  }
  listing: {
    subject: string
    source_id: number
    name: string
    is_active: boolean
    reason: string | null
    first_seen: Date
    last_seen: Date
    expires_at: Date | null
  }
  mail_suppression: {
    tenant_id: string
    address_hash: Buffer
    address: string
    cause: string
    note: string
    notice_id: string | null
    created_at: Date
    created_by: string
  }
  mailbox_lease: {
    mailbox: string
    holder: string
    expires_at: Date
  }
  mitigation: {
    tenant_id: string
    id: string
    case_id: string
    customer_id: string
    run_id: string | null
    kind: string
    target_type: string
    target: string
    port: number
    adapter: string
    parameters: object
    note: string
    effect_key: string
    state: string
    reason: string | null
    detail: string | null
    reference: string | null
    removal_cause: string | null
    duration_seconds: number | null
    effective_from: Date | null
    expires_at: Date | null
    removed_at: Date | null
    is_accepted: boolean
    phase_at: Date
    tries: number
    attempts: number
    wake_at: Date | null
    lease_owner: string | null
    lease_until: Date | null
    created_at: Date
    created_by: string
    changed_at: Date
  }
  mitigation_adapter: {
    tenant_id: string
    name: string
    url: string
    secret_name: string
    kinds: readonly string[]
    description: string
    is_enabled: boolean
    created_at: Date
    updated_at: Date
  }
  mitigation_attempt: {
    tenant_id: string
    mitigation_id: string
    case_id: string
    attempt: number
    action: string
    started_at: Date
    duration_ms: number | null
    outcome: string | null
    status: number | null
    failure: string | null
  }
  mute_rule: {
    tenant_id: string
    id: string
    condition: string | null
    key_match: object | null
    reason: string
    created_at: Date
    created_by: string
    until: Date
    ended_at: Date | null
    ended_by: string | null
  }
  notice: {
    tenant_id: string
    id: string
    case_id: string | null
    purpose: string
    template: string
    language: string
    party: string
    customer_id: string | null
    recipient: string
    subject: string
    text: string
    state: string
    reason: string | null
    message_id: string
    thread: string
    in_reply_to: string | null
    effect_key: string | null
    reply_key: string | null
    reply_key_hash: Buffer | null
    reply_until: Date | null
    digest_id: string | null
    attempts: number
    wake_at: Date
    lease_owner: string | null
    lease_until: Date | null
    created_at: Date
    created_by: string
    sent_at: Date | null
    changed_at: Date
    former_key_hash: Buffer | null
    evidence_profile: string | null
    evidence: object | null
  }
  notice_attempt: {
    tenant_id: string
    notice_id: string
    attempt: number
    started_at: Date
    duration_ms: number
    outcome: string
    reply_code: number | null
    failure: string | null
  }
  notice_limits: {
    tenant_id: string
    is_on: boolean
    limits: object
    digest_hour: number
    time_zone: string
    updated_at: Date
  }
  notice_recipient: {
    tenant_id: string
    address_hash: Buffer
    used_at: Date
  }
  notice_reply: {
    tenant_id: string
    notice_id: string
    mail_hash: Buffer
    kind: string
    case_id: string | null
    report_id: string
    comment_id: string | null
    status: string | null
    received_at: Date
  }
  notice_template: {
    tenant_id: string
    id: string
    name: string
    language: string
    purpose: string
    profile: string
    subject: string
    body: string
    is_active: boolean
    version: number
    created_at: Date
    updated_at: Date
  }
  own_network: {
    source_id: number
    subject: string
  }
  own_network_serial: {
    id: number
    serial: number
  }
  owner_answer: {
    tenant_id: string
    target: string
    valid_from: Date
    valid_until: Date
    customer_id: string | null
    contract_id: string | null
    generation: string
    asked_at: Date
    expires_at: Date
  }
  owner_resolver: {
    tenant_id: string
    generation: string
    url: string
    header_name: string | null
    header_value: string | null
    timeout_ms: number
    cache_seconds: number
    updated_at: Date
    failures: number
    failed_at: Date | null
    failure: string | null
    retry_at: Date
    retry_failures: number
    retry_after_id: string | null
  }
  pending_start: {
    tenant_id: string
    case_id: string
    playbook_id: string
    noted_at: Date
    due_at: Date
  }
  playbook: {
    tenant_id: string
    id: string
    name: string
    active_version: number | null
    latest_version: number
    created_at: Date
  }
  playbook_version: {
    tenant_id: string
    playbook_id: string
    version: number
    state: string
    graph: object
    start_node: string
    created_at: Date
    activated_at: Date | null
    starts_new_cases: boolean
    start_debounce: number | null
    start_states: readonly string[]
    watches_cases: boolean
    description: string
    is_scheduled: boolean
  }
  provider_try: {
    secret_hash: Buffer
    provider: string
    link_hash: Buffer | null
    user_id: string | null
    address_group: string
    expires_at: Date
    next_page: string | null
  }
  report: {
    tenant_id: string
    id: string
    received_at: Date
    media_type: string
    byte_length: number
    sha256: Buffer
    state: string
    reason: string | null
    problems: object | null
    format: string | null
    reporter_report_id: string | null
    event_count: number
    received_by: string
    fallback_reporter: string | null
    via: string
    envelope_from: string | null
    envelope_to: readonly string[]
    remote_address: string | null
    helo: string | null
    message_id: string | null
    authentication: object | null
    is_raw_removed: boolean
    repeated_event_ids: readonly string[] | null
    is_mail: boolean | null
    version: number
  }
  report_address: {
    address: string
    tenant_id: string
    created_at: Date
    is_trap: boolean
  }
  report_correction: {
    tenant_id: string
    report_id: string
    version: number
    id: string
    at: Date
    corrected_by: string
    reason: string | null
    former_state: string
    former_reason: string | null
    changes: object
    withdrawn_event_ids: readonly string[]
  }
  report_raw: {
    tenant_id: string
    sha256: Buffer
    bytes: Buffer
  }
  report_sharing: {
    tenant_id: string
    source_key: string
    reporters_min: number
  }
  report_sighting_change: {
    tenant_id: string
    id: string
    items: readonly string[]
    due_at: Date
  }
  resource: {
    tenant_id: string
    id: string
    kind: string
    value: string
    customer_id: string
    contract_id: string | null
    valid_from: Date
    valid_until: Date
    version: number
    created_at: Date
    updated_at: Date
  }
  resource_block: {
    tenant_id: string
    family: number
    prefix_length: number
    network: string
    resource_id: string
    range_length: number
  }
  role: {
    tenant_id: string
    name: string
    description: string
    scopes: readonly string[]
    created_at: Date
    changed_at: Date
    changed_serial: number
  }
  rule_history: {
    tenant_id: string
    rule_kind: string
    rule_id: string
    id: string
    at: Date
    kind: string
    actor: string
    changes: object
  }
  run: {
    tenant_id: string
    id: string
    case_id: string
    playbook_id: string
    version: number
    state: string
    visits: number
    failure: string | null
    started_at: Date
    ended_at: Date | null
    started_by: string | null
    parent_run_id: string | null
    parent_token_id: number | null
    next_token: number
    depth: number
    paused_at: Date | null
  }
  run_attempt: {
    tenant_id: string
    run_id: string
    token_id: number
    visit: number
    attempt: number
    case_id: string
    node: string
    started_at: Date
    ended_at: Date | null
    outcome: string | null
    detail: object | null
  }
  run_token: {
    tenant_id: string
    run_id: string
    id: number
    case_id: string
    state: string
    node: string
    visit: number
    entered_at: Date
    chosen_path: string | null
    chosen_by: string | null
    wake_at: Date
    lease_owner: string | null
    lease_until: Date | null
    attempts: number
    waits_for: string | null
    timer_at: Date | null
    timer_rang: boolean
    watches_case: boolean
    vars: object
    memo: object | null
    fork: string
    calls: boolean
    begun_at_node: string | null
    key_visit: number | null
    call_outcome: object | null
  }
  saved_view: {
    tenant_id: string
    id: string
    name: string
    list: string
    query: object
    is_shared: boolean
    created_at: Date
    created_by: string
    updated_at: Date
  }
  schedule_tick: {
    tenant_id: string
    playbook_id: string
    version: number
    due_at: Date
    last_case: string | null
    taken_at: Date | null
  }
  schema_lock: {
    id: number
  }
  schema_migration: {
    version: number
    name: string
    checksum: string
    applied_at: Date
  }
  secret: {
    tenant_id: string
    owner: string
    name: string
    key_id: string
    sealed: Buffer
    updated_at: Date
  }
  service_account: {
    tenant_id: string
    id: string
    name: string
    created_at: Date
    changed_at: Date
  }
  sighting: {
    subject: string
    source_id: number
    service: string
    type: string
    day: Date
    first_seen: Date
    last_seen: Date
    count: number
    is_single: boolean
    is_closed: boolean
    changed_on: Date
  }
  sighting_observation: {
    subject: string
    source_id: number
    service: string
    type: string
    last_seen: Date
    first_seen: Date
    count: number
  }
  sighting_rule: {
    name: string
    kind: string
    types: readonly string[]
    services: readonly string[] | null
    count_min: number
    sources_min: number
    within_seconds: number | null
    tags: readonly string[]
    is_enabled: boolean
    is_edited: boolean
    version: number
  }
  sighting_rule_history: {
    id: string
    name: string
    at: Date
    kind: string
    actor: string
    before: object | null
    after: object | null
  }
  sign_in_back_off: {
    key_hash: Buffer
    failures: number
    last_failed_at: Date
    blocked_until: Date
  }
  sign_in_link: {
    secret_hash: Buffer
    kind: string
    user_id: string | null
    tenant_id: string | null
    created_at: Date
    expires_at: Date
    used_at: Date | null
  }
  sign_in_step: {
    secret_hash: Buffer
    purpose: string
    user_id: string | null
    tenant_id: string | null
    methods: readonly string[]
    challenge: string | null
    origin_hash: Buffer | null
    expires_at: Date
  }
  simulation: {
    tenant_id: string
    owner: string
    lease_until: Date
  }
  source_fetch: {
    source_id: number
    url: string
    format: string
    entry_name: string
    is_enabled: boolean
    interval_seconds: number
    etag: string | null
    last_modified: string | null
    tried_at: Date | null
    trouble: string | null
    next_at: Date
    leased_until: Date | null
  }
  source_history: {
    source_id: number
    day: Date
    entries: number
    added: number
    removed: number
    syncs: number
  }
  stream_head: {
    tenant_id: string
    serial: number
    kept_from: number
    wanted_until: Date
    is_settled: boolean
  }
  stream_message: {
    tenant_id: string
    serial: number
    kind: string
    what: string
    subject_id: string
    case_id: string | null
    at: Date
    noted_at: Date
  }
  tag: {
    name: string
    intent: string
    category: string
    description: string
    reference_links: object
    timeline: object
    is_edited: boolean
  }
  tag_list: {
    id: number
    tag: string
    serial: number
    total: number
    made_at: Date
    last_update: Date
  }
  tag_list_page: {
    list_id: number
    page: number
    entries: readonly string[]
  }
  tagging: {
    subject: string
    source_id: number
    name: string
    is_active: boolean
    reason: string | null
    first_seen: Date
    last_seen: Date
    expires_at: Date | null
  }
  tenant: {
    id: string
    name: string
    settings: object
    created_at: Date
    retention_at: Date
    share_sightings: boolean | null
    share_sightings_origin: string
    is_demo: boolean
  }
  tenant_user: {
    tenant_id: string
    user_id: string
    invited_name: string
    roles: readonly string[]
    created_at: Date
    accepted_at: Date | null
  }
  trigger_key: {
    tenant_id: string
    token_id: string
    key: string
    case_id: string
    node: string
    path: string
    run_id: string
    created_at: Date
    form_hash: string | null
    is_decided: boolean
  }
  trigger_signal: {
    tenant_id: string
    run_id: string
    token_id: number
    visit: number
    case_id: string
    node: string
    path: string
    actor: string
    accepted_at: Date
  }
  trusted_reporter: {
    tenant_id: string
    reporter: string
    note: string | null
    created_at: Date
    created_by: string
  }
  user_account: {
    id: string
    email: string
    email_key: string
    name: string
    password_hash: string | null
    disabled_at: Date | null
    created_at: Date
    last_sign_in_at: Date | null
  }
  user_group: {
    tenant_id: string
    id: string
    name: string
    created_at: Date
  }
  user_group_member: {
    tenant_id: string
    group_id: string
    user_id: string
  }
  user_identity: {
    id: string
    user_id: string
    provider: string
    issuer: string
    subject: string
    email: string | null
    created_at: Date
    last_used_at: Date | null
  }
  user_passkey: {
    id: string
    user_id: string
    credential_id: string
    public_key: Buffer
    sign_count: number
    transports: readonly string[]
    name: string
    is_synced: boolean
    created_at: Date
    last_used_at: Date | null
  }
  user_recovery_code: {
    user_id: string
    code_hash: Buffer
    created_at: Date
    used_at: Date | null
  }
  user_session: {
    id: string
    secret_hash: Buffer
    user_id: string
    tenant_id: string
    methods: readonly string[]
    created_at: Date
    last_used_at: Date
    expires_at: Date
    ended_at: Date | null
    address: string | null
    user_agent: string | null
    changed_serial: number
    proven_at: Date | null
    must_enrol: boolean
  }
  user_totp: {
    user_id: string
    secret_key_id: string
    sealed: Buffer
    created_at: Date
    confirmed_at: Date | null
    last_step: number
  }
  visit: {
    tenant_id: string
    run_id: string
    token_id: number
    visit: number
    case_id: string
    node: string
    kind: string
    path: string | null
    actor: string | null
    output: object | null
    entered_at: Date
    left_at: Date
  }
  webhook: {
    tenant_id: string
    id: string
    url: string
    description: string
    types: readonly string[]
    case_groups: readonly string[] | null
    customers: readonly string[] | null
    event_types: readonly string[] | null
    is_enabled: boolean
    disabled_reason: string | null
    created_at: Date
    updated_at: Date
  }
  webhook_attempt: {
    tenant_id: string
    delivery_id: string
    attempt: number
    started_at: Date
    duration_ms: number
    status: number | null
    failure: string | null
  }
  webhook_delivery: {
    tenant_id: string
    id: string
    webhook_id: string
    type: string
    body: string
    state: string
    attempts: number
    created_at: Date
    wake_at: Date
    lease_owner: string | null
    lease_until: Date | null
    ended_at: Date | null
  }
}
