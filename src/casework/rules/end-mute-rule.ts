// POST /beta/casework/mute-rules/{ruleId}/end: the rule mutes no more events. Events that it muted
// stay muted.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { parseRecordId } from '../../values/uuid.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import type { MuteRuleDeps } from './create-mute-rule.ts'
import { muteRuleNotFound } from './errors.ts'
import { endMuteRule, findMuteRule, type MuteRuleRow } from './mute-rule-store.ts'
import { MuteRule, presentMuteRule } from './mute-rule-wire.ts'
import { addRuleHistory } from './rule-history-store.ts'

export function endMuteRuleRoute(deps: MuteRuleDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/mute-rules/{ruleId}/end',
    group: 'casework',
    access: { kind: 'scope', scope: 'rules:write' },
    operationId: 'endMuteRule',
    summary: 'End a mute rule',
    description: 'A rule that has ended already stays as it is.',
    params: Type.Object({ ruleId: Type.String() }),
    responses: {
      200: { description: 'The rule after the call.', schema: MuteRule },
      404: { description: 'There is no such rule.' },
    },
    async handle({ caller, params }) {
      const ruleId = parseRecordId(params.ruleId)
      if (ruleId === null) throw muteRuleNotFound()
      const at = new Date(deps.clock.nowMs())
      const rule = await endRule(deps, requireCaller(caller), ruleId, at)
      return { status: 200, json: presentMuteRule(rule, at) }
    },
  })
}

async function endRule(
  { db, audit, ids }: MuteRuleDeps,
  { tenantId, tokenId }: Caller,
  ruleId: string,
  at: Date,
): Promise<MuteRuleRow> {
  const scope = { tenantId }
  return await inTransaction(db, async (tx) => {
    const isEnded = await endMuteRule(tx, scope, ruleId, at, tokenId)
    if (isEnded) {
      const changes = { ended_at: { from: null, to: at.toISOString() } }
      const entry = { id: ids.nextUuid(), at, actor: tokenId, kind: 'end', changes } as const
      await addRuleHistory(tx, scope, 'mute_rule', ruleId, entry)
    }
    const row = await findMuteRule(tx, scope, ruleId)
    if (row === null) throw muteRuleNotFound()
    if (isEnded) {
      const after = presentMuteRule(row, at)
      await audit.record(tx, 'mute_rule.end', { tenantId, id: ruleId, after })
    }
    return row
  })
}
