// DELETE /beta/sighting-rules/{name}: removes a rule of one's own, and resets a shipped one.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope } from '../../vocabulary/envelope-wire.ts'
import { findShippedRule, type SaveRuleDeps, saveRule } from './save-rule.ts'

export function deleteSightingRuleRoute(deps: SaveRuleDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/beta/sighting-rules/{name}',
    group: 'intel',
    access: { kind: 'scope', scope: 'sources:manage' },
    operationId: 'deleteSightingRule',
    summary: 'Delete or reset a sighting rule',
    description:
      'A shipped rule is again as the program brings it. To stop it, set enabled to false.',
    params: Type.Object({ name: Type.String() }),
    responses: {
      204: { description: 'The rule is deleted, or is as shipped.' },
      401: { description: 'No valid token.', schema: FailureEnvelope },
      403: { description: 'The token lacks sources:manage.', schema: FailureEnvelope },
      404: { description: 'There is no such rule.', schema: FailureEnvelope },
      412: {
        description: 'The rule was changed since the version of If-Match.',
        schema: FailureEnvelope,
      },
    },
    async handle({ caller, params, headers }) {
      const { name } = params
      const ifMatch = headers['if-match']
      const act = 'sighting_rule.delete' as const
      const request = { name, act, caller: requireCaller(caller), ifMatch }
      const shipped = findShippedRule(name)
      await saveRule(deps, request, () =>
        shipped === null ? null : { rule: shipped, isEnabled: true, isEdited: false },
      )
      return { status: 204 }
    },
  })
}
