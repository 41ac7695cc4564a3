// GET /beta/casework/mute-rules/{ruleId}: one rule, with the number of events that it muted.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { parseRecordId } from '../../values/uuid.ts'
import { muteRuleNotFound } from './errors.ts'
import { findMuteRule } from './mute-rule-store.ts'
import { MuteRule, presentMuteRule } from './mute-rule-wire.ts'

export function getMuteRuleRoute({ db, clock }: { readonly db: Db; readonly clock: Clock }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/mute-rules/{ruleId}',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'getMuteRule',
    summary: 'Get a mute rule',
    description: 'The rule, and how many events it has muted.',
    params: Type.Object({ ruleId: Type.String() }),
    responses: {
      200: { description: 'The rule.', schema: MuteRule },
      404: { description: 'There is no such rule.' },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const ruleId = parseRecordId(params.ruleId)
      const rule = ruleId === null ? null : await findMuteRule(db, scope, ruleId)
      if (rule === null) throw muteRuleNotFound()
      return { status: 200, json: presentMuteRule(rule, new Date(clock.nowMs())) }
    },
  })
}
