// The routes of groups of users.

import type { Route } from '../../kernel/http/route.ts'
import {
  changeGroupRoute,
  createGroupRoute,
  deleteGroupRoute,
  type GroupDeps,
  getGroupRoute,
  listGroupsRoute,
} from './group-endpoints.ts'
import { listAssigneesRoute } from './list-assignees.ts'

export function groupRoutes(deps: GroupDeps): readonly Route[] {
  return [
    listGroupsRoute(deps),
    createGroupRoute(deps),
    getGroupRoute(deps),
    changeGroupRoute(deps),
    deleteGroupRoute(deps),
    listAssigneesRoute(deps),
  ]
}
