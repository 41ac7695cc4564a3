// Mute rules created and ended, each in one transaction with its row of history. They are never
// changed: what was muted stays explained.

import { inTransaction } from '../../kernel/db/database.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import { isStorableText } from '../../values/storable-text.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { parseDomainName, parseIpAddress } from '../../vocabulary/target.ts'
import { lockCaseGroups } from './case-group-change-store.ts'
import { parseCondition } from './compile-condition.ts'
import { KEY_FIELDS, type KeyField } from './correlation-key.ts'
import { muteRuleNotFound, muteRuleNotValid, tooManyRules } from './errors.ts'
import { type KeyMatch } from './mute-rule.ts'
import {
  countRulesInForce,
  endMuteRule,
  findMuteRule,
  insertMuteRule,
  type MuteRuleRow,
} from './mute-rule-store.ts'
import { addRuleHistory } from './rule-history-store.ts'
import type { RuleChanger, RuleDeps } from './save-case-groups.ts'

export interface MuteRuleInput {
  readonly condition?: string
  readonly key?: Readonly<Partial<Record<KeyField, string>>>
  readonly reason: string
  readonly until: string
}

// Every event asks them one after the other.
const RULES_IN_FORCE_MAX = 100
// What is to be ignored for longer is decided anew each year.
const UNTIL_MAX_MS = 366 * 24 * 3_600_000

/** Throws the operating errors of 400 and 409. */
export async function createMuteRule(
  { db, ids }: RuleDeps,
  scope: TenantScope,
  input: MuteRuleInput,
  { tokenId, at }: RuleChanger,
): Promise<MuteRuleRow> {
  const keyMatch = checkInput(input, at)
  const { condition = null, reason } = input
  const until = new Date(input.until)
  const id = ids.nextUuid()
  return await inTransaction(db, async (tx) => {
    // One after the other, so that the count holds.
    await lockCaseGroups(tx, scope)
    if ((await countRulesInForce(tx, scope, at)) >= RULES_IN_FORCE_MAX) {
      throw tooManyRules('mute rules in force', RULES_IN_FORCE_MAX)
    }
    const rule = { id, condition, keyMatch, reason, createdAt: at, createdBy: tokenId, until }
    await insertMuteRule(tx, scope, rule)
    const told = { condition, key: keyMatch, reason, until: until.toISOString() }
    const changes = Object.fromEntries(
      Object.entries(told).flatMap(([name, to]) =>
        to === null ? [] : [[name, { from: null, to }]],
      ),
    )
    const entry = { id: ids.nextUuid(), at, actor: tokenId, kind: 'create', changes } as const
    await addRuleHistory(tx, scope, 'mute_rule', id, entry)
    const row = await findMuteRule(tx, scope, id)
    if (row === null) throw new Error('a mute rule that was written is not there')
    return row
  })
}

/**
 * The rule afterwards; one that has ended already stays as it is. Throws the operating error of
 * 404.
 */
export async function endMuteRuleNow(
  { db, ids }: RuleDeps,
  scope: TenantScope,
  ruleId: string,
  { tokenId, at }: RuleChanger,
): Promise<MuteRuleRow> {
  return await inTransaction(db, async (tx) => {
    if (await endMuteRule(tx, scope, ruleId, at, tokenId)) {
      const changes = { ended_at: { from: null, to: at.toISOString() } }
      const entry = { id: ids.nextUuid(), at, actor: tokenId, kind: 'end', changes } as const
      await addRuleHistory(tx, scope, 'mute_rule', ruleId, entry)
    }
    const row = await findMuteRule(tx, scope, ruleId)
    if (row === null) throw muteRuleNotFound()
    return row
  })
}

/** The key in canonical form; null where a condition decides. */
function checkInput(input: MuteRuleInput, at: Date): KeyMatch | null {
  const problems: FieldProblem[] = []
  const { condition, key, reason, until } = input
  if ((condition === undefined) === (key === undefined)) {
    problems.push({ path: '/', reason: 'must have either condition or key' })
  }
  if (condition !== undefined) {
    const result = parseCondition(condition)
    if (result.kind === 'problem') problems.push({ path: '/condition', reason: result.reason })
  }
  if (!isStorableText(reason)) {
    problems.push({ path: '/reason', reason: 'has U+0000 or a lone surrogate' })
  }
  const untilMs = Date.parse(until)
  if (!(untilMs > at.getTime())) problems.push({ path: '/until', reason: 'must be in the future' })
  else if (untilMs > at.getTime() + UNTIL_MAX_MS) {
    problems.push({ path: '/until', reason: 'must be at most a year from now' })
  }
  const keyMatch = key === undefined ? null : readKey(key, problems)
  if (problems.length > 0) throw muteRuleNotValid(problems)
  return keyMatch
}

function readKey(key: MuteRuleInput['key'] & object, problems: FieldProblem[]): KeyMatch {
  const entries = KEY_FIELDS.flatMap((field): [KeyField, string][] => {
    const value = key[field]
    if (value === undefined) return []
    const canonical = isStorableText(value) ? canonicalise(field, value) : null
    if (canonical === null) problems.push({ path: `/key/${field}`, reason: 'is no value of it' })
    return [[field, canonical ?? value]]
  })
  return Object.fromEntries(entries)
}

// As events have them (readKeyField), or the rule would never match.
function canonicalise(field: KeyField, value: string): string | null {
  switch (field) {
    case 'ip':
      return parseIpAddress(value)
    case 'domain':
    case 'registrable_domain':
      return parseDomainName(value)
    case 'url_host':
      return parseIpAddress(value) ?? parseDomainName(value)
    case 'sender_email':
      return value.toLowerCase()
    case 'customer_id':
    case 'contract_id':
    case 'resource':
    case 'ip_prefix':
    case 'event_type':
    case 'subtype':
    case 'xarf_class':
      return value
  }
}
