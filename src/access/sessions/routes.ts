// The routes of sessions: one's own.

import type { Route } from '../../kernel/http/route.ts'
import { listSessionsRoute, revokeSessionRoute, type SessionListDeps } from './list-sessions.ts'
import {
  changeSessionRoute,
  endSessionRoute,
  getSessionRoute,
  type OwnSessionDeps,
} from './own-session-endpoints.ts'

export function sessionRoutes(deps: OwnSessionDeps & SessionListDeps): readonly Route[] {
  return [
    getSessionRoute(deps),
    changeSessionRoute(deps),
    endSessionRoute(deps),
    listSessionsRoute(deps),
    revokeSessionRoute(deps),
  ]
}
