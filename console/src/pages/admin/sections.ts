// The sections of the administration, in their order, with the scopes of which one opens each.

import {
  Activity,
  Archive,
  Bot,
  Building2,
  EyeOff,
  KeyRound,
  Mail,
  ScrollText,
  ShieldBan,
  UserCog,
  Users,
  UsersRound,
  Webhook,
} from 'lucide-react'
import type { ComponentType } from 'react'

export interface Section {
  readonly id: string
  readonly group: 'access' | 'data' | 'connections' | 'instance'
  readonly icon: ComponentType<{ readonly size?: number; readonly 'aria-hidden'?: boolean }>
  /** One of them is enough; none is needed where the list is empty. */
  readonly scopes: readonly string[]
}

export const SECTIONS = [
  { id: 'people', group: 'access', icon: Users, scopes: ['users:manage'] },
  { id: 'groups', group: 'access', icon: UsersRound, scopes: ['users:manage'] },
  { id: 'roles', group: 'access', icon: UserCog, scopes: ['users:manage', 'tokens:manage'] },
  { id: 'tokens', group: 'access', icon: KeyRound, scopes: ['tokens:manage'] },
  { id: 'service-accounts', group: 'access', icon: Bot, scopes: ['tokens:manage'] },
  { id: 'audit', group: 'data', icon: ScrollText, scopes: ['audit:read'] },
  { id: 'retention', group: 'data', icon: Archive, scopes: ['tenant:admin'] },
  {
    id: 'privacy',
    group: 'data',
    icon: EyeOff,
    scopes: ['privacy:erase', 'privacy:export', 'privacy:hold'],
  },
  { id: 'webhooks', group: 'connections', icon: Webhook, scopes: ['webhooks:manage'] },
  { id: 'mail', group: 'connections', icon: Mail, scopes: ['tenant:admin', 'instance:admin'] },
  { id: 'mitigations', group: 'connections', icon: ShieldBan, scopes: ['tenant:admin'] },
  { id: 'tenants', group: 'instance', icon: Building2, scopes: ['tenant:admin', 'instance:admin'] },
  { id: 'health', group: 'instance', icon: Activity, scopes: [] },
] as const satisfies readonly Section[]

export type SectionId = (typeof SECTIONS)[number]['id']

export const GROUPS = ['access', 'data', 'connections', 'instance'] as const

export function findSection(id: string): (typeof SECTIONS)[number] | undefined {
  return SECTIONS.find((section) => section.id === id)
}

export function isAllowed({ scopes }: Section, held: readonly string[]): boolean {
  return scopes.length === 0 || scopes.some((scope) => held.includes(scope))
}

/** The shipped role that a person asks for to get the scope. */
export function roleWith(scope: string): string {
  if (scope === 'instance:admin') return 'instance-admin'
  return scope === 'audit:read' ? 'auditor' : 'tenant-admin'
}
