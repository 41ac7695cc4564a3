// The routes of people: who works for a tenant, with which roles.

import type { Route } from '../../kernel/http/route.ts'
import { type ChangeUserDeps, changeUserRoute, removeUserRoute } from './change-user.ts'
import { type InviteDeps, inviteUserRoute } from './invite-user.ts'
import { getUserRoute, type ListUsersDeps, listUsersRoute } from './list-users.ts'
import {
  getUserFactorsRoute,
  removeUserFactorsRoute,
  type UserFactorsDeps,
} from './user-factors.ts'
import {
  createUserLinkRoute,
  endUserSessionsRoute,
  listUserSessionsRoute,
  type UserSessionsDeps,
} from './user-sessions.ts'

export interface PeopleRoutesDeps
  extends ListUsersDeps,
    InviteDeps,
    ChangeUserDeps,
    UserSessionsDeps,
    UserFactorsDeps {}

export function peopleRoutes(deps: PeopleRoutesDeps): readonly Route[] {
  return [
    listUsersRoute(deps),
    inviteUserRoute(deps),
    getUserRoute(deps),
    changeUserRoute(deps),
    removeUserRoute(deps),
    createUserLinkRoute(deps),
    listUserSessionsRoute(deps),
    endUserSessionsRoute(deps),
    getUserFactorsRoute(deps),
    removeUserFactorsRoute(deps),
  ]
}
