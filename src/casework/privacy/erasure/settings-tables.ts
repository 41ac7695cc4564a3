// What the operator has set up. An address in it is told and not changed, for the operator to do: a
// rule or playbook that says something else is another.

export const SETTINGS_TABLES: ReadonlySet<string> = new Set([
  'api_token',
  'case_group',
  'mute_rule',
  'owner_resolver',
  'playbook',
  'playbook_version',
  'report_address',
  'rule_history',
])
