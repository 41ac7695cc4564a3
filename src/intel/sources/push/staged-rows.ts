// The rows of a push as text for COPY (PostgreSQL, "COPY", text format), made before the database
// is used. Pure, so that the thread that reads pushes can make them; the result is transferred
// between threads without a copy.

import {
  NETWORK_SOURCE_KIND,
  type SourceName,
  STATEMENT_SOURCE_KINDS,
} from '../../facts/source-kinds.ts'
import { type FactLog, FactLogWriter, type StatementFactKind } from '../../snapshot/fact-log.ts'
import { mix32 } from '../../snapshot/hashing.ts'
import { FACT_ALLOWANCE, FACT_LISTING, FACT_TAGGING } from '../../snapshot/record.ts'

/** One observation. Times are milliseconds since 1970. */
export interface SightingRow {
  /** Canonical text of an item. */
  readonly subject: string
  readonly kind: string
  /** Empty when the sensor named none. */
  readonly service: string
  readonly type: string
  readonly source: string
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  readonly count: number
}

/** A listing, tagging or allowance of a subject. Times are milliseconds since 1970. */
export interface StatementRow {
  /** Canonical text of an item or range. */
  readonly subject: string
  /** Name of the list or tag. */
  readonly name: string
  readonly source: string
  readonly isActive: boolean
  readonly reason: string | null
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  /**
   * False when the push gave no time: a known row then keeps its own, so a repeat changes nothing.
   */
  readonly hasLastSeen: boolean
  /** Null: until it is withdrawn. */
  readonly expiresMs: number | null
}

/**
 * The rows in the order of arrival. A row names its source by its position in `sources`, counted
 * from 1.
 */
export interface StagedRows {
  readonly pieces: readonly Uint8Array<ArrayBuffer>[]
  readonly sources: readonly SourceName[]
  readonly rowCount: number
  /** False when all keys differ. True when two rows have one key, or, very rarely, one hash. */
  readonly mayRepeat: boolean
  /** The values of `hasLastSeen` among the rows; both are false for sightings. */
  readonly hasGivenTimes: boolean
  readonly hasAssumedTimes: boolean
  /**
   * The rows as facts, for the case that each is new. Null when keys repeat, or when the stager
   * does not keep facts.
   */
  readonly facts: FactLog | null
}

/** Add all rows, then `build` once. Keeps the text and eight bytes a row. */
export class RowStager {
  readonly #text = new PieceWriter()
  readonly #sources = new SourceNumbers()
  readonly #keys = new KeySet()
  #rowCount = 0
  #hasGivenTimes = false
  #hasAssumedTimes = false
  readonly #facts: FactLogWriter | null

  constructor({ keepsFacts = false }: { readonly keepsFacts?: boolean } = {}) {
    this.#facts = keepsFacts ? new FactLogWriter() : null
  }

  addSighting(row: SightingRow): void {
    const { subject, kind, service, type, source, firstSeenMs, lastSeenMs, count } = row
    const number = this.#sources.numberOf(kind, source)
    this.#rowCount += 1
    this.#keys.start(number)
    this.#keys.step(subject)
    this.#keys.step(service)
    this.#keys.step(type)
    this.#keys.stepNumber(firstSeenMs)
    this.#keys.stepNumber(lastSeenMs)
    this.#keys.finish()
    this.#text.write(
      `${subject}\t${number}\t${copyText(service)}\t${copyText(type)}\t${firstSeenMs}\t${lastSeenMs}\t${count}\t${this.#rowCount}\n`,
    )
    this.#facts?.addSighting(row.subject, row, [
      Math.floor(firstSeenMs / 1_000),
      Math.floor(lastSeenMs / 1_000),
      count,
    ])
  }

  /** `kind` is that of the source. */
  addStatement(kind: string, row: StatementRow): void {
    const { subject, name, isActive, firstSeenMs, lastSeenMs, hasLastSeen, expiresMs } = row
    const number = this.#sources.numberOf(kind, row.source)
    this.#rowCount += 1
    this.#keys.start(number)
    this.#keys.step(subject)
    this.#keys.step(name)
    this.#keys.finish()
    if (hasLastSeen) this.#hasGivenTimes = true
    else this.#hasAssumedTimes = true
    const reason = row.reason === null ? COPY_NULL : copyText(row.reason)
    this.#text.write(
      `${subject}\t${number}\t${copyText(name)}\t${isActive ? 't' : 'f'}\t${reason}\t${firstSeenMs}\t${lastSeenMs}\t${hasLastSeen ? 't' : 'f'}\t${expiresMs ?? COPY_NULL}\t${this.#rowCount}\n`,
    )
    // An own network is no fact.
    if (!isActive || this.#facts === null || kind === NETWORK_SOURCE_KIND) return
    // Rounded as the store does it: whole seconds, and nothing expires early.
    this.#facts.addStatement(subject, factKindOfSource(kind), row, [
      Math.floor(firstSeenMs / 1_000),
      Math.floor(lastSeenMs / 1_000),
      Math.ceil((expiresMs ?? 0) / 1_000),
    ])
  }

  build(): StagedRows {
    return {
      pieces: this.#text.end(),
      sources: this.#sources.sources,
      rowCount: this.#rowCount,
      mayRepeat: this.#keys.hasRepeat,
      hasGivenTimes: this.#hasGivenTimes,
      hasAssumedTimes: this.#hasAssumedTimes,
      facts: this.#keys.hasRepeat ? null : (this.#facts?.build() ?? null),
    }
  }
}

function factKindOfSource(kind: string): StatementFactKind {
  switch (kind) {
    case STATEMENT_SOURCE_KINDS.listing:
      return FACT_LISTING
    case STATEMENT_SOURCE_KINDS.allowance:
      return FACT_ALLOWANCE
    default:
      return FACT_TAGGING
  }
}

// Small enough to be written to a socket in well under 1 ms.
const PIECE_CHARACTERS = 64 * 1_024

class PieceWriter {
  readonly #encoder = new TextEncoder()
  readonly #pieces: Uint8Array<ArrayBuffer>[] = []
  #text = ''

  write(line: string): void {
    this.#text += line
    if (this.#text.length >= PIECE_CHARACTERS) this.#cut()
  }

  end(): readonly Uint8Array<ArrayBuffer>[] {
    if (this.#text !== '') this.#cut()
    return this.#pieces
  }

  #cut(): void {
    this.#pieces.push(this.#encoder.encode(this.#text))
    this.#text = ''
  }
}

/** Numbers the sources of a push: few sources are named in many rows. */
class SourceNumbers {
  readonly sources: SourceName[] = []
  readonly #numbers = new Map<string, number>()
  #last: SourceName = { kind: '', name: '' }
  #lastNumber = 0

  numberOf(kind: string, name: string): number {
    if (this.#last.name === name && this.#last.kind === kind) return this.#lastNumber
    // The database stores no NUL, so two different pairs never give the same key.
    const key = `${kind}\0${name}`
    let number = this.#numbers.get(key)
    this.#last = { kind, name }
    if (number === undefined) {
      this.sources.push(this.#last)
      number = this.sources.length
      this.#numbers.set(key, number)
    }
    this.#lastNumber = number
    return number
  }
}

const KEYS_MIN = 1_024
const KEY_WORDS = 2
const TWO_POW_32 = 0x1_0000_0000

/**
 * Finds repeated keys by a hash of 64 bits. A set of texts would take some 150 bytes a row, and a
 * second to grow to a million. The seed is random, so that a client cannot choose keys with the
 * same hash.
 */
class KeySet {
  hasRepeat = false
  #slots = new Uint32Array(KEYS_MIN * KEY_WORDS)
  #count = 0
  readonly #seed = Math.trunc(Math.random() * TWO_POW_32)
  #low = 0
  #high = 0

  start(number: number): void {
    this.#low = this.#seed ^ number
    this.#high = ~this.#seed + number
  }

  step(text: string): void {
    let low = this.#low
    let high = this.#high
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      low = Math.imul(low ^ code, 0x0100_0193)
      high = Math.imul(high + code, 0x9e37_79b1) ^ (high >>> 15)
    }
    // The same letters cut into two texts elsewhere must give another hash.
    this.#low = Math.imul(low ^ 0xffff, 0x0100_0193)
    this.#high = Math.imul(high + text.length, 0x9e37_79b1)
  }

  stepNumber(value: number): void {
    this.#low = Math.imul(this.#low ^ (value | 0), 0x85eb_ca6b)
    this.#high = Math.imul(this.#high + ((value / TWO_POW_32) | 0), 0x9e37_79b1) ^ (value | 0)
    this.#low ^= this.#low >>> 13
    this.#high ^= this.#high >>> 15
  }

  finish(): void {
    const low = mix32(this.#low)
    // The second word of a slot in use is never 0.
    const high = (mix32(this.#high) | 1) >>> 0
    if (this.#put(low, high)) this.hasRepeat = true
    else if (this.#count * KEY_WORDS * 2 > this.#slots.length) this.#grow()
  }

  /** True when the key was known. */
  #put(low: number, high: number): boolean {
    const slots = this.#slots
    const mask = slots.length / KEY_WORDS - 1
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const at = slot * KEY_WORDS
      if (slots[at + 1] === 0) {
        slots[at] = low
        slots[at + 1] = high
        this.#count += 1
        return false
      }
      if (slots[at] === low && slots[at + 1] === high) return true
    }
  }

  #grow(): void {
    const former = this.#slots
    this.#slots = new Uint32Array(former.length * 2)
    this.#count = 0
    for (let at = 0; at < former.length; at += KEY_WORDS) {
      const high = former[at + 1] ?? 0
      if (high !== 0) this.#put(former[at] ?? 0, high)
    }
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function copyText(value: string): string {
  return /[\\\n\r\t]/.test(value)
    ? value.replaceAll(/[\\\n\r\t]/g, (letter) => ESCAPES[letter] ?? letter)
    : value
}

/** The mark of COPY's text format for no value. */
const COPY_NULL = '\\N'
