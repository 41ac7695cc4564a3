// PUT and PATCH /beta/sighting-rules/{name}: a rule of one's own, or a changed shipped one. A rule
// changes the verdict on every item that it covers, so the caller needs the scope to manage
// sources.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import type { SightingRule } from '../facts/sighting-rules.ts'
import { answerRule } from './list-sighting-rules.ts'
import { asEdited, checkRule, requireRuleName, type SaveRuleDeps, saveRule } from './save-rule.ts'
import type { StoredRule } from './sighting-rule-store.ts'
import { NewSightingRule, SightingRulePatch, SightingRuleRecord } from './sighting-rule-wire.ts'

const PATH = '/beta/sighting-rules/{name}'
const ACCESS = { kind: 'scope', scope: 'sources:manage' } as const
const REFUSALS = {
  400: { description: 'The rule is not valid.', schema: FailureEnvelope },
  401: { description: 'No valid token.', schema: FailureEnvelope },
  403: { description: 'The token lacks sources:manage.', schema: FailureEnvelope },
  412: {
    description: 'The rule was changed since the version of If-Match.',
    schema: FailureEnvelope,
  },
} as const

export function putSightingRuleRoute(deps: SaveRuleDeps): Route {
  return defineRoute({
    method: 'PUT',
    path: PATH,
    group: 'intel',
    access: ACCESS,
    operationId: 'putSightingRule',
    summary: 'Create or replace a sighting rule',
    description:
      'Look-ups on this node follow the rule at once, other nodes within a second. An upgrade of the program keeps your version of a shipped rule.',
    params: Type.Object({ name: Type.String() }),
    body: NewSightingRule,
    responses: {
      200: { description: 'The replaced rule.', schema: successOf(SightingRuleRecord) },
      201: { description: 'The new rule.', schema: successOf(SightingRuleRecord, 201) },
      ...REFUSALS,
      409: { description: 'There are too many rules.', schema: FailureEnvelope },
    },
    async handle({ caller, params, body, headers }) {
      const { enabled = true, ...members } = body
      const name = requireRuleName(params.name)
      const rule = checkRule({ name, ...members }, deps.index.tags())
      const ifMatch = headers['if-match']
      const act = 'sighting_rule.set' as const
      const request = { name, act, caller: requireCaller(caller), ifMatch }
      const done = await saveRule(deps, request, () => asEdited(rule, enabled))
      if (done.kind !== 'stored') throw new Error('a rule that was put is gone')
      return answerRule(done.stored, done.isNew ? 201 : 200)
    },
  })
}

export function changeSightingRuleRoute(deps: SaveRuleDeps): Route {
  return defineRoute({
    method: 'PATCH',
    path: PATH,
    group: 'intel',
    access: ACCESS,
    operationId: 'changeSightingRule',
    summary: 'Change a sighting rule',
    description: 'Members that are sent are changed; null takes services or withinSeconds away.',
    params: Type.Object({ name: Type.String() }),
    body: SightingRulePatch,
    responses: {
      200: { description: 'The rule after the change.', schema: successOf(SightingRuleRecord) },
      ...REFUSALS,
      404: { description: 'There is no such rule.', schema: FailureEnvelope },
    },
    async handle({ caller, params, body, headers }) {
      const request = {
        name: params.name,
        act: 'sighting_rule.change' as const,
        caller: requireCaller(caller),
        ifMatch: headers['if-match'],
      }
      const done = await saveRule(deps, request, (before) => {
        if (before === null) return null
        const rule = checkRule(applyPatch(before.rule, body), deps.index.tags())
        return asEdited(rule, body.enabled ?? before.isEnabled)
      })
      if (done.kind !== 'stored') throw new Error('a rule that was changed is gone')
      return answerRule(done.stored, 200)
    },
  })
}

function applyPatch(rule: StoredRule['rule'], patch: SightingRulePatch): SightingRule {
  const { kind = rule.kind, types = rule.types, tags = rule.tags } = patch
  const { countMin = rule.countMin, sourcesMin = rule.sourcesMin } = patch
  const services = patch.services === undefined ? rule.services : patch.services
  const within = patch.withinSeconds === undefined ? rule.withinSeconds : patch.withinSeconds
  return {
    name: rule.name,
    kind,
    types,
    ...(services === undefined || services === null ? {} : { services }),
    countMin,
    sourcesMin,
    ...(within === undefined || within === null ? {} : { withinSeconds: within }),
    tags,
  }
}
