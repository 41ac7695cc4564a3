// GET /beta/sessions and DELETE /beta/sessions/{sessionId}: where a person is signed in.

import { Type } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import { requireCaller } from '../admit-request.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { sessionNotFound } from '../sign-in/errors.ts'
import { endSessions, listSessionsOfUser } from './session-store.ts'
import { presentSession, SessionList } from './session-wire.ts'

export interface SessionListDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly clock: Clock
  readonly sessionIdleMs: number
  readonly refreshTokens: () => Promise<void>
}

/** Throws 404 for a caller with a token, who has no sessions. */
function requireUser(caller: Caller | null) {
  const { session, tenantId } = requireCaller(caller)
  if (session === undefined) throw sessionNotFound()
  return { ...session, tenantId }
}

export function listSessionsRoute({ db, clock, sessionIdleMs }: SessionListDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/sessions',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'listSessions',
    summary: 'List your sessions',
    description: 'Where you are signed in: your live sessions, the newest first.',
    responses: {
      200: { description: 'At most 50 sessions.', schema: SessionList },
      404: { description: 'The request came with a token.' },
    },
    async handle({ caller }) {
      const { userId, id } = requireUser(caller)
      const limits = { now: new Date(clock.nowMs()), idleMs: sessionIdleMs }
      const sessions = await listSessionsOfUser(db, userId, limits)
      return {
        status: 200,
        json: { items: sessions.map((session) => presentSession(session, id)) },
      }
    },
  })
}

export function revokeSessionRoute({ db, audit, refreshTokens }: SessionListDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/beta/sessions/{sessionId}',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'revokeSession',
    summary: 'End one of your sessions',
    description: 'Requests of that session are refused within a second, on every node.',
    params: Type.Object({ sessionId: Type.String() }),
    responses: {
      204: { description: 'It is over.' },
      404: { description: 'You have no live session of this id.' },
    },
    async handle({ caller, params }) {
      const { userId, tenantId } = requireUser(caller)
      await inTransaction(db, async (tx) => {
        const ended = await endSessions(tx, { userId, id: params.sessionId })
        if (ended.length === 0) throw sessionNotFound()
        await audit.record(tx, 'session.end', { tenantId, id: params.sessionId })
      })
      await refreshTokens()
      return { status: 204 }
    },
  })
}
