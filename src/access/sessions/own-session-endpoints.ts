// GET, PATCH and DELETE /beta/session: the session of the cookie that the request brings.

import { Type } from 'typebox'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type RequestContext, type Route } from '../../kernel/http/route.ts'
import { requireCaller } from '../admit-request.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { type FactorRule, requiresEnrolment } from '../factors/required-factor.ts'
import type { ScopesOfRoles } from '../people/user-roles.ts'
import { findUser } from '../people/user-store.ts'
import { sessionNotFound, tenantMissing } from '../sign-in/errors.ts'
import { presentOwnSession } from './present-own-session.ts'
import { type CookieNames, readCookie, writeCookie } from './session-cookie.ts'
import { endSessions, findSessionOfUser, moveSession } from './session-store.ts'
import { OwnSession } from './session-wire.ts'

export interface OwnSessionDeps extends FactorRule {
  readonly db: Db
  readonly audit: AuditLog
  readonly cookies: CookieNames
  readonly refreshTokens: () => Promise<void>
  readonly scopesOfRoles: ScopesOfRoles
}

type Asked = Pick<RequestContext<unknown, unknown, unknown>, 'caller' | 'headers'>

/** The session of the caller with its secret. Throws 404 for a caller with a token. */
function requireSession({ caller, headers }: Asked, cookies: CookieNames) {
  const { session } = requireCaller(caller)
  const { cookie } = headers
  const secret = readCookie(typeof cookie === 'string' ? cookie : undefined, cookies.session)
  if (session === undefined || secret === null) throw sessionNotFound()
  return { ...session, secret }
}

export function getSessionRoute(deps: OwnSessionDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/session',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'getSession',
    summary: 'Get the session',
    description:
      'Who is signed in, in which tenant, and with which scopes. It is answered for a cookie; for a token, ask GET /beta/whoami.',
    responses: {
      200: { description: 'The session.', schema: OwnSession },
      404: { description: 'The request came with a token.' },
    },
    async handle(asked) {
      const { secret } = requireSession(asked, deps.cookies)
      return { status: 200, json: await presentOwnSession(deps, secret) }
    },
  })
}

const SessionPatch = Type.Object(
  { tenant_id: Type.String({ minLength: 1, maxLength: 64 }) },
  { additionalProperties: false },
)

export function changeSessionRoute(deps: OwnSessionDeps): Route {
  const { db, audit, cookies, refreshTokens } = deps
  return defineRoute({
    method: 'PATCH',
    path: '/beta/session',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'changeSession',
    summary: 'Switch to another tenant',
    description:
      'From now on the session acts in that tenant, with the roles of its person there; with none where the tenant requires a second factor and the person has none.',
    body: SessionPatch,
    responses: {
      200: { description: 'The session as it is now.', schema: OwnSession },
      403: { description: 'You do not work for that tenant.' },
      404: { description: 'The request came with a token.' },
    },
    async handle(asked) {
      const { id, userId, secret } = requireSession(asked, cookies)
      const { tenant_id: tenantId } = asked.body
      await inTransaction(db, async (tx) => {
        const user = await findUser(tx, userId)
        const isMember = user?.memberships.some(
          (one) => one.isAccepted && one.tenantId === tenantId,
        )
        if (isMember !== true) throw tenantMissing()
        const session = await findSessionOfUser(tx, { id, userId })
        if (session === null) throw sessionNotFound()
        const { methods } = session
        const mustEnrol = await requiresEnrolment(tx, deps, { userId, tenantId, methods })
        await moveSession(tx, id, { tenantId, mustEnrol })
        await audit.record(tx, 'session.switch', { tenantId, id })
      })
      await refreshTokens()
      return { status: 200, json: await presentOwnSession(deps, secret) }
    },
  })
}

export function endSessionRoute({ db, audit, cookies, refreshTokens }: OwnSessionDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/beta/session',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'endSession',
    summary: 'Sign out',
    description: 'Ends the session of the cookie.',
    responses: {
      204: { description: 'You are signed out.' },
      404: { description: 'The request came with a token.' },
    },
    async handle(asked) {
      const { id, userId } = requireSession(asked, cookies)
      const { tenantId } = requireCaller(asked.caller)
      await inTransaction(db, async (tx) => {
        await endSessions(tx, { userId, id })
        await audit.record(tx, 'session.end', { tenantId, id })
      })
      await refreshTokens()
      const gone = writeCookie(cookies, cookies.session, '', 0)
      return { status: 204, cookies: [gone] }
    },
  })
}
