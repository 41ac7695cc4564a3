// GET /beta/sighting-rules and /beta/sighting-rules/{name}: the rules by which sightings set tags
// (design section 4.6).

import { Type } from 'typebox'
import type { Db } from '../../kernel/db/database.ts'
import { presentEtag } from '../../kernel/http/entity-tag.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import { ruleUnknown } from '../errors.ts'
import { findShippedRule } from './save-rule.ts'
import { findStoredRule, listStoredRules, type StoredRule } from './sighting-rule-store.ts'
import { presentRule, SightingRuleList, SightingRuleRecord } from './sighting-rule-wire.ts'

export function listSightingRulesRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/sighting-rules',
    group: 'intel',
    access: { kind: 'scope', scope: 'intel:read' },
    operationId: 'listSightingRules',
    summary: 'List sighting rules',
    description: 'The shipped rules and your own, by kind and name.',
    responses: {
      200: { description: 'All rules, by kind and name.', schema: successOf(SightingRuleList) },
      401: { description: 'No valid token.', schema: FailureEnvelope },
    },
    async handle() {
      const rules = (await listStoredRules(db)).map(showRule)
      return { status: 200, json: { status: 'success', statusCode: 200, result: { rules } } }
    },
  })
}

export function getSightingRuleRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/sighting-rules/{name}',
    group: 'intel',
    access: { kind: 'scope', scope: 'intel:read' },
    operationId: 'getSightingRule',
    hasVersionTag: true,
    summary: 'Get a sighting rule',
    description: 'The rule as it is in force.',
    params: Type.Object({ name: Type.String() }),
    responses: {
      200: { description: 'The rule.', schema: successOf(SightingRuleRecord) },
      401: { description: 'No valid token.', schema: FailureEnvelope },
      404: { description: 'There is no such rule.', schema: FailureEnvelope },
    },
    async handle({ params }) {
      const stored = await findStoredRule(db, params.name)
      if (stored === null) throw ruleUnknown()
      return answerRule(stored, 200)
    },
  })
}

function showRule(stored: StoredRule): SightingRuleRecord {
  return presentRule(stored, findShippedRule(stored.rule.name) !== null)
}

/** The answer with the rule, as it is now. */
export function answerRule(stored: StoredRule, status: 200 | 201) {
  return {
    status,
    json: { status: 'success', statusCode: status, result: showRule(stored) },
    headers: { etag: presentEtag(stored.version) },
  }
}
