// POST /beta/casework/mute-rules: events that match are kept and marked, and go into no case, until
// then.

import type { Casework } from '../../app/open-casework.ts'
import { defineRoute, type Route, requireCaller } from '../../kernel/http/route.ts'
import { presentMuteRule, RULE_SCOPE } from './case-group-records.ts'
import { MuteRule, NewMuteRule } from './mute-rule-wire.ts'
import { createMuteRule } from './save-mute-rules.ts'

export function createMuteRuleRoute({ foundation }: Casework): Route {
  const { database, ids, clock } = foundation
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/mute-rules',
    group: 'casework',
    access: { kind: 'scope', scope: RULE_SCOPE },
    operationId: 'createMuteRule',
    summary: 'Mute events for a time',
    description:
      'Events that match and come from now on are kept with the tag `muted` and go into no case, also not into one that is open.',
    body: NewMuteRule,
    responses: {
      201: { description: 'In force; Location names it.', schema: MuteRule },
      400: { description: 'It is not valid.' },
      409: { description: 'There are too many in force.' },
    },
    async handle({ caller, body }) {
      const { tenantId, tokenId } = requireCaller(caller)
      const at = new Date(clock.nowMs())
      const deps = { db: database.kysely, ids }
      const rule = await createMuteRule(deps, { tenantId }, body, { tokenId, at })
      return {
        status: 201,
        json: presentMuteRule(rule, at),
        headers: { location: `/beta/casework/mute-rules/${rule.id}` },
      }
    },
  })
}
