// The scopes of a token (design section 10 "Tokens"), and the roles, which are sets of scopes
// (reference: case operations 3.5).

export const SCOPES = [
  'intel:read',
  'intel:write',
  'sources:manage',
  'events:read',
  'events:ingest',
  'events:raw',
  'cases:read',
  'cases:write',
  'cases:transition',
  'cases:merge',
  'customers:read',
  'customers:write',
  'playbooks:read',
  'playbooks:write',
  'playbooks:activate',
  'playbooks:simulate',
  'playbooks:trigger',
  'mitigations:execute',
  'mitigations:undo',
  'rules:write',
  'notices:send',
  'webhooks:manage',
  'ops:read',
  'users:manage',
  'tokens:manage',
  'tenant:admin',
  'audit:read',
  'privacy:erase',
  'privacy:export',
  'privacy:hold',
  'instance:admin',
] as const

export type Scope = (typeof SCOPES)[number]

const VIEWER = [
  'intel:read',
  'events:read',
  'cases:read',
  'customers:read',
  'playbooks:read',
] as const
const AGENT = [
  ...VIEWER,
  // A complaint by phone becomes an event too.
  'events:ingest',
  'cases:write',
  'cases:transition',
  'playbooks:trigger',
  'notices:send',
] as const
const LEAD = [
  ...AGENT,
  'cases:merge',
  'events:raw',
  'customers:write',
  'mitigations:execute',
  'mitigations:undo',
] as const
// Writes playbooks, tries them on past cases, activates their versions and attaches them to case
// groups.
const AUTHOR = [
  'playbooks:read',
  'playbooks:write',
  'playbooks:activate',
  'playbooks:simulate',
  'cases:read',
] as const

export const ROLE_SCOPES = {
  viewer: VIEWER,
  agent: AGENT,
  lead: LEAD,
  'playbook-author': AUTHOR,
  'tenant-admin': [
    ...LEAD,
    'playbooks:write',
    'playbooks:activate',
    'playbooks:simulate',
    'rules:write',
    'webhooks:manage',
    'users:manage',
    'tokens:manage',
    'tenant:admin',
    'audit:read',
    'privacy:erase',
    'privacy:export',
    'privacy:hold',
  ],
  auditor: ['audit:read'],
  ingest: ['events:ingest'],
  feeder: ['intel:read', 'intel:write', 'sources:manage'],
  automation: ['cases:read', 'playbooks:read', 'playbooks:trigger'],
  'instance-admin': SCOPES,
} as const satisfies Record<string, readonly Scope[]>

export type RoleName = keyof typeof ROLE_SCOPES

/** Who gets a shipped role. */
export const ROLE_DESCRIPTIONS: Readonly<Record<RoleName, string>> = {
  viewer: 'Reads everything but raw reports and settings.',
  agent:
    'Works cases: opens them by events, changes them, triggers playbooks, writes to customers and reporters.',
  lead: 'An agent who also merges cases, sees raw reports, changes customers and mitigates.',
  'playbook-author': 'Writes, tries and activates playbooks, and attaches them to case groups.',
  'tenant-admin':
    'Administers a tenant: its settings, rules, people, roles and tokens; reads its audit log.',
  auditor: 'Reads the audit log and nothing else.',
  ingest: 'A program that sends reports and events.',
  feeder: 'A program that sends what is known of addresses, and keeps sources.',
  automation: 'A program that reads cases and triggers playbooks.',
  'instance-admin': 'Administers the instance and all its tenants.',
}

/** What a scope allows, for people. */
export const SCOPE_DESCRIPTIONS: Readonly<Record<Scope, string>> = {
  'intel:read': 'look up addresses, tags, sources and changes',
  'intel:write': 'push sightings, listings and taggings',
  'sources:manage': 'create, change, fetch and delete sources',
  'events:read': 'read events and reports',
  'events:ingest': 'send reports and events',
  'events:raw': 'download reports as they arrived',
  'cases:read': 'read cases with all that is on them',
  'cases:write': 'change cases, comment',
  'cases:transition': 'move cases to another state',
  'cases:merge': 'merge, unmerge and split cases',
  'customers:read': 'read customers, contracts and resources',
  'customers:write': 'change customers, contracts and resources',
  'playbooks:read': 'read playbooks and runs',
  'playbooks:write': 'write playbooks and their versions',
  'playbooks:activate': 'put a version into use, attach playbooks to case groups, migrate runs',
  'playbooks:simulate': 'try a playbook on past cases',
  'playbooks:trigger': 'trigger, start, cancel, pause and resume runs',
  'mitigations:execute': 'ask for and confirm mitigations',
  'mitigations:undo': 'take mitigations back',
  'rules:write': 'change case groups and mute rules',
  'notices:send': 'send, repeat and cancel notices',
  'webhooks:manage': 'keep webhooks and see their deliveries',
  'ops:read': 'read any event by its id, for operations',
  'users:manage': 'manage people, groups and roles',
  'tokens:manage': 'manage tokens and service accounts',
  'tenant:admin': 'change the settings of the tenant',
  'audit:read': 'read the audit log',
  'privacy:erase': 'erase the records of a person',
  'privacy:export': 'export the records of a person',
  'privacy:hold': 'place and lift legal holds',
  'instance:admin': 'administer the instance and all its tenants',
}

export const ROLE_NAMES: readonly RoleName[] = Object.keys(ROLE_SCOPES).filter(isRoleName)

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text)
}

export function isRoleName(text: string): text is RoleName {
  return Object.hasOwn(ROLE_SCOPES, text)
}
