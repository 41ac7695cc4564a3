// The endpoints of the table of sighting rules.

import type { Route } from '../../kernel/http/route.ts'
import { deleteSightingRuleRoute } from './delete-sighting-rule.ts'
import { listRuleChangesRoute } from './list-rule-changes.ts'
import { getSightingRuleRoute, listSightingRulesRoute } from './list-sighting-rules.ts'
import { changeSightingRuleRoute, putSightingRuleRoute } from './put-sighting-rule.ts'
import type { SaveRuleDeps } from './save-rule.ts'

export function sightingRuleRoutes(deps: SaveRuleDeps): readonly Route[] {
  return [
    listSightingRulesRoute(deps),
    getSightingRuleRoute(deps),
    putSightingRuleRoute(deps),
    changeSightingRuleRoute(deps),
    deleteSightingRuleRoute(deps),
    listRuleChangesRoute(deps),
  ]
}
