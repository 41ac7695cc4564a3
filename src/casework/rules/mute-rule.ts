// Mute rules: an event that matches one is stored and marked, and joins no case.

import { parseIpAddress } from '../../values/address.ts'
import { parseDomain } from '../../values/domain.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import { isStorableText } from '../../values/json-value.ts'
import { isRange, parseBlock } from '../../values/range.ts'
import { parseCondition } from './compile-condition.ts'
import { findIpPrefix, KEY_FIELDS, type KeyField } from './correlation-key.ts'

/** The values that key fields must have, as `readKeyField` gives them. */
export type KeyMatch = Readonly<Partial<Record<KeyField, string>>>

/** The part of a rule that correlation needs. */
export interface MuteRule {
  readonly id: string
  /** CEL over one event; null where `keyMatch` decides. */
  readonly condition: string | null
  readonly keyMatch: KeyMatch | null
  readonly untilMs: number
}

/** A rule as it was sent; its schema has checked the shape. */
export interface MuteRuleInput {
  readonly condition?: string
  readonly key?: KeyMatch
  readonly reason: string
  readonly until: string
}

// The operator decides anew each year whether a source stays muted.
const UNTIL_MAX_MS = 366 * 24 * 3_600_000

export interface CheckedMuteRule {
  readonly problems: readonly FieldProblem[]
  /** The key in canonical form; null where a condition decides. */
  readonly keyMatch: KeyMatch | null
}

/** Finds everything wrong with a new rule; `at` is the current time. */
export function checkMuteRule(input: MuteRuleInput, at: Date): CheckedMuteRule {
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
  return { problems, keyMatch }
}

function readKey(key: KeyMatch, problems: FieldProblem[]): KeyMatch {
  const entries = KEY_FIELDS.flatMap((field): [KeyField, string][] => {
    const value = key[field]
    if (value === undefined) return []
    const canonical = isStorableText(value) ? canonicalise(field, value) : null
    if (canonical === null) {
      problems.push({ path: `/key/${field}`, reason: 'is not a valid value of this field' })
    }
    return [[field, canonical ?? value]]
  })
  return Object.fromEntries(entries)
}

// In the spelling that `readKeyField` gives for events, or the rule would never match.
function canonicalise(field: KeyField, value: string): string | null {
  switch (field) {
    case 'ip':
      return parseIpAddress(value)
    case 'domain':
    case 'registrable_domain':
      return parseDomain(value)
    case 'url_host':
      return parseIpAddress(value) ?? parseDomain(value)
    case 'sender_email':
      return value.toLowerCase()
    case 'ip_prefix':
      return readIpPrefix(value)
    case 'subtype':
      return value.split(',').toSorted().join(',')
    case 'customer_id':
    case 'contract_id':
    case 'resource':
    case 'event_type':
    case 'xarf_class':
      return value
  }
}

/** Null for a block of another size than a key has: /24 of IPv4, /64 of IPv6. */
function readIpPrefix(text: string): string | null {
  const block = parseBlock(text, 'clear')
  if (!isRange(block)) return null
  if (block.prefixLength !== (block.kind === 'ipv4-range' ? 24 : 64)) return null
  const [first = ''] = block.text.split('/')
  return findIpPrefix(first)
}
