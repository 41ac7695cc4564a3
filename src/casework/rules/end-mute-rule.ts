// POST /beta/casework/mute-rules/{ruleId}/end: it mutes nothing more. What it muted stays as it is.

import { Type } from 'typebox'
import type { Casework } from '../../app/open-casework.ts'
import { parseRecordId } from '../../kernel/http/record-ids.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { presentMuteRule, RULE_SCOPE } from './case-group-records.ts'
import { muteRuleNotFound } from './errors.ts'
import { MuteRule } from './mute-rule-wire.ts'
import { endMuteRuleNow } from './save-mute-rules.ts'

export function endMuteRuleRoute({ foundation }: Casework): Route {
  const { database, ids, clock } = foundation
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/mute-rules/{ruleId}/end',
    group: 'casework',
    access: { kind: 'scope', scope: RULE_SCOPE },
    operationId: 'endMuteRule',
    summary: 'End a mute rule now',
    description: 'One that has ended already stays as it is.',
    params: Type.Object({ ruleId: Type.String() }),
    responses: {
      200: { description: 'The rule as it is now.', schema: MuteRule },
      404: { description: 'There is no such rule.' },
    },
    async handle({ caller, params }) {
      const { tenantId, tokenId } = requireCaller(caller)
      const ruleId = parseRecordId(params.ruleId)
      if (ruleId === null) throw muteRuleNotFound()
      const at = new Date(clock.nowMs())
      const deps = { db: database.kysely, ids }
      const rule = await endMuteRuleNow(deps, { tenantId }, ruleId, { tokenId, at })
      return { status: 200, json: presentMuteRule(rule, at) }
    },
  })
}
