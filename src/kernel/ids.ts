// The source of identifiers: UUID version 7 (RFC 9562 section 5.7): the leading time keeps inserts
// at the end of an index.

import { hash, randomBytes } from 'node:crypto'
import { type Clock, systemClock } from './clock.ts'

export interface IdSource {
  /** A lower-case UUIDv7, greater than every earlier one of this source. */
  readonly nextUuid: () => string
}

// RFC 9562 section 6.2, method 1: 12 bits after the version count within a millisecond; so up to
// 4096 ids of a millisecond are ordered.
const COUNTER_MAX = 0xfff

/**
 * Ids are ordered within one source even if the clock steps back, since the last used millisecond
 * is kept as a floor.
 */
export function createIdSource(clock: Clock = systemClock): IdSource {
  let lastMs = 0
  let counter = 0
  const takeRandom = createRandomPool()
  return {
    nextUuid() {
      const nowMs = clock.nowMs()
      if (nowMs > lastMs) {
        lastMs = nowMs
        // A random start below a half leaves room for at least 2048 more in this millisecond.
        counter = randomBytes(2).readUInt16BE(0) & 0x7ff
      } else if (counter === COUNTER_MAX) {
        lastMs += 1
        counter = 0
      } else {
        counter += 1
      }
      const bytes = takeRandom()
      bytes.writeUIntBE(lastMs, 0, 6)
      bytes.writeUInt16BE(0x7000 | counter, 6)
      bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
      const hex = bytes.toString('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
    },
  }
}

// One system call for 512 ids: a call for each id is a tenth of the cost of an event in bulk.
const POOL_BYTES = 512 * 16

/** Sixteen random bytes of which no other caller gets any; they may be written to. */
function createRandomPool(): () => Buffer {
  let pool = Buffer.alloc(0)
  let at = 0
  return () => {
    if (at + 16 > pool.length) {
      pool = randomBytes(POOL_BYTES)
      at = 0
    }
    at += 16
    return pool.subarray(at - 16, at)
  }
}

/** No greater than any UUIDv7 of this millisecond or a later one, and greater than all before. */
export function buildUuidFloor(timeMs: number): string {
  const hex = Math.max(0, timeMs).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** The millisecond inside a UUIDv7, since 1970. */
export function readUuidTimeMs(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)
}

/**
 * SHA-256 in lower-case hexadecimal over the fields in their order. Each is written with its length
 * in front, and null differs from every text, so ("ab", "c") and ("a", "bc") differ. Fields must be
 * well-formed text: a lone surrogate has no UTF-8 form.
 */
export function hashFields(fields: readonly (string | null)[]): string {
  let input = ''
  for (const field of fields) input += field === null ? '-;' : `${field.length}:${field};`
  return hash('sha256', input, 'hex')
}
