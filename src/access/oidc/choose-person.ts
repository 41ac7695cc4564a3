// Whom an account of a provider is: the person it is linked to; else the one who links it now, by a
// session or by an invitation; else one whom a rule of the settings makes. An e-mail address never
// decides: it may belong to somebody else at the provider.

import type { Clock } from '../../kernel/clock.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { isLooseEmailAddress } from '../../values/email.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { joinDemoTenants } from '../demo-tenants.ts'
import {
  acceptMembership,
  ensureUser,
  hasAnyUser,
  insertMembership,
  lockUser,
  type UserRecord,
  updateUser,
} from '../people/user-store.ts'
import { loadRoleScopes } from '../roles/role-scopes.ts'
import { linkNotValid } from '../sign-in/errors.ts'
import { useLink } from '../sign-in/link-store.ts'
import { findTenant } from '../tenant-store.ts'
import { identityNotLinked, identityTaken, personDisabled } from './errors.ts'
import { findIdentity, insertIdentity, noteIdentityUsed } from './identity-store.ts'
import { findRules, readVerifiedEmail } from './match-rule.ts'
import type { ProvenIdentity } from './provider-client.ts'
import type { MemberRule, ProviderSettings } from './provider-settings.ts'
import type { ProviderTry } from './try-store.ts'

export interface ChoosePersonDeps {
  readonly clock: Clock
  readonly ids: IdSource
  readonly audit: AuditLog
}

export interface Proof {
  readonly provider: ProviderSettings
  readonly identity: ProvenIdentity
}

export interface ChosenPerson {
  readonly userId: string
  /** Of the invitation; null for any that the person works for. */
  readonly tenantId: string | null
}

const EMAIL_LENGTH_MAX = 254
const NAME_LENGTH_MAX = 200

/** Throws 403 and 409 for an account that is nobody's here, or somebody else's. */
export async function choosePerson(
  tx: Tx,
  deps: ChoosePersonDeps,
  proof: Proof,
  { userId, linkHash }: ProviderTry,
): Promise<ChosenPerson> {
  if (linkHash !== null) return await acceptInvitation(tx, deps, proof, linkHash)
  const { identity } = proof
  const linked = await findIdentity(tx, identity)
  if (userId !== null) {
    if (linked === null) await linkIdentity(tx, deps, proof, await requireEnabled(tx, userId))
    else if (linked.userId !== userId) throw identityTaken()
    return { userId, tenantId: null }
  }
  if (linked === null) return await makeMember(tx, deps, proof)
  await requireEnabled(tx, linked.userId)
  const at = new Date(deps.clock.nowMs())
  await noteIdentityUsed(tx, linked.id, { at, email: readEmail(identity) })
  return { userId: linked.userId, tenantId: null }
}

async function requireEnabled(tx: Tx, userId: string): Promise<UserRecord> {
  const user = await lockUser(tx, userId)
  if (user === null || user.isDisabled) throw personDisabled()
  return user
}

async function linkIdentity(
  tx: Tx,
  { clock, ids, audit }: ChoosePersonDeps,
  { provider, identity }: Proof,
  user: Pick<UserRecord, 'id'>,
): Promise<void> {
  const { issuer, subject } = identity
  const id = `idn_${ids.nextUuid().replaceAll('-', '')}`
  const made = {
    id,
    userId: user.id,
    provider: provider.id,
    issuer,
    subject,
    email: readEmail(identity),
    createdAt: new Date(clock.nowMs()),
  }
  if (!(await insertIdentity(tx, made))) throw identityTaken()
  await audit.record(tx, 'identity.link', {
    tenantId: null,
    id,
    after: { user_id: user.id, provider: provider.id, issuer, subject },
    by: { kind: 'user', id: user.id },
  })
}

/**
 * The invitation of a person who has never been here links the account. Whoever has an account here
 * links it from a session instead: the inviter has seen the invitation, and must not get into an
 * account by it.
 */
async function acceptInvitation(
  tx: Tx,
  deps: ChoosePersonDeps,
  proof: Proof,
  linkHash: Buffer,
): Promise<ChosenPerson> {
  const { clock, audit } = deps
  const used = await useLink(tx, linkHash, new Date(clock.nowMs()))
  if (used?.kind !== 'invitation' || used.userId === null || used.tenantId === null) {
    throw linkNotValid()
  }
  const { userId, tenantId } = used
  const user = await requireEnabled(tx, userId)
  const linked = await findIdentity(tx, proof.identity)
  if (linked !== null && linked.userId !== userId) throw identityTaken()
  if (linked === null) {
    if (user.hasPassword || user.lastSignInAt !== null) throw identityNotLinked()
    await linkIdentity(tx, deps, proof, user)
    if (user.name === '') await updateUser(tx, userId, { name: chooseName(proof, user) })
  }
  await acceptMembership(tx, userId, tenantId)
  const by = { kind: 'user', id: userId } as const
  await audit.record(tx, 'user.accept', { tenantId, id: userId, by })
  return { userId, tenantId }
}

/** Throws 403 unless a rule fits, and the address is that of no account here. */
async function makeMember(tx: Tx, deps: ChoosePersonDeps, proof: Proof): Promise<ChosenPerson> {
  const { ids, audit } = deps
  const { identity, provider } = proof
  const rules = await keepUsable(tx, findRules(provider.members, identity.claims))
  const email = readVerifiedEmail(identity.claims)
  if (rules.length === 0 || email === null || !isLooseEmailAddress(email)) throw identityNotLinked()
  const id = `usr_${ids.nextUuid().replaceAll('-', '')}`
  const name = chooseName(proof, null)
  const isFirst = !(await hasAnyUser(tx))
  if ((await ensureUser(tx, { id, email, name })) !== id) throw identityNotLinked()
  for (const { tenantId, roles } of rules) {
    const membership = { tenantId, roles, isAccepted: true, invitedName: name }
    await insertMembership(tx, id, membership)
    const by = { kind: 'user', id } as const
    const after = { email, name, roles, provider: provider.id }
    await audit.record(tx, 'user.create', { tenantId, id, after, by })
  }
  if (isFirst) await joinDemoTenants(tx, { userId: id, name })
  await linkIdentity(tx, deps, proof, { id })
  return { userId: id, tenantId: null }
}

/**
 * Those whose tenant is there, and whose roles are some and administer nothing of the instance. The
 * roles stay until the transaction ends; names of no role are left out.
 */
async function keepUsable(tx: Tx, rules: readonly MemberRule[]): Promise<readonly MemberRule[]> {
  const usable: MemberRule[] = []
  for (const rule of rules) {
    const { scopes, unknown } = await loadRoleScopes(tx, rule.tenantId, rule.roles, 'keep')
    if (scopes.length === 0 || scopes.includes('instance:admin')) continue
    const roles = rule.roles.filter((role) => !unknown.includes(role))
    if ((await findTenant(tx, rule.tenantId)) !== null) usable.push({ ...rule, roles })
  }
  return usable
}

function readEmail({ claims }: ProvenIdentity): string | null {
  const { email } = claims
  return typeof email === 'string' ? email.slice(0, EMAIL_LENGTH_MAX) : null
}

function chooseName({ identity }: Proof, user: UserRecord | null): string {
  const invited = user?.memberships.find(({ invitedName }) => invitedName !== '')?.invitedName
  const { name } = identity.claims
  const told = typeof name === 'string' && name.trim() !== '' ? name.trim() : readEmail(identity)
  return (invited ?? told ?? 'unnamed').slice(0, NAME_LENGTH_MAX)
}
