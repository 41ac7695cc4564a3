// JSON from outside that is kept as it came (event details): bounded in every direction, and
// limited to values that PostgreSQL stores unchanged.

import type { FieldProblem } from './field-problem.ts'

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

export interface JsonObject {
  readonly [name: string]: JsonValue
}

export interface JsonLimits {
  /** How deep objects and lists nest; 1 is a flat object. */
  readonly depthMax: number
  /** Objects, lists and plain values together. */
  readonly valuesMax: number
  /** UTF-16 units of one text. */
  readonly textLengthMax: number
  readonly nameLengthMax: number
  /** UTF-16 units of all texts and names together. */
  readonly totalLengthMax: number
}

// More problems than a person reads at once. The limit bounds the answer to a body that is wrong
// everywhere.
export const PROBLEMS_MAX = 50

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function addProblem(problems: FieldProblem[], path: string, reason: string): void {
  if (problems.length < PROBLEMS_MAX) problems.push({ path, reason })
}

/**
 * `path` with one more step, as a JSON pointer (RFC 6901). A member name from outside is shortened,
 * and characters that cannot be stored are replaced, because problems are stored with a quarantined
 * report.
 */
export function joinPointer(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}/${step}`
  const safe = step.slice(0, 100).toWellFormed().replaceAll('\u0000', '\uFFFD')
  return `${path}/${safe.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/**
 * True when `value` is a JSON object within the limits. Otherwise every fault is added to
 * `problems`, up to the first fault of size, which ends the check.
 */
export function checkJsonObject(
  value: unknown,
  path: string,
  limits: JsonLimits,
  problems: FieldProblem[],
): value is JsonObject {
  if (!isJsonObject(value)) {
    addProblem(problems, path, 'must be an object')
    return false
  }
  // Nearly every value is valid, so the first pass makes no pointers. Only a faulty value gets a
  // second pass, which names the places.
  if (new JsonCheck(limits, null).run(value, '')) return true
  return new JsonCheck(limits, problems).run(value, path)
}

class JsonCheck {
  readonly #limits: JsonLimits
  /** Null on the first pass, which ends at the first fault. */
  readonly #problems: FieldProblem[] | null
  #values = 0
  #length = 0
  #isSound = true
  #hasEnded = false

  constructor(limits: JsonLimits, problems: FieldProblem[] | null) {
    this.#limits = limits
    this.#problems = problems
  }

  run(value: unknown, path: string): boolean {
    this.#visit(value, path, 1)
    return this.#isSound
  }

  #visit(value: unknown, path: string, depth: number): void {
    this.#values += 1
    if (this.#values > this.#limits.valuesMax) {
      this.#giveUp(path, `holds more than ${this.#limits.valuesMax} values`)
    } else if (typeof value === 'string') {
      this.#visitText(value, path)
    } else if (typeof value === 'number') {
      this.#visitNumber(value, path)
    } else if (typeof value === 'object' && value !== null) {
      if (depth > this.#limits.depthMax) {
        this.#giveUp(path, `nests deeper than ${this.#limits.depthMax} levels`)
      } else if (Array.isArray(value)) {
        this.#visitList(value, path, depth)
      } else {
        this.#visitObject(value, path, depth)
      }
    } else if (typeof value !== 'boolean' && value !== null) {
      this.#refuse(path, 'is not a JSON value')
    }
  }

  #visitList(list: readonly unknown[], path: string, depth: number): void {
    for (let at = 0; at < list.length && !this.#hasEnded; at += 1) {
      this.#visit(list[at], this.#join(path, at), depth + 1)
    }
  }

  #visitObject(object: object, path: string, depth: number): void {
    for (const [name, member] of Object.entries(object)) {
      if (this.#hasEnded) return
      const memberPath = this.#join(path, name)
      if (!this.#addLength(name.length, memberPath)) return
      if (name.length > this.#limits.nameLengthMax) {
        this.#refuse(memberPath, `has a name longer than ${this.#limits.nameLengthMax} characters`)
      } else if (!isStorableText(name)) {
        this.#refuse(memberPath, 'has U+0000 or a lone surrogate in its name')
      }
      this.#visit(member, memberPath, depth + 1)
    }
  }

  #visitText(text: string, path: string): void {
    if (!this.#addLength(text.length, path)) return
    if (text.length > this.#limits.textLengthMax) {
      this.#refuse(path, `must be at most ${this.#limits.textLengthMax} characters`)
    } else if (!isStorableText(text)) {
      this.#refuse(path, 'has U+0000 or a lone surrogate')
    }
  }

  // JSON.parse has read 1e400 as infinite and 2^53 + 1 as its neighbour: the stored value would
  // differ from the one that was sent.
  #visitNumber(value: number, path: string): void {
    if (!Number.isFinite(value)) this.#refuse(path, 'is a number out of range')
    else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      this.#refuse(path, 'is a whole number beyond 2^53; send it as text')
    }
  }

  /** False when all texts and names together are too long, which ends the check. */
  #addLength(length: number, path: string): boolean {
    this.#length += length
    const { totalLengthMax } = this.#limits
    if (this.#length <= totalLengthMax) return true
    this.#giveUp(path, `makes the whole longer than ${totalLengthMax} characters`)
    return false
  }

  #join(path: string, step: string | number): string {
    return this.#problems === null ? '' : joinPointer(path, step)
  }

  #refuse(path: string, reason: string): void {
    this.#isSound = false
    if (this.#problems === null) this.#hasEnded = true
    else addProblem(this.#problems, path, reason)
  }

  // A value that is too large is not read to its end.
  #giveUp(path: string, reason: string): void {
    this.#hasEnded = true
    this.#refuse(path, reason)
  }
}

/** True when `text` is well-formed Unicode without U+0000. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

// A body nests at most this deep; JSON.parse accepts any depth, but a recursive function does not.
const DEPTH_MAX = 100

/** Why findUnstorableText has found a place. */
export const UNSTORABLE_TEXT = 'has U+0000 or a lone surrogate, or nests too deep'

/**
 * The JSON pointer of the first text (or member name) that cannot be stored, or of the first value
 * that nests too deep; null when there is none.
 */
export function findUnstorableText(value: unknown): string | null {
  const found = findIn(value, 0)
  // The empty pointer is the whole document (RFC 6901); a person reads "/" more easily.
  return found === null ? null : found || '/'
}

/** The pointer is built on the way back only, so that valid text costs no pointers. */
function findIn(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return isStorableText(value) ? null : ''
  if (typeof value !== 'object' || value === null) return null
  if (depth >= DEPTH_MAX) return ''
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) {
      const found = findIn(value[i], depth + 1)
      if (found !== null) return `/${i}${found}`
    }
    return null
  }
  for (const [key, member] of Object.entries(value)) {
    if (!isStorableText(key)) return ''
    const found = findIn(member, depth + 1)
    if (found !== null) return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}${found}`
  }
  return null
}
