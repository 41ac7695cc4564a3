// What an administrator does for the sign-in of another person: a new link, and the sessions.

import { Type } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { administeredTenant } from '../admin-scope.ts'
import { requireCaller } from '../admit-request.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { cutLoginsOf } from '../cut-tokens.ts'
import { endSessions, listSessionsOfUser } from '../sessions/session-store.ts'
import { presentSession, SessionList } from '../sessions/session-wire.ts'
import { sessionNotFound } from '../sign-in/errors.ts'
import { makeLink } from '../sign-in/make-link.ts'
import { userDisabled } from './errors.ts'
import { assertOwnsAccount, loadVisible, lockVisible } from './load-user.ts'
import { assertHoldsRoles, type ScopesOfRoles } from './user-roles.ts'
import { UserLink } from './user-wire.ts'

export interface UserSessionsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly audit: AuditLog
  readonly sessionIdleMs: number
  readonly readPublicUrl: () => string
  readonly scopesOfRoles: ScopesOfRoles
  readonly refreshTokens: () => Promise<void>
}

const UserParams = Type.Object({ userId: Type.String() })

export function createUserLinkRoute(deps: UserSessionsDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/admin/users/{userId}/links',
    group: 'admin',
    access: { kind: 'scope', scope: 'users:manage' },
    operationId: 'createUserLink',
    idempotency: 'sealed',
    summary: 'Make a new link for a user',
    description:
      'A new invitation for an invited person, else a link by which a person sets a new password. The former link stops working.',
    params: UserParams,
    responses: {
      201: { description: 'The link, shown this once.', schema: UserLink },
      404: { description: 'There is no such user, or they work for another tenant.' },
      409: { description: 'The user is disabled.' },
    },
    async handle({ caller: presented, params }) {
      const caller = requireCaller(presented)
      const { db, clock, audit, readPublicUrl, scopesOfRoles } = deps
      const link = await inTransaction(db, async (tx) => {
        const user = await lockVisible(tx, caller, params.userId)
        const tenantId = administeredTenant(caller) ?? user.memberships[0]?.tenantId ?? null
        const invited = user.memberships.find((one) => !one.isAccepted && one.tenantId === tenantId)
        if (invited === undefined) assertOwnsAccount(caller, scopesOfRoles, user)
        else assertHoldsRoles(caller, scopesOfRoles, invited)
        if (user.isDisabled) throw userDisabled()
        const kind = invited === undefined ? 'reset' : 'invitation'
        const made = await makeLink(
          tx,
          { kind, userId: user.id, tenantId: invited?.tenantId ?? null },
          { publicUrl: readPublicUrl(), nowMs: clock.nowMs() },
        )
        await audit.record(tx, 'user.link', { tenantId, id: user.id, after: { kind } })
        return made
      })
      const json = { link: link.url, link_expires_at: link.expiresAt.toISOString() }
      return { status: 201, json }
    },
  })
}

export function listUserSessionsRoute({ db, clock, sessionIdleMs }: UserSessionsDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/admin/users/{userId}/sessions',
    group: 'admin',
    access: { kind: 'scope', scope: 'users:manage' },
    operationId: 'listUserSessions',
    summary: 'List the sessions of a user',
    description: 'Where a person is signed in, in the tenants that the caller administers.',
    params: UserParams,
    responses: {
      200: { description: 'At most 50 sessions.', schema: SessionList },
      404: { description: 'There is no such user, or they work for another tenant.' },
    },
    async handle({ caller: presented, params }) {
      const caller = requireCaller(presented)
      const tenantId = administeredTenant(caller)
      const user = await loadVisible(db, caller, params.userId)
      const limits = { now: new Date(clock.nowMs()), idleMs: sessionIdleMs }
      const sessions = await listSessionsOfUser(db, user.id, limits)
      const items = sessions
        .filter((one) => tenantId === null || one.tenantId === tenantId)
        .map((one) => presentSession(one, caller.session?.id))
      return { status: 200, json: { items } }
    },
  })
}

export function endUserSessionsRoute({ db, audit, refreshTokens }: UserSessionsDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/beta/admin/users/{userId}/sessions',
    group: 'admin',
    access: { kind: 'scope', scope: 'users:manage' },
    operationId: 'endUserSessions',
    summary: 'End sessions of a user',
    description:
      'Ends one session of a person, or all of them with the logins of the command line. The person can sign in again.',
    params: UserParams,
    query: Type.Object({
      session_id: Type.Optional(
        Type.String({ maxLength: 64, description: 'All of them when left out.' }),
      ),
    }),
    responses: {
      204: { description: 'They are over.' },
      404: { description: 'There is no such user or no such live session.' },
    },
    async handle({ caller: presented, params, query }) {
      const caller = requireCaller(presented)
      const tenantId = administeredTenant(caller)
      await inTransaction(db, async (tx) => {
        const user = await lockVisible(tx, caller, params.userId)
        const choice = { userId: user.id, tenantId, id: query.session_id }
        const ended = await endSessions(tx, choice)
        if (ended.length === 0 && query.session_id !== undefined) throw sessionNotFound()
        if (query.session_id === undefined) await cutLoginsOf(tx, audit, user.id, { tenantId })
        await audit.record(tx, 'user.end_sessions', { tenantId, id: user.id, after: { ended } })
      })
      await refreshTokens()
      return { status: 204 }
    },
  })
}
