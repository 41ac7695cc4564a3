// POST /beta/session/device/check and /decision: a signed-in person looks at a login that waits for
// a code, and approves or denies it. Codes are short, so wrong ones are counted by person.

import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import { requireCaller } from '../admit-request.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { grantBeyondOwn } from '../errors.ts'
import { factorNotSetUp } from '../factors/errors.ts'
import { hashSecret } from '../sessions/session-secret.ts'
import { buildBackOffKey } from '../sign-in/back-off.ts'
import { forgetAttempts, takeAttempt } from '../sign-in/back-off-store.ts'
import { sessionNotFound } from '../sign-in/errors.ts'
import { readUserCode } from './device-code.ts'
import { type DeviceCode, decideCode, findOpenCode } from './device-store.ts'
import { LoginDecision, UserCodeToCheck, WaitingLogin } from './device-wire.ts'
import { userCodeNotFound, userCodesTooMany } from './errors.ts'

export interface DecideDeviceDeps {
  readonly db: Db
  readonly clock: Clock
  readonly audit: AuditLog
}

// A person mistypes; past these, each wrong code doubles the wait.
const FREE_WRONG_CODES = 10

/** Throws 404 for a caller with a token: only a person at a page approves. */
function requireUser(presented: Caller | null) {
  const caller = requireCaller(presented)
  if (caller.session === undefined) throw sessionNotFound()
  // It has no rights to hand on, and a token with the roles of the person would have them.
  if (caller.session.mustEnrol) throw factorNotSetUp()
  return { caller, userId: caller.session.userId }
}

/** Throws 404 for a code that waits for nobody, and 429 after too many of these. */
async function requireOpenCode(
  { db, clock }: DecideDeviceDeps,
  userId: string,
  text: string,
): Promise<DeviceCode> {
  const now = new Date(clock.nowMs())
  const key = { hash: buildBackOffKey('user code', userId), freeFailures: FREE_WRONG_CODES }
  await inTransaction(db, async (tx) => {
    const waitSeconds = await takeAttempt(tx, [key], now)
    if (waitSeconds > 0) throw userCodesTooMany(waitSeconds)
  })
  const code = await findOpenCode(db, hashSecret(readUserCode(text)), now)
  if (code === null) throw userCodeNotFound()
  await inTransaction(db, (tx) => forgetAttempts(tx, [key.hash], now))
  return code
}

/** Of those that the program asks for, or of all, what the person may. */
const listScopes = ({ scopes }: DeviceCode, caller: Caller): readonly string[] =>
  scopes === null ? [...caller.scopes] : scopes

export function checkDeviceRoute(deps: DecideDeviceDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/session/device/check',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'checkDeviceLogin',
    summary: 'Look at a login by code',
    description:
      'Which program waits for this code, and what its token would be able to do. Only a signed-in person may ask.',
    body: UserCodeToCheck,
    responses: {
      200: { description: 'The program that waits.', schema: WaitingLogin },
      404: { description: 'No login waits for this code, or the request came with a token.' },
      429: { description: 'There were too many wrong codes.' },
    },
    async handle({ caller: presented, body }) {
      const { caller, userId } = requireUser(presented)
      const code = await requireOpenCode(deps, userId, body.user_code)
      const json = {
        client_name: code.clientName,
        address: code.address,
        scopes: [...listScopes(code, caller)],
        created_at: code.createdAt.toISOString(),
        expires_at: code.expiresAt.toISOString(),
      }
      return { status: 200, json }
    },
  })
}

export function decideDeviceRoute(deps: DecideDeviceDeps): Route {
  const { db, audit } = deps
  return defineRoute({
    method: 'POST',
    path: '/beta/session/device/decision',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'decideDeviceLogin',
    summary: 'Approve or deny a login by code',
    description:
      'The program gets a token of the person, for the tenant that the session acts in. Only a signed-in person may decide, and once.',
    body: LoginDecision,
    responses: {
      204: { description: 'It is decided.' },
      403: { description: 'The program asks for more than you may.' },
      404: { description: 'No login waits for this code, or the request came with a token.' },
      429: { description: 'There were too many wrong codes.' },
    },
    async handle({ caller: presented, body }) {
      const { caller, userId } = requireUser(presented)
      const code = await requireOpenCode(deps, userId, body.user_code)
      const held: ReadonlySet<string> = caller.scopes
      const missing = listScopes(code, caller).filter((scope) => !held.has(scope))
      if (body.approve && missing.length > 0) {
        throw grantBeyondOwn(`the scopes ${missing.join(', ')}`)
      }
      const { tenantId } = caller
      const decision = body.approve ? 'approved' : 'denied'
      await inTransaction(db, async (tx) => {
        if (!(await decideCode(tx, code.id, { decision, userId, tenantId }))) {
          throw userCodeNotFound()
        }
        const after = { client_name: code.clientName, address: code.address }
        const act = body.approve ? 'login.approve' : 'login.deny'
        await audit.record(tx, act, { tenantId, id: code.id, after })
      })
      return { status: 204 }
    },
  })
}
