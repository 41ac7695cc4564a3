// Every column of a tenant's tables that may hold an address of a person, and how an erasure treats
// it; and every other column of text, with the reason why none stands there. A test compares both
// lists with the schema, so a later migration names its columns here.

/**
 * An address in it is replaced; one in a `kept` column is counted and stays, because other rows
 * refer to it.
 */
export type PersonalColumn = 'text' | 'json' | 'list' | 'kept text' | 'kept json' | 'kept list'

export interface PersonalTable {
  readonly name: string
  /**
   * `settings`: an erasure counts addresses and changes none, because a changed rule or playbook
   * would act differently; the operator changes them. `copies`: the row is deleted.
   */
  readonly use?: 'settings' | 'copies'
  /** Its primary key without the tenant, with the types. Rows are walked in this order. */
  readonly key: Readonly<Record<string, string>>
  /** The column by which a row belongs to a case, for legal holds. */
  readonly belongsTo?: 'case_id' | 'run_id' | 'event_id' | 'report_id'
  readonly columns: Readonly<Record<string, PersonalColumn>>
}

/** In the order of their names, in which an erasure goes through them. */
export const PERSONAL_TABLES: readonly PersonalTable[] = [
  {
    name: 'abuse_case',
    key: { id: 'text' },
    columns: {
      id: 'kept text',
      case_group_id: 'kept text',
      customer_id: 'kept text',
      contract_id: 'kept text',
      event_types: 'list',
      event_ips: 'list',
      event_reporters: 'list',
      event_tags: 'list',
      resolution: 'text',
      close_reason: 'text',
      assignee_user_id: 'text',
      metadata: 'json',
      linked_case_id: 'kept text',
      tags: 'list',
      merged_into: 'text',
      run_waits_for: 'text',
      laws: 'list',
    },
  },
  {
    name: 'api_token',
    use: 'settings',
    key: { id: 'text' },
    columns: {
      id: 'text',
      name: 'text',
      contact_email: 'text',
      roles: 'list',
      owner_user_id: 'text',
      service_account_id: 'text',
    },
  },
  {
    name: 'audit_detail',
    key: { seq: 'bigint' },
    columns: {
      object_name: 'text',
      actor_name: 'text',
      address: 'text',
      before: 'json',
      after: 'json',
    },
  },
  {
    name: 'bulk_change',
    key: { id: 'uuid' },
    columns: { undone: 'json' },
  },
  {
    name: 'bulk_change_case',
    key: { bulk_change_id: 'uuid', case_id: 'text' },
    belongsTo: 'case_id',
    columns: { case_id: 'kept text', changes: 'json', move: 'json' },
  },
  {
    name: 'calendar',
    use: 'settings',
    key: { name: 'text' },
    columns: { name: 'text', settings: 'json' },
  },
  {
    name: 'case_comment',
    key: { case_id: 'text', id: 'uuid' },
    belongsTo: 'case_id',
    columns: {
      case_id: 'kept text',
      text: 'text',
      author: 'text',
      quoted: 'text',
      attachments: 'json',
      author_user_id: 'kept text',
    },
  },
  {
    name: 'case_group',
    use: 'settings',
    key: { id: 'text' },
    columns: {
      id: 'text',
      name: 'text',
      description: 'text',
      xarf_classes: 'list',
      key_fields: 'list',
      condition: 'text',
      severity_rules: 'json',
    },
  },
  {
    name: 'case_history',
    key: { case_id: 'text', id: 'uuid' },
    belongsTo: 'case_id',
    columns: {
      case_id: 'kept text',
      actor: 'text',
      reason: 'text',
      cause_id: 'kept text',
      changes: 'json',
    },
  },
  {
    name: 'case_last_event',
    key: { last_event_date: 'timestamptz', id: 'text' },
    columns: {
      id: 'kept text',
      state: 'text',
      customer_id: 'kept text',
      contract_id: 'kept text',
      case_group_id: 'kept text',
    },
  },
  {
    name: 'case_merge',
    key: { id: 'uuid' },
    columns: {
      source_id: 'kept text',
      target_id: 'kept text',
      resolution: 'text',
      close_reason: 'text',
    },
  },
  {
    name: 'case_slot',
    key: { case_group_id: 'text', key_hash: 'bytea' },
    belongsTo: 'case_id',
    columns: { case_group_id: 'kept text', case_id: 'kept text' },
  },
  {
    name: 'change',
    key: { id: 'bigint' },
    belongsTo: 'case_id',
    columns: {
      what: 'text',
      subject_id: 'kept text',
      case_id: 'kept text',
      actor_kind: 'text',
      actor: 'text',
      cause_id: 'kept text',
      data: 'json',
    },
  },
  {
    name: 'change_listener',
    key: { listener: 'text' },
    columns: { listener: 'kept text' },
  },
  {
    name: 'contract',
    key: { id: 'text' },
    columns: { id: 'kept text', customer_id: 'kept text', name: 'text', metadata: 'json' },
  },
  {
    name: 'customer',
    key: { id: 'text' },
    columns: {
      id: 'kept text',
      name: 'text',
      parent_customer_id: 'kept text',
      contacts: 'json',
      metadata: 'json',
    },
  },
  {
    name: 'device_code',
    key: { id: 'text' },
    columns: {
      id: 'kept text',
      client_name: 'text',
      address: 'text',
      address_group: 'text',
      user_id: 'kept text',
    },
  },
  {
    name: 'event',
    key: { event_id: 'uuid' },
    belongsTo: 'case_id',
    columns: {
      event_type: 'text',
      sender_email: 'text',
      domain: 'text',
      ip: 'text',
      customer_id: 'kept text',
      contract_id: 'kept text',
      case_id: 'kept text',
      xarf_class: 'text',
      recipient_email: 'text',
      reporter_report_id: 'kept text',
      event_subtypes: 'list',
      tags: 'list',
      details: 'json',
      merged_from: 'text',
    },
  },
  {
    name: 'held_event',
    key: { event_id: 'uuid' },
    belongsTo: 'event_id',
    columns: { case_group_id: 'kept text' },
  },
  {
    name: 'kept_answer',
    key: { token_id: 'text', operation: 'text', key: 'text' },
    columns: { token_id: 'kept text', key: 'kept text', answer: 'json', operation: 'kept text' },
  },
  {
    name: 'legal_hold',
    key: { id: 'uuid' },
    belongsTo: 'case_id',
    columns: {
      case_id: 'kept text',
      reason: 'text',
      placed_by: 'text',
      lifted_by: 'text',
      lift_reason: 'text',
    },
  },
  {
    name: 'mail_suppression',
    key: { address_hash: 'bytea' },
    columns: { address: 'text', note: 'text', created_by: 'text' },
  },
  {
    name: 'mitigation',
    key: { id: 'uuid' },
    belongsTo: 'case_id',
    columns: {
      case_id: 'kept text',
      customer_id: 'kept text',
      target: 'text',
      adapter: 'text',
      parameters: 'json',
      note: 'text',
      effect_key: 'text',
      reason: 'text',
      detail: 'text',
      reference: 'text',
      created_by: 'text',
    },
  },
  {
    name: 'mitigation_adapter',
    use: 'settings',
    key: { name: 'text' },
    columns: { name: 'text', url: 'text', secret_name: 'text', kinds: 'list', description: 'text' },
  },
  {
    name: 'mitigation_attempt',
    key: { mitigation_id: 'uuid', attempt: 'integer' },
    belongsTo: 'case_id',
    columns: { case_id: 'kept text', failure: 'text' },
  },
  {
    name: 'mute_rule',
    use: 'settings',
    key: { id: 'uuid' },
    columns: {
      condition: 'text',
      key_match: 'json',
      reason: 'text',
      created_by: 'text',
      ended_by: 'text',
    },
  },
  {
    name: 'notice',
    key: { id: 'uuid' },
    belongsTo: 'case_id',
    columns: {
      case_id: 'kept text',
      purpose: 'text',
      template: 'text',
      customer_id: 'kept text',
      recipient: 'text',
      subject: 'text',
      text: 'text',
      reason: 'text',
      message_id: 'kept text',
      thread: 'text',
      in_reply_to: 'text',
      effect_key: 'text',
      reply_key: 'text',
      created_by: 'text',
      evidence: 'json',
    },
  },
  {
    name: 'notice_attempt',
    key: { notice_id: 'uuid', attempt: 'smallint' },
    columns: { failure: 'text' },
  },
  {
    name: 'notice_limits',
    key: {},
    columns: { limits: 'json' },
  },
  {
    name: 'notice_reply',
    key: { notice_id: 'uuid', mail_hash: 'bytea' },
    belongsTo: 'case_id',
    columns: { case_id: 'kept text' },
  },
  {
    name: 'notice_template',
    key: { id: 'uuid' },
    columns: { name: 'text', purpose: 'text', subject: 'text', body: 'text' },
  },
  {
    name: 'owner_answer',
    use: 'copies',
    key: { target: 'text', valid_from: 'timestamptz' },
    columns: { target: 'kept text', customer_id: 'kept text', contract_id: 'kept text' },
  },
  {
    name: 'owner_resolver',
    use: 'settings',
    key: {},
    columns: { url: 'text', header_name: 'text', header_value: 'text', failure: 'text' },
  },
  {
    name: 'pending_start',
    key: { case_id: 'text', playbook_id: 'uuid' },
    belongsTo: 'case_id',
    columns: { case_id: 'kept text' },
  },
  {
    name: 'playbook',
    use: 'settings',
    key: { id: 'uuid' },
    columns: { name: 'text' },
  },
  {
    name: 'playbook_version',
    use: 'settings',
    key: { playbook_id: 'uuid', version: 'integer' },
    columns: { graph: 'json', start_node: 'text', start_states: 'list', description: 'text' },
  },
  {
    name: 'report',
    key: { id: 'uuid' },
    columns: {
      media_type: 'text',
      reason: 'text',
      problems: 'json',
      format: 'text',
      reporter_report_id: 'kept text',
      received_by: 'text',
      fallback_reporter: 'text',
      envelope_from: 'text',
      envelope_to: 'list',
      remote_address: 'text',
      helo: 'text',
      message_id: 'kept text',
      authentication: 'json',
    },
  },
  {
    name: 'report_address',
    use: 'settings',
    key: { address: 'text' },
    columns: { address: 'text' },
  },
  {
    name: 'report_correction',
    key: { report_id: 'uuid', version: 'bigint' },
    belongsTo: 'report_id',
    columns: {
      corrected_by: 'text',
      reason: 'text',
      former_state: 'text',
      former_reason: 'text',
      changes: 'json',
    },
  },
  {
    name: 'report_sharing',
    key: {},
    columns: { source_key: 'text' },
  },
  {
    name: 'report_sighting_change',
    key: { id: 'uuid' },
    columns: { items: 'list' },
  },
  {
    name: 'resource',
    key: { id: 'uuid' },
    columns: { value: 'text', customer_id: 'kept text', contract_id: 'kept text' },
  },
  {
    name: 'role',
    use: 'settings',
    key: { name: 'text' },
    columns: { name: 'text', description: 'text' },
  },
  {
    name: 'rule_history',
    use: 'settings',
    key: { rule_kind: 'text', rule_id: 'text', id: 'uuid' },
    columns: { rule_id: 'text', actor: 'text', changes: 'json' },
  },
  {
    name: 'run',
    key: { id: 'uuid' },
    belongsTo: 'case_id',
    columns: { case_id: 'kept text', failure: 'text', started_by: 'text' },
  },
  {
    name: 'run_attempt',
    key: { run_id: 'uuid', token_id: 'smallint', visit: 'integer', attempt: 'integer' },
    belongsTo: 'case_id',
    columns: { case_id: 'kept text', node: 'text', detail: 'json' },
  },
  {
    name: 'run_token',
    key: { run_id: 'uuid', id: 'smallint' },
    belongsTo: 'case_id',
    columns: {
      case_id: 'kept text',
      node: 'text',
      chosen_path: 'text',
      chosen_by: 'text',
      waits_for: 'text',
      vars: 'json',
      memo: 'json',
      fork: 'text',
      begun_at_node: 'text',
      call_outcome: 'json',
    },
  },
  {
    name: 'saved_view',
    key: { id: 'uuid' },
    columns: { name: 'text', query: 'json', created_by: 'text' },
  },
  {
    name: 'schedule_tick',
    key: { playbook_id: 'uuid' },
    columns: { last_case: 'text' },
  },
  {
    name: 'secret',
    key: { owner: 'text', name: 'text' },
    columns: { owner: 'kept text', name: 'kept text', key_id: 'kept text' },
  },
  {
    name: 'service_account',
    use: 'settings',
    key: { id: 'text' },
    columns: { id: 'text', name: 'text' },
  },
  {
    name: 'sign_in_link',
    key: { secret_hash: 'bytea' },
    columns: { user_id: 'kept text' },
  },
  {
    name: 'sign_in_step',
    key: { secret_hash: 'bytea' },
    columns: { user_id: 'kept text' },
  },
  {
    name: 'stream_message',
    key: { serial: 'bigint' },
    belongsTo: 'case_id',
    columns: { what: 'text', subject_id: 'kept text', case_id: 'kept text' },
  },
  {
    name: 'tenant_user',
    key: { user_id: 'text' },
    columns: { user_id: 'kept text', invited_name: 'text', roles: 'list' },
  },
  {
    name: 'trigger_key',
    key: { token_id: 'text', key: 'text' },
    belongsTo: 'case_id',
    columns: {
      token_id: 'kept text',
      key: 'kept text',
      case_id: 'kept text',
      node: 'text',
      path: 'text',
    },
  },
  {
    name: 'trigger_signal',
    key: { run_id: 'uuid', token_id: 'smallint', visit: 'integer' },
    belongsTo: 'case_id',
    columns: { case_id: 'kept text', node: 'text', path: 'text', actor: 'text' },
  },
  {
    name: 'trusted_reporter',
    use: 'settings',
    key: { reporter: 'text' },
    columns: { reporter: 'text', note: 'text', created_by: 'text' },
  },
  {
    name: 'user_group',
    key: { id: 'text' },
    columns: { id: 'kept text', name: 'text' },
  },
  {
    name: 'user_group_member',
    key: { group_id: 'text', user_id: 'text' },
    columns: { group_id: 'kept text', user_id: 'kept text' },
  },
  {
    name: 'user_session',
    key: { id: 'text' },
    columns: { id: 'kept text', user_id: 'kept text', address: 'text', user_agent: 'text' },
  },
  {
    name: 'visit',
    key: { run_id: 'uuid', token_id: 'smallint', visit: 'integer' },
    belongsTo: 'case_id',
    columns: { case_id: 'kept text', node: 'text', path: 'text', actor: 'text', output: 'json' },
  },
  {
    name: 'webhook',
    key: { id: 'uuid' },
    columns: {
      url: 'text',
      description: 'text',
      case_groups: 'list',
      customers: 'list',
      event_types: 'list',
      disabled_reason: 'text',
    },
  },
  {
    name: 'webhook_attempt',
    key: { delivery_id: 'uuid', attempt: 'smallint' },
    columns: { failure: 'text' },
  },
  {
    name: 'webhook_delivery',
    key: { id: 'uuid' },
    columns: { body: 'text' },
  },
]

/** Columns of text in these tables that hold no address. */
export const COLUMNS_WITHOUT_PERSONS: readonly {
  readonly reason: string
  readonly columns: readonly string[]
}[] = [
  {
    reason: 'A check of the table lists its words.',
    columns: [
      'abuse_case.customer_status',
      'abuse_case.severity',
      'abuse_case.state',
      'abuse_case.waiting_on',
      'case_comment.party',
      'case_group.late_event',
      'case_group.relapse',
      'case_group.severity',
      'case_history.actor_kind',
      'change.kind',
      'device_code.decision',
      'mail_suppression.cause',
      'mitigation.kind',
      'mitigation.removal_cause',
      'mitigation.state',
      'mitigation.target_type',
      'mitigation_attempt.action',
      'mitigation_attempt.outcome',
      'notice.evidence_profile',
      'notice.party',
      'notice.state',
      'notice_attempt.outcome',
      'notice_reply.kind',
      'notice_template.profile',
      'playbook_version.state',
      'report.state',
      'report.via',
      'resource.kind',
      'rule_history.kind',
      'rule_history.rule_kind',
      'run.state',
      'run_attempt.outcome',
      'run_token.state',
      'saved_view.list',
      'sign_in_link.kind',
      'sign_in_step.purpose',
      'webhook_delivery.state',
    ],
  },
  {
    reason: 'A word of the program: a kind, a state or a scope.',
    columns: [
      'abuse_case.deadlines_met',
      'api_token.scopes',
      'case_history.from_state',
      'case_history.kind',
      'case_history.to_state',
      'case_merge.state',
      'case_merge.waiting_on',
      'change_listener.kinds',
      'device_code.scopes',
      'event.unassigned_cause',
      'role.scopes',
      'sign_in_step.methods',
      'stream_message.kind',
      'user_session.methods',
      'visit.kind',
      'webhook.types',
      'webhook_delivery.type',
    ],
  },
  {
    reason: 'A language or a time zone.',
    columns: ['notice.language', 'notice_limits.time_zone', 'notice_template.language'],
  },
  {
    reason: 'A hash, a status code or a random value.',
    columns: [
      'kept_answer.request_hash',
      'notice_reply.status',
      'sign_in_step.challenge',
      'trigger_key.form_hash',
    ],
  },
  {
    reason: 'Networks (CIDR).',
    columns: ['api_token.networks'],
  },
]

/** Tables with columns of text that no erasure goes through. */
export const TABLES_NOT_ERASED: readonly {
  readonly reason: string
  readonly tables: readonly string[]
}[] = [
  {
    reason: 'The record of erasures holds replacements, never an address.',
    tables: ['erasure'],
  },
  {
    reason: 'The chain of the audit log is sealed by hashes. Addresses stand in audit_detail.',
    tables: ['audit_checkpoint', 'audit_entry', 'audit_key'],
  },
  {
    reason: 'An account of a person who works here is forgotten when the person is removed.',
    tables: [
      'account_mail',
      'known_device',
      'provider_try',
      'user_account',
      'user_identity',
      'user_passkey',
      'user_recovery_code',
      'user_totp',
    ],
  },
  {
    reason: 'Intel belongs to the whole instance and comes from sources.',
    tables: [
      'allowance',
      'contact_check',
      'contact_domain',
      'contact_range',
      'fact_sweep',
      'former_sighting',
      'intel_change',
      'intel_push',
      'intel_source',
      'listing',
      'own_network',
      'sighting',
      'sighting_observation',
      'sighting_rule',
      'sighting_rule_history',
      'source_fetch',
      'tag',
      'tag_list',
      'tag_list_page',
      'tagging',
    ],
  },
  {
    reason: 'The operator of the instance names tenants and their settings.',
    tables: ['tenant'],
  },
  {
    reason: 'The program writes it for itself.',
    tables: ['demo_record', 'mailbox_lease', 'schema_migration'],
  },
]
