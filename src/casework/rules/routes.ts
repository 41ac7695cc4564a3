// The endpoints of case groups and mute rules. Changes need the scope rules:write; a
// playbook is attached with playbooks:activate.

import type { Route } from '../../kernel/http/route.ts'
import { changeCaseGroupRoute } from './change-case-group.ts'
import { createCaseGroupRoute } from './create-case-group.ts'
import { createMuteRuleRoute } from './create-mute-rule.ts'
import { deleteCaseGroupRoute } from './delete-case-group.ts'
import { endMuteRuleRoute } from './end-mute-rule.ts'
import { getCaseGroupRoute } from './get-case-group.ts'
import { getMuteRuleRoute } from './get-mute-rule.ts'
import { listCaseGroupsRoute } from './list-case-groups.ts'
import { type ListMuteRulesDeps, listMuteRulesRoute } from './list-mute-rules.ts'
import { CASE_GROUP_HISTORY, listRuleHistoryRoute, MUTE_RULE_HISTORY } from './list-rule-history.ts'
import type { CaseGroupDeps } from './save-case-groups.ts'

export interface RuleRoutesDeps extends CaseGroupDeps, ListMuteRulesDeps {}

export function ruleRoutes(deps: RuleRoutesDeps): readonly Route[] {
  return [
    listCaseGroupsRoute(deps),
    createCaseGroupRoute(deps),
    getCaseGroupRoute(deps),
    changeCaseGroupRoute(deps),
    deleteCaseGroupRoute(deps),
    listRuleHistoryRoute(deps, CASE_GROUP_HISTORY),
    listMuteRulesRoute(deps),
    createMuteRuleRoute(deps),
    getMuteRuleRoute(deps),
    endMuteRuleRoute(deps),
    listRuleHistoryRoute(deps, MUTE_RULE_HISTORY),
  ]
}
