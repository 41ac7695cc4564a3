// GET /beta/sighting-rules/{name}/history: who changed a rule, and what it was before and after.

import { Type } from 'typebox'
import type { Db } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import { ruleUnknown } from '../errors.ts'
import { findShippedRule } from './save-rule.ts'
import { listRuleChanges } from './sighting-rule-store.ts'
import { presentRuleChanges, SightingRuleHistory } from './sighting-rule-wire.ts'

export function listRuleChangesRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/sighting-rules/{name}/history',
    group: 'intel',
    access: { kind: 'scope', scope: 'sources:manage' },
    operationId: 'listSightingRuleHistory',
    summary: 'List the history of a sighting rule',
    description: 'Who changed the rule, when, and what it was before.',
    params: Type.Object({ name: Type.String() }),
    responses: {
      200: {
        description: 'The changes by people, the newest first; also of a deleted rule.',
        schema: successOf(SightingRuleHistory),
      },
      401: { description: 'No valid token.', schema: FailureEnvelope },
      403: { description: 'The token lacks sources:manage.', schema: FailureEnvelope },
      404: { description: 'There is no such rule, and there never was.', schema: FailureEnvelope },
    },
    async handle({ params }) {
      const { name } = params
      const changes = await listRuleChanges(db, name)
      if (changes.length === 0 && findShippedRule(name) === null) throw ruleUnknown()
      const result = presentRuleChanges(name, changes)
      return { status: 200, json: { status: 'success', statusCode: 200, result } }
    },
  })
}
