// POST /beta/session/links: a person uses a link. The first person and an invited one come in with
// a new password, a person of another tenant with the one that they have, and a forgotten password
// is replaced. The link is used up, and the person is signed in, by a second factor where they
// have one. Such a person accepts an invitation with that factor (accept-invitation.ts).

import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { isLooseEmailAddress } from '../../values/email.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import { DEFAULT_TENANT_ID } from '../../vocabulary/caller.ts'
import { cutLoginsOf } from '../cut-tokens.ts'
import { joinDemoTenants } from '../demo-tenants.ts'
import { hasFactor, readFactors } from '../factors/factor-store.ts'
import { deleteIdentitiesOfUser } from '../oidc/identity-store.ts'
import {
  ensureUser,
  findUser,
  forgetDevices,
  hasAnyUser,
  insertMembership,
  setPassword,
  type UserRecord,
} from '../people/user-store.ts'
import { assertOwnOrigin, assertSafeForPasswords } from '../sessions/check-origin.ts'
import type { SessionOrigin } from '../sessions/create-session.ts'
import { readCookie } from '../sessions/session-cookie.ts'
import { hashSecret } from '../sessions/session-secret.ts'
import { endSessions } from '../sessions/session-store.ts'
import { OwnSession } from '../sessions/session-wire.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { LinkToRedeem, SecondFactorNeeded } from './credential-wire.ts'
import { accountHasNoPassword, linkNotValid, passwordNotValid } from './errors.ts'
import { deleteLinksOfUser, findLink, type SignInLink, useLink } from './link-store.ts'
import { readLinkSecret } from './make-link.ts'
import { answerFirstStep, readSessionOrigin, type SignInDeps } from './open-session.ts'
import { findPasswordProblems } from './password-rules.ts'
import { deleteStepsOfUser } from './step-store.ts'
import { type VerifiedUser, verifyPassword } from './verify-password.ts'

export function redeemLinkRoute(deps: SignInDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/session/links',
    group: 'admin',
    access: { kind: 'public' },
    operationId: 'redeemLink',
    summary: 'Use a link',
    description:
      'Accepts an invitation, makes the first person, or sets a new password, and signs in. The link is used up by it. After a new password, all former sessions of the person are over.',
    body: LinkToRedeem,
    responses: {
      201: { description: 'You are signed in.', schema: OwnSession },
      202: {
        description:
          'A second factor is missing before you are signed in. A new password is set already; an invitation is accepted with that factor.',
        schema: SecondFactorNeeded,
      },
      401: { description: 'The invitation is for an account with another password.' },
      403: { description: 'The request comes from another site, or in clear over a network.' },
      404: { description: 'It was used, has ended, or never was.' },
      409: { description: 'The person has no password, and accepts with their provider.' },
      429: { description: 'There were too many wrong passwords.' },
    },
    async handle(asked) {
      assertSafeForPasswords(deps.publicUrl, asked.headers)
      assertOwnOrigin(deps.publicUrl, asked.headers)
      const { link: text, ...given } = asked.body
      const origin = readSessionOrigin(asked)
      const secretHash = hashSecret(readLinkSecret(text))
      const { userId, tenantId, attempts } = await deps.metrics.count('link', () =>
        redeem(deps, secretHash, given, origin),
      )
      const proof = { id: userId, methods: ['link', 'password'], tenantId, attempts }
      return await answerFirstStep(deps, proof, origin)
    },
  })
}

interface Given {
  readonly password: string
  readonly email?: string
  readonly name?: string
}

interface Redeemed {
  readonly userId: string
  readonly tenantId: string | null
}

/** With the failures that are forgotten once everything is proved. */
type Proved = Redeemed & Pick<VerifiedUser, 'attempts'>

/** Checks before the link is used: whoever chose a bad password tries again with the same link. */
async function redeem(
  deps: SignInDeps,
  secretHash: Buffer,
  given: Given,
  origin: SessionOrigin,
): Promise<Proved> {
  const { db, clock } = deps
  const link = await findLink(db, secretHash, new Date(clock.nowMs()))
  if (link === null) throw linkNotValid()
  const user = link.userId === null ? null : await findUser(db, link.userId)
  if (link.kind !== 'setup' && (user === null || user.isDisabled)) throw linkNotValid()
  if (link.kind === 'invitation' && user !== null) {
    const known = { ...given, user, tenantId: link.tenantId }
    if (user.hasPassword) return await acceptByPassword(deps, secretHash, known, origin)
    if (hasBeenHere(user)) throw accountHasNoPassword()
  }
  const person = readPerson(given, user)
  const passwordHash = await deps.hasher.hash(given.password)
  const redeemed = await useUp(deps, secretHash, async (tx, used) => {
    const userId = user?.id ?? (await makeFirstUser(tx, deps, person))
    const name = link.kind === 'reset' ? null : person.name
    await setPassword(tx, userId, { passwordHash, name })
    return link.kind === 'reset'
      ? await reset(tx, deps, userId)
      : await accept(tx, deps, used, userId)
  })
  return { ...redeemed, attempts: [] }
}

/** With a second factor the link stays: that factor accepts (accept-invitation.ts). */
async function acceptByPassword(
  deps: SignInDeps,
  secretHash: Buffer,
  known: Pick<Given, 'password'> & Pick<Redeemed, 'tenantId'> & { readonly user: UserRecord },
  { cookieHeader, remoteAddress }: SessionOrigin,
): Promise<Proved> {
  const { user, tenantId, password } = known
  const { id: userId, email } = user
  const device = readCookie(cookieHeader, deps.cookies.device)
  const { attempts } = await verifyPassword(deps, { email, password, remoteAddress, device })
  if (hasFactor(await readFactors(deps.db, userId))) return { userId, tenantId, attempts }
  const redeemed = await useUp(deps, secretHash, (tx, used) => accept(tx, deps, used, userId))
  return { ...redeemed, attempts }
}

/** Whether a person without a password has signed in before: then it was with a provider. */
function hasBeenHere({ memberships, lastSignInAt }: UserRecord): boolean {
  return lastSignInAt !== null || memberships.some(({ isAccepted }) => isAccepted)
}

/** Uses the link up and does what it is for. Throws 404 when another request was faster. */
async function useUp(
  { db, clock }: Pick<SignInDeps, 'clock'> & { readonly db: Db },
  secretHash: Buffer,
  act: (tx: Tx, used: SignInLink) => Promise<Redeemed>,
): Promise<Redeemed> {
  return await inTransaction(db, async (tx) => {
    const used = await useLink(tx, secretHash, new Date(clock.nowMs()))
    if (used === null) throw linkNotValid()
    return await act(tx, used)
  })
}

/** Who it is, once name, address and password are found good. Throws 400. */
function readPerson(given: Given, user: UserRecord | null) {
  const email = user?.email ?? given.email?.trim() ?? ''
  const invitedName = user?.memberships[0]?.invitedName ?? ''
  const name = given.name?.trim() ?? (user?.name || invitedName)
  const problems: FieldProblem[] = []
  if (!isLooseEmailAddress(email)) {
    problems.push({ path: '/email', reason: 'must be an e-mail address' })
  }
  if (name === '') problems.push({ path: '/name', reason: 'is missing' })
  problems.push(...findPasswordProblems(given.password, { email, name }))
  if (problems.length > 0) throw passwordNotValid(problems)
  return { email, name }
}

async function makeFirstUser(
  tx: Tx,
  { ids, audit }: Pick<SignInDeps, 'ids' | 'audit'>,
  person: { readonly email: string; readonly name: string },
): Promise<string> {
  // A setup link that was printed before somebody else came in is worth nothing any more.
  if (await hasAnyUser(tx)) throw linkNotValid()
  const id = `usr_${ids.nextUuid().replaceAll('-', '')}`
  const userId = await ensureUser(tx, { id, ...person })
  const roles = ['instance-admin']
  const membership = { tenantId: DEFAULT_TENANT_ID, roles, isAccepted: true }
  await insertMembership(tx, userId, { ...membership, invitedName: person.name })
  await joinDemoTenants(tx, { userId, name: person.name })
  await audit.record(tx, 'user.create', {
    tenantId: null,
    id: userId,
    after: { ...person, roles },
    by: { kind: 'user', id: userId },
  })
  return userId
}

/** `tenantId` is null for the first person, who is a member already. */
async function accept(
  tx: Tx,
  { audit }: Pick<SignInDeps, 'audit'>,
  { tenantId }: SignInLink,
  userId: string,
): Promise<Redeemed> {
  if (tenantId !== null) await acceptInvitation(tx, audit, { userId, tenantId })
  return { userId, tenantId }
}

/**
 * Whoever knew the former password is out: sessions, logins, known devices and links end, and so do
 * the accounts of providers, of which one may have been linked by that password.
 */
async function reset(
  tx: Tx,
  { audit }: Pick<SignInDeps, 'audit'>,
  userId: string,
): Promise<Redeemed> {
  const by = { kind: 'user', id: userId } as const
  await endSessions(tx, { userId })
  await cutLoginsOf(tx, audit, userId, { tenantId: null, by })
  for (const { id, ...before } of await deleteIdentitiesOfUser(tx, userId)) {
    await audit.record(tx, 'identity.unlink', { tenantId: null, id, before, by })
  }
  await forgetDevices(tx, userId)
  await deleteLinksOfUser(tx, userId, 'reset')
  await deleteStepsOfUser(tx, userId)
  await audit.record(tx, 'user.set_password', { tenantId: null, id: userId, by })
  return { userId, tenantId: null }
}
