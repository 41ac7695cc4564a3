// POST /beta/casework/mute-rules: until the rule ends, events that match are stored and marked, and
// join no case.

import { requireCaller } from '../../access/admit-request.ts'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import { lockCaseGroups } from './case-group-change-store.ts'
import { muteRuleNotValid, tooManyRules } from './errors.ts'
import { checkMuteRule } from './mute-rule.ts'
import {
  countRulesInForce,
  findMuteRule,
  insertMuteRule,
  type MuteRuleRow,
} from './mute-rule-store.ts'
import { MuteRule, NewMuteRule, presentMuteRule } from './mute-rule-wire.ts'
import { addRuleHistory } from './rule-history-store.ts'

export interface MuteRuleDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly ids: IdSource
  readonly clock: Clock
}

export function createMuteRuleRoute(deps: MuteRuleDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/mute-rules',
    group: 'casework',
    access: { kind: 'scope', scope: 'rules:write' },
    operationId: 'createMuteRule',
    idempotency: 'kept',
    summary: 'Create a mute rule',
    description:
      'Matching events that arrive from now on are stored with the tag `muted`. They join no case, not even an open one.',
    body: NewMuteRule,
    responses: {
      201: { description: 'In force; Location names it.', schema: MuteRule },
      400: { description: 'The rule is not valid.' },
      409: { description: 'There are too many rules in force.' },
    },
    async handle({ caller, body }) {
      const at = new Date(deps.clock.nowMs())
      const rule = await createMuteRule(deps, requireCaller(caller), body, at)
      return {
        status: 201,
        json: presentMuteRule(rule, at),
        headers: { location: `/beta/casework/mute-rules/${rule.id}` },
      }
    },
  })
}

// Every event is compared with each of them, within the work of an event (condition-work.ts).
const RULES_IN_FORCE_MAX = 100

async function createMuteRule(
  { db, audit, ids }: MuteRuleDeps,
  { tenantId, tokenId }: Caller,
  input: NewMuteRule,
  at: Date,
): Promise<MuteRuleRow> {
  const { problems, keyMatch } = checkMuteRule(input, at)
  if (problems.length > 0) throw muteRuleNotValid(problems)
  const scope = { tenantId }
  const { condition = null, reason } = input
  const until = new Date(input.until)
  const id = ids.nextUuid()
  return await inTransaction(db, async (tx) => {
    // The lock lets one change pass at a time, so that the count holds.
    await lockCaseGroups(tx, scope)
    if ((await countRulesInForce(tx, scope, at)) >= RULES_IN_FORCE_MAX) {
      throw tooManyRules('mute rules in force', RULES_IN_FORCE_MAX)
    }
    const rule = { id, condition, keyMatch, reason, createdAt: at, createdBy: tokenId, until }
    await insertMuteRule(tx, scope, rule)
    const members = { condition, key: keyMatch, reason, until: until.toISOString() }
    const changes = Object.fromEntries(
      Object.entries(members).flatMap(([name, to]) =>
        to === null ? [] : [[name, { from: null, to }]],
      ),
    )
    const entry = { id: ids.nextUuid(), at, actor: tokenId, kind: 'create', changes } as const
    await addRuleHistory(tx, scope, 'mute_rule', id, entry)
    const row = await findMuteRule(tx, scope, id)
    if (row === null) throw new Error('a mute rule that was written is not there')
    const after = presentMuteRule(row, at)
    await audit.record(tx, 'mute_rule.create', { tenantId, id, after })
    return row
  })
}
