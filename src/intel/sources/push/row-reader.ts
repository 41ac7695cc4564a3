// Reads the members of one pushed row. The first problem is the reason to reject the row; other
// rows are not affected.

import { parseItem } from '../../../values/item.ts'
import { isStorableText } from '../../../values/json-value.ts'
import { isTooWide, parseSubject, TOO_WIDE } from '../../../values/range.ts'
import { parseInstant } from '../../../values/timestamp.ts'

// The snapshot stores times as unsigned 32-bit seconds, which end in 2106.
const INSTANT_MAX_MS = Date.UTC(2100, 0, 1)
// Clocks of sensors may be off by a time zone. A time further ahead is a wrong date.
const CLOCK_SKEW_MS = 86_400_000
const DOMAIN_TEXT_MAX = 1_024

export interface TextRule {
  readonly pattern: RegExp
  /** Ends the sentence "<member> must be …". */
  readonly says: string
}

/** Lower-case words joined with hyphens. */
export const SLUG: TextRule = {
  pattern: /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/,
  says: 'lower-case letters, digits and hyphens, at most 64',
}
/** Names of services and types, as sensors and report formats spell them. */
export const WORD: TextRule = {
  pattern: /^[A-Za-z0-9][A-Za-z0-9._:+/-]{0,63}$/,
  says: 'letters, digits and . _ : + / -, at most 64',
}
/** Names that people give. */
export const NAME: TextRule = {
  pattern: /^[^\p{Cc}\s](?:[^\p{Cc}]{0,98}[^\p{Cc}\s])?$/u,
  says: 'a name of at most 100 characters',
}
export const SENTENCE: TextRule = {
  pattern: /^[^\p{Cc}]{1,500}$/u,
  says: 'one line of at most 500 characters',
}

export class RowReader {
  /** Why the row is rejected, or null while nothing is wrong. */
  problem: string | null = null
  readonly #row: Readonly<Record<string, unknown>>
  readonly #nowMs: number
  #wideName: string | null = null

  /** `members` are all that a row may have: an unknown one is most often a misspelled name. */
  constructor(value: unknown, members: ReadonlySet<string>, nowMs: number) {
    this.#nowMs = nowMs
    if (!isRecord(value)) {
      this.#row = {}
      this.problem = 'The row is no JSON object.'
      return
    }
    this.#row = value
    for (const name in value) {
      if (members.has(name)) continue
      this.#reject(`There is no member ${JSON.stringify(name.slice(0, 50))} here.`)
    }
  }

  /** Canonical text of the item; empty when rejected. */
  item(name: string): string {
    const text = this.#text(name)
    if (text === null) return ''
    const item = text.length > DOMAIN_TEXT_MAX ? null : parseItem(text)
    if (item === null) this.#reject(`${name} is neither an IP address nor a domain name.`)
    return item?.text ?? ''
  }

  /** Canonical text of the item or range; empty when rejected. */
  subject(name: string): string {
    const text = this.#text(name)
    if (text === null) return ''
    if (text.length > DOMAIN_TEXT_MAX) {
      this.#reject(`${name} is no IP address, range or domain name.`)
      return ''
    }
    const parsed = parseSubject(text)
    if (parsed.kind === 'refused') {
      this.#reject(`${name}: ${parsed.reason}`)
      return ''
    }
    if (isTooWide(parsed.subject)) this.#wideName = name
    return parsed.subject.text
  }

  /**
   * Rejects a subject that is too wide. Not called for a row that withdraws an entry: an older
   * version may have accepted it.
   */
  refuseWide(): void {
    if (this.#wideName !== null) this.#reject(`${this.#wideName}: ${TOO_WIDE}`)
  }

  text(name: string, rule: TextRule): string {
    const text = this.#text(name)
    if (text === null) return ''
    if (!isAccepted(text, rule)) this.#reject(`${name} must be ${rule.says}.`)
    return text
  }

  optionalText(name: string, rule: TextRule): string | null {
    return this.#isAbsent(name) ? null : this.text(name, rule)
  }

  choice<Value extends string>(name: string, values: readonly Value[], fallback: Value): Value {
    if (this.#isAbsent(name)) return fallback
    const found = values.find((value) => value === this.#row[name])
    if (found === undefined) this.#reject(`${name} must be ${values.join(' or ')}.`)
    return found ?? fallback
  }

  /** A whole number of at least 1. */
  count(name: string): number {
    if (this.#isAbsent(name)) return 1
    const value = this.#row[name]
    // The snapshot counts in 32 bits.
    if (
      typeof value === 'number' &&
      Number.isInteger(value) &&
      value >= 1 &&
      value <= 0xffff_ffff
    ) {
      return value
    }
    this.#reject(`${name} must be a whole number from 1 to 4294967295.`)
    return 1
  }

  /** The time of an observation, which is not in the future. */
  seen(name: string): number {
    const ms = this.instant(name)
    if (ms > this.#nowMs + CLOCK_SKEW_MS) this.#reject(`${name} lies in the future.`)
    return ms
  }

  optionalSeen(name: string): number | null {
    return this.#isAbsent(name) ? null : this.seen(name)
  }

  optionalInstant(name: string): number | null {
    return this.#isAbsent(name) ? null : this.instant(name)
  }

  instant(name: string): number {
    const text = this.#text(name)
    if (text === null) return 0
    const ms = parseInstant(text)
    if (ms === null || ms < 0 || ms > INSTANT_MAX_MS) {
      this.#reject(`${name} must be a date-time with a zone, such as 2026-01-31T12:00:00Z.`)
      return 0
    }
    return ms
  }

  check(isRight: boolean, reason: string): void {
    if (!isRight) this.#reject(reason)
  }

  #isAbsent(name: string): boolean {
    // Clients often write null for an optional member that is missing.
    return this.#row[name] === undefined || this.#row[name] === null
  }

  #text(name: string): string | null {
    const value = this.#row[name]
    if (typeof value === 'string') return value
    this.#reject(this.#isAbsent(name) ? `${name} is missing.` : `${name} must be a string.`)
    return null
  }

  #reject(reason: string): void {
    this.problem ??= reason
  }
}

// A push repeats few names in many rows, and a lookup here is faster than the pattern.
const ACCEPTED_MAX = 64
const ACCEPTED_LENGTH_MAX = 100
const accepted = new WeakMap<TextRule, Set<string>>()

function isAccepted(text: string, rule: TextRule): boolean {
  const known = accepted.get(rule) ?? new Set()
  if (known.has(text)) return true
  if (!rule.pattern.test(text) || !isStorableText(text)) return false
  if (known.size >= ACCEPTED_MAX) known.clear()
  if (text.length <= ACCEPTED_LENGTH_MAX) known.add(text)
  accepted.set(rule, known)
  return true
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
