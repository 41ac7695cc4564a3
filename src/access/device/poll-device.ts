// POST /beta/session/device/token: the program asks whether its login was approved, and gets a
// token of the person once (RFC 8628 section 3.4).

import type { Static } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { isScope } from '../../vocabulary/scopes.ts'
import { insertToken, revokeOldLogins } from '../api-token-store.ts'
import { presentToken } from '../api-token-wire.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { TENANT_TOKENS_MAX } from '../create-token.ts'
import { tokensTooMany } from '../errors.ts'
import type { ScopesOfRoles } from '../people/user-roles.ts'
import { findUser } from '../people/user-store.ts'
import { hashSecret } from '../sessions/session-secret.ts'
import { createTokenText, hashToken } from '../token-text.ts'
import { decidePoll, type PollAnswer } from './decide-poll.ts'
import { type DeviceCode, deleteCode, lockCode, notePoll } from './device-store.ts'
import { DeviceCodeOfProgram, DeviceToken } from './device-wire.ts'
import { deviceCodeEnded, deviceDenied, devicePending, deviceTooFast } from './errors.ts'

export interface PollDeviceDeps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
  readonly audit: AuditLog
  readonly scopesOfRoles: ScopesOfRoles
  readonly refreshTokens: () => Promise<void>
}

export function pollDeviceRoute(deps: PollDeviceDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/session/device/token',
    group: 'admin',
    access: { kind: 'public' },
    operationId: 'getDeviceToken',
    summary: 'Get the token of a login by code',
    description:
      'Answers 400 with the code APP_DEVICE_PENDING while nobody has decided, and APP_DEVICE_TOO_FAST when it is asked too often: wait for `Retry-After`. The token is given once.',
    body: DeviceCodeOfProgram,
    responses: {
      200: { description: 'The token of the person who approved.', schema: DeviceToken },
      409: { description: 'The tenant has too many live tokens.' },
    },
    async handle({ body }) {
      const { answer, code, token } = await poll(deps, hashSecret(body.device_code))
      switch (answer) {
        case 'ended':
          throw deviceCodeEnded()
        case 'slow_down':
          throw deviceTooFast(code?.pollSeconds ?? 0)
        case 'pending':
          throw devicePending(code?.pollSeconds ?? 0)
        case 'denied':
          throw deviceDenied()
        case 'approved':
          await deps.refreshTokens()
          return { status: 200, json: token }
      }
    },
  })
}

interface Polled {
  readonly answer: PollAnswer
  readonly code?: Pick<DeviceCode, 'pollSeconds'>
  readonly token?: Static<typeof DeviceToken>
}

// RFC 8628 section 3.5.
const SLOW_DOWN_SECONDS = 5
const POLL_SECONDS_MAX = 60

/** Notes the poll in any case, so it throws nothing that is an answer. */
async function poll(deps: PollDeviceDeps, deviceHash: Buffer): Promise<Polled> {
  return await inTransaction(deps.db, async (tx) => {
    const code = await lockCode(tx, deviceHash)
    const nowMs = deps.clock.nowMs()
    const answer = decidePoll(code, nowMs)
    if (code === null || answer === 'ended') return { answer }
    if (answer === 'slow_down' || answer === 'pending') {
      const more = answer === 'slow_down' ? SLOW_DOWN_SECONDS : 0
      const pollSeconds = Math.min(code.pollSeconds + more, POLL_SECONDS_MAX)
      await notePoll(tx, code.id, { at: new Date(nowMs), pollSeconds })
      return { answer, code: { pollSeconds } }
    }
    await deleteCode(tx, code.id)
    if (answer === 'denied') return { answer }
    const token = await makeToken(tx, deps, code)
    return token === null ? { answer: 'ended' } : { answer, token }
  })
}

// A month of work without typing a password; whoever loses the machine revokes it before.
const LIFE_SECONDS = 30 * 86_400
// Machines of one person; the oldest login ends for a new one past it.
const LOGINS_OF_USER_MAX = 20
const NAME_LENGTH_MAX = 200

/** Null when the person may no longer do what was approved. */
async function makeToken(
  tx: Tx,
  deps: PollDeviceDeps,
  { userId, tenantId, clientName, scopes: asked }: DeviceCode,
): Promise<Static<typeof DeviceToken> | null> {
  const user = userId === null ? null : await findUser(tx, userId)
  const membership = user?.memberships.find((one) => one.isAccepted && one.tenantId === tenantId)
  if (user === null || user.isDisabled || membership === undefined) return null
  const held = [...new Set(deps.scopesOfRoles(membership.tenantId, membership.roles))]
  const scopes = asked?.filter(isScope) ?? held
  if (!scopes.every((scope) => held.includes(scope))) return null
  const by = { kind: 'user', id: user.id } as const
  for (const old of await revokeOldLogins(tx, user.id, LOGINS_OF_USER_MAX - 1)) {
    await deps.audit.record(tx, 'token.revoke', { ...old, by })
  }
  const nowMs = deps.clock.nowMs()
  const text = createTokenText(scopes.includes('instance:admin') ? 'admin' : 'api')
  const made = await insertToken(
    tx,
    {
      id: `tok_${deps.ids.nextUuid().replaceAll('-', '')}`,
      tokenHash: hashToken(text),
      name: `${user.name} by ${clientName}`.slice(0, NAME_LENGTH_MAX),
      tenantId: membership.tenantId,
      // With the roles of the person in the place of scopes, the token follows their changes.
      scopes: asked === null ? [] : scopes,
      roles: asked === null ? membership.roles : [],
      owner: by,
      contactEmail: user.email,
      isBootstrap: false,
      isPersonal: true,
      expiresAt: new Date(nowMs + LIFE_SECONDS * 1_000),
    },
    TENANT_TOKENS_MAX,
  )
  if (made === null) throw tokensTooMany(TENANT_TOKENS_MAX)
  const after = presentToken(made, scopes, nowMs)
  await deps.audit.record(tx, 'token.create', { tenantId: made.tenantId, id: made.id, after, by })
  return {
    access_token: text,
    token_type: 'Bearer',
    expires_in: LIFE_SECONDS,
    scope: scopes.join(' '),
    token_id: made.id,
    tenant_id: made.tenantId,
  }
}
