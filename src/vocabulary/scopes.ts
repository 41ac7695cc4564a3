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
  'ops:read',
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
const AGENT = [...VIEWER, 'cases:write', 'cases:transition', 'playbooks:trigger'] as const
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
    'tokens:manage',
    'tenant:admin',
    'events:ingest',
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

export const ROLE_NAMES: readonly RoleName[] = Object.keys(ROLE_SCOPES).filter(isRoleName)

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text)
}

export function isRoleName(text: string): text is RoleName {
  return Object.hasOwn(ROLE_SCOPES, text)
}
