// The groups of operations in the reference: one tag a resource, in the order in which a desk, then
// a developer, then an operator meets them.

import type { Route } from '../kernel/http/route.ts'

interface Tag {
  readonly name: string
  readonly description: string
}

const TAGS: readonly Tag[] = [
  { name: 'Cases', description: 'What a desk works on: events of one customer and one matter.' },
  { name: 'Comments', description: 'What people and programs write on a case.' },
  { name: 'Events', description: 'Single facts about an address, a domain or a URL.' },
  { name: 'Reports', description: 'Abuse reports as they came, and how they were read.' },
  {
    name: 'Playbook runs',
    description: 'Playbooks at work on cases, and the choices they ask for.',
  },
  { name: 'Notices', description: 'Mail about a case to customers, reporters and others.' },
  { name: 'Mitigations', description: 'Measures against a target, carried out by adapters.' },
  { name: 'Legal holds', description: 'Cases that no erasure and no retention may touch.' },
  { name: 'Look-ups', description: 'What is known of an address, a range or a domain.' },
  { name: 'Tags', description: 'The catalogue of tags, and the items that carry one.' },
  { name: 'Customers', description: 'Who is responsible for addresses, domains and accounts.' },
  { name: 'Contracts', description: 'What groups the resources of a customer.' },
  { name: 'Resources', description: 'The addresses, domains and accounts of a customer.' },
  { name: 'Case groups', description: 'Rules by which events become cases.' },
  { name: 'Mute rules', description: 'Rules by which events open no case for a time.' },
  { name: 'Playbooks', description: 'What is done with a case, as a graph of nodes.' },
  { name: 'Calendars', description: 'Business hours, by which playbooks count.' },
  { name: 'Secrets', description: 'Values that playbooks and adapters use and nobody reads.' },
  { name: 'Templates', description: 'The texts of notices, by language.' },
  { name: 'Notice limits', description: 'How many notices a case and an address get.' },
  { name: 'Suppressed addresses', description: 'Addresses to which nothing is sent.' },
  { name: 'Mitigation adapters', description: 'The systems that carry out mitigations.' },
  { name: 'Views', description: 'Lists of the desk, kept by name.' },
  { name: 'Statistics', description: 'Counts over time, and the most frequent values.' },
  { name: 'Webhooks', description: 'Messages about changes to programs of your own.' },
  { name: 'Trusted reporters', description: 'Reporters whose reports count at once.' },
  { name: 'Sources', description: 'Where intel comes from, and the lists that are kept.' },
  { name: 'Intel intake', description: 'Sightings, listings, allowances and tags come in.' },
  { name: 'Sighting rules', description: 'Rules by which sightings set tags.' },
  { name: 'Networks', description: 'Your own address ranges, and what is known inside them.' },
  { name: 'Abuse contacts', description: 'Whom to tell about an address range or a domain.' },
  { name: 'Changes', description: 'The change log of intel, to follow it.' },
  { name: 'Privacy', description: 'Retention, erasure and export of data about people.' },
  { name: 'Sessions', description: 'Signing in, by password or link, and where one is signed in.' },
  { name: 'Users', description: 'The people who work for a tenant, and their roles.' },
  { name: 'Tokens', description: 'API tokens and what they may do.' },
  { name: 'Roles', description: 'Named sets of scopes: shipped ones, and those of a tenant.' },
  { name: 'Service accounts', description: 'Programs of a tenant that own tokens.' },
  { name: 'Tenants', description: 'Tenants and their settings.' },
  { name: 'Owner resolvers', description: 'A system of yours that is asked for owners.' },
  { name: 'Report addresses', description: 'The addresses for report mail, by tenant.' },
  { name: 'Process', description: 'Health, metrics and this document.' },
]

// By the last of these parts that the path has, without those in braces.
const TAG_OF_PART: Readonly<Record<string, string>> = {
  cases: 'Cases',
  comments: 'Comments',
  events: 'Events',
  reports: 'Reports',
  runs: 'Playbook runs',
  triggers: 'Playbook runs',
  decisions: 'Playbook runs',
  'trigger-playbook': 'Playbook runs',
  migrate: 'Playbook runs',
  notices: 'Notices',
  mitigations: 'Mitigations',
  hold: 'Legal holds',
  'legal-holds': 'Legal holds',
  query: 'Look-ups',
  'quick-check': 'Look-ups',
  explain: 'Look-ups',
  ranges: 'Look-ups',
  snapshot: 'Look-ups',
  tags: 'Tags',
  customers: 'Customers',
  contracts: 'Contracts',
  resources: 'Resources',
  'case-groups': 'Case groups',
  'mute-rules': 'Mute rules',
  playbooks: 'Playbooks',
  'playbook-templates': 'Playbooks',
  'playbook.json': 'Playbooks',
  calendars: 'Calendars',
  secrets: 'Secrets',
  templates: 'Templates',
  'notice-limits': 'Notice limits',
  'suppressed-addresses': 'Suppressed addresses',
  'mitigation-adapters': 'Mitigation adapters',
  views: 'Views',
  stats: 'Statistics',
  webhooks: 'Webhooks',
  'trusted-reporters': 'Trusted reporters',
  sources: 'Sources',
  sightings: 'Intel intake',
  listings: 'Intel intake',
  allowances: 'Intel intake',
  taggings: 'Intel intake',
  'sighting-rules': 'Sighting rules',
  networks: 'Networks',
  contacts: 'Abuse contacts',
  changes: 'Changes',
  retention: 'Privacy',
  erasures: 'Privacy',
  'privacy-exports': 'Privacy',
  session: 'Sessions',
  sessions: 'Sessions',
  users: 'Users',
  groups: 'Users',
  assignees: 'Users',
  'setup-link': 'Users',
  tokens: 'Tokens',
  whoami: 'Tokens',
  roles: 'Roles',
  'service-accounts': 'Service accounts',
  tenants: 'Tenants',
  'owner-resolver': 'Owner resolvers',
  'report-addresses': 'Report addresses',
  'test-mails': 'Notices',
}

/** The tag of the operation: its group in the reference. */
export function chooseTag({ group, path }: Pick<Route, 'group' | 'path'>): string {
  if (group === 'system') return 'Process'
  const own = readParts(path).map((part) => TAG_OF_PART[part])
  // Events of a report are asked for by those who look at the report.
  if (own.includes('Reports') && own.includes('Events')) return 'Reports'
  return own.findLast((name) => name !== undefined) ?? nameTag(path)
}

/** A resource that has no entry yet is called as in its path. */
function nameTag(path: string): string {
  const [first = ''] = readParts(path)
  return `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replaceAll('-', ' ')
}

function readParts(path: string): readonly string[] {
  return path
    .replace(/^\/(?:beta\/(?:(?:casework|admin|ops)\/)?)?/, '')
    .split('/')
    .filter((part) => part !== '' && !part.startsWith('{'))
}

/** The tags of these routes, in their order. */
export function listTags(routes: readonly Route[]): readonly Tag[] {
  const used = new Set(routes.map(chooseTag))
  const known = TAGS.filter((tag) => used.delete(tag.name))
  return [...known, ...[...used].map((name) => ({ name, description: `${name}.` }))]
}

/** In the order of the tags, and within one from the whole to its parts. */
export function sortRoutes(routes: readonly Route[]): readonly Route[] {
  const order = listTags(routes).map((tag) => tag.name)
  const rank = (route: Route): number => order.indexOf(chooseTag(route))
  return routes.toSorted(
    (one, other) => rank(one) - rank(other) || countParts(one) - countParts(other),
  )
}

function countParts({ path }: Route): number {
  return path.split('/').length
}
