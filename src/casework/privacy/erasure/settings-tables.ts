// Tables of settings. An erasure counts addresses in them and does not change them, because a
// changed rule or playbook would act differently. The operator changes them.

export const SETTINGS_TABLES: ReadonlySet<string> = new Set([
  'api_token',
  'calendar',
  'case_group',
  'mitigation_adapter',
  'mute_rule',
  'owner_resolver',
  'playbook',
  'playbook_version',
  'report_address',
  'role',
  'rule_history',
  'service_account',
  'trusted_reporter',
])
