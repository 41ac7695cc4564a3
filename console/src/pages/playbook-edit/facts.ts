// The names that conditions, expressions and templates may use, for completion. See docs/guides/
// write-a-playbook.md, which explains them.

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  case: [
    'id',
    'state',
    'case_group',
    'severity',
    'resolution',
    'close_reason',
    'waiting_on',
    'customer_status',
    'customer_id',
    'contract_id',
    'assignee_user_id',
    'tags',
    'metadata',
    'event_count',
    'event_types',
    'event_ips',
    'event_reporters',
    'event_tags',
    'reopen_count',
    'first_event_date',
    'last_event_date',
    'created_at',
    'updated_at',
    'due_at',
    'deadline_at',
  ],
  event: ['event_type', 'ip', 'domain', 'url', 'sender_email', 'event_date', 'details'],
  events: ['newest', 'count', 'last_day', 'last_week'],
  customer: ['is_known', 'id', 'name', 'parent_customer_id', 'contacts', 'metadata'],
  intel: ['ip', 'ip.listed', 'ip.intent', 'ip.tags', 'ip.activity', 'domain', 'domain.listed'],
  run: ['id', 'playbook_id', 'version', 'visits'],
}

const ROOTS: readonly string[] = [
  'case',
  'event',
  'events',
  'customer',
  'intel',
  'vars',
  'run',
  'now',
]

/** Facts, and what the nodes before may have kept in `vars`. */
export function listFacts(nodeIds: readonly string[]): readonly { readonly label: string }[] {
  return [
    ...ROOTS,
    ...Object.entries(MEMBERS).flatMap(([root, names]) => names.map((name) => `${root}.${name}`)),
    ...nodeIds.map((id) => `vars.${id}`),
  ].map((label) => ({ label }))
}
