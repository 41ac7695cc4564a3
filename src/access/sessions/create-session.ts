// The one way to a session: whoever has proved who a person is (by password, passkey, another
// provider) calls `createSession`. It makes a new secret each time, so that nobody can plant one.

import type { Clock } from '../../kernel/clock.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { type Membership, noteDevice, noteSignIn } from '../people/user-store.ts'
import { tenantMissing } from '../sign-in/errors.ts'
import { type CookieNames, readCookie, writeCookie } from './session-cookie.ts'
import { createSecretText, hashSecret } from './session-secret.ts'
import { insertSession } from './session-store.ts'

export interface SessionDeps {
  readonly clock: Clock
  readonly ids: IdSource
  readonly audit: AuditLog
  readonly cookies: CookieNames
  readonly sessionMaxMs: number
}

export interface ProvenUser {
  readonly id: string
  /** How they proved who they are: password, link, totp, recovery_code, passkey. */
  readonly methods: readonly string[]
  /** The tenant to act in, by `chooseSessionTenant`. */
  readonly tenantId: string
  /** A second factor is required there, and the person has none. */
  readonly mustEnrol: boolean
}

/** Where the request comes from. */
export interface SessionOrigin {
  readonly cookieHeader: string | undefined
  readonly userAgent: string | undefined
  readonly remoteAddress: string
}

export interface MadeSession {
  readonly id: string
  readonly secret: string
  readonly setCookies: readonly string[]
}

// So long a browser counts as known after the last sign-in in it.
const DEVICE_MS = 180 * 86_400_000
const USER_AGENT_LENGTH_MAX = 256

/**
 * The tenant that a session acts in; the first one when none is named. Throws 403 when the user
 * works for no tenant, or not for the one that is named.
 */
export function chooseSessionTenant(
  memberships: readonly Membership[],
  named: string | null,
): string {
  const accepted = memberships.filter(({ isAccepted }) => isAccepted)
  const chosen = accepted.find(({ tenantId }) => tenantId === (named ?? tenantId))
  if (chosen === undefined) throw tenantMissing()
  return chosen.tenantId
}

export async function createSession(
  tx: Tx,
  { clock, ids, audit, cookies, sessionMaxMs }: SessionDeps,
  user: ProvenUser,
  origin: SessionOrigin,
): Promise<MadeSession> {
  const nowMs = clock.nowMs()
  const secret = createSecretText()
  // A browser keeps its device secret, so that it is one device for all people who share it.
  const device = readCookie(origin.cookieHeader, cookies.device) ?? createSecretText()
  const id = `ses_${ids.nextUuid().replaceAll('-', '')}`
  await insertSession(tx, {
    id,
    secretHash: hashSecret(secret),
    userId: user.id,
    tenantId: user.tenantId,
    methods: user.methods,
    at: new Date(nowMs),
    expiresAt: new Date(nowMs + sessionMaxMs),
    address: origin.remoteAddress === '' ? null : origin.remoteAddress,
    userAgent: origin.userAgent?.slice(0, USER_AGENT_LENGTH_MAX) ?? null,
    mustEnrol: user.mustEnrol,
  })
  const known = { now: new Date(nowMs), expiresAt: new Date(nowMs + DEVICE_MS) }
  await noteDevice(tx, user.id, hashSecret(device), known)
  await noteSignIn(tx, user.id, new Date(nowMs))
  await audit.record(tx, 'session.create', {
    tenantId: user.tenantId,
    id,
    after: { user_id: user.id, methods: user.methods },
    by: { kind: 'user', id: user.id },
  })
  return {
    id,
    secret,
    setCookies: [
      writeCookie(cookies, cookies.session, secret, sessionMaxMs / 1_000),
      writeCookie(cookies, cookies.device, device, DEVICE_MS / 1_000),
    ],
  }
}
