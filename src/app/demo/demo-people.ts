// The people of the demo: they act in its story and their names stand in it, and none of them can
// sign in. Machines that bring reports are service accounts.

import { createHash } from 'node:crypto'
import { ensureUser, insertMembership } from '../../access/people/user-store.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { Caller, CallerOwner } from '../../vocabulary/caller.ts'
import { SCOPES } from '../../vocabulary/scopes.ts'
import type { DemoDesk } from './demo-desk.ts'

export interface DemoPerson {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: 'agent' | 'lead' | 'viewer' | 'tenant-admin'
}

export const HOSTING_PEOPLE = {
  mira: person('mira', 'Mira Sandberg', 'lead'),
  tomas: person('tomas', 'Tomáš Havel', 'agent'),
  aisha: person('aisha', 'Aisha Rahman', 'agent'),
  jonas: person('jonas', 'Jonas Weidner', 'agent'),
  lena: person('lena', 'Lena Okafor', 'agent'),
  per: person('per', 'Per Nyström', 'tenant-admin'),
} as const

export const REGISTRAR_PEOPLE = {
  ingrid: person('ingrid', 'Ingrid Solberg', 'lead'),
  davide: person('davide', 'Davide Conti', 'agent'),
} as const

function person(id: string, name: string, role: DemoPerson['role']): DemoPerson {
  return { id: `usr_${idOf(id)}`, name, email: `${id}@desk.nordhafen.example`, role }
}

/** Only ids of the form that the program makes are shown with a name beside them. */
function idOf(name: string): string {
  return createHash('sha256').update(`demo ${name}`).digest('hex').slice(0, 32)
}

export async function insertPeople(
  tx: Tx,
  tenantId: string,
  people: readonly DemoPerson[],
): Promise<void> {
  for (const { id, email, name, role } of people) {
    await ensureUser(tx, { id, email, name })
    const membership = { tenantId, roles: [role], isAccepted: true, invitedName: name }
    await insertMembership(tx, id, membership)
  }
}

const ALL_BUT_INSTANCE = SCOPES.filter((scope) => scope !== 'instance:admin')

/** A person who has signed in. */
export function asPerson(tenantId: string, { id, name, email, role }: DemoPerson): Caller {
  const owner = { kind: 'user', id } as const
  const caller = buildCaller(tenantId, id, name, owner)
  return {
    ...caller,
    roles: [role],
    contactEmail: email,
    session: { id: `ses_${id}`, userId: id, mustEnrol: false },
  }
}

/** A sensor or gateway with a token of its own, whose name the history shows. */
export async function makeMachine(
  { send }: DemoDesk,
  admin: Caller,
  id: string,
  name: string,
): Promise<Caller> {
  const { tenantId } = admin
  const json = { name, roles: ['ingest'], tenant_id: tenantId }
  const made = await send(admin, 'POST', '/beta/admin/tokens', { json })
  // Nobody has seen its secret, and nobody can use it.
  await send(admin, 'DELETE', `/beta/admin/tokens/${made.json.id}`)
  return buildCaller(tenantId, made.json.id, name, { kind: 'service_account', id })
}

function buildCaller(tenantId: string, tokenId: string, name: string, owner: CallerOwner): Caller {
  return {
    tokenId,
    name,
    tenantId,
    scopes: new Set(ALL_BUT_INSTANCE),
    roles: [],
    owner,
    networks: null,
    contactEmail: null,
    expiresAt: null,
  }
}
