// Counts per key and window in memory that all threads of a process share, so that a limit is one
// limit however many threads answer. Bounded: a full table forgets its oldest keys.

import { randomInt } from 'node:crypto'

export interface RateTable {
  /** Given to the other threads, which open the same table over it. */
  readonly buffer: SharedArrayBuffer
  /**
   * Counts one for the key and gives 0 when it has at most `limit` in its window; else the
   * milliseconds until the window ends. A window begins with the first count of its key.
   */
  readonly take: (key: string, limit: number, nowMs: number) => number
  /** What was counted for the key in its window, and the milliseconds until that ends. */
  readonly look: (key: string, nowMs: number) => WindowCount
}

export interface WindowCount {
  readonly counted: number
  readonly restMs: number
}

export const RATE_WINDOW_MS = 60_000
// A thread reads the clock before it has the lock, so another one may have opened the window at a
// later time. A clock that is set back by more begins a new window.
const CLOCK_SKEW_MS = 5_000

// The buffer is read as words of 32 bits and as doubles of 64. It begins with the seed and the
// number of buckets, a word each; then a lock for each bucket, a word each, filled up to a whole
// double; then the slots of all buckets.
const HEADER_WORDS = 2

// A key lies in one bucket, in any of its slots. 131,072 keys × 24 bytes take 3 MB when all are
// used; untouched pages take nothing.
const BUCKETS_DEFAULT = 8_192
const SLOTS = 16
// A slot is named by the place of its first double, the start of its window in ms. Behind it are
// the two words of the hash and the count, a word each, and a word that is not used.
const SLOT_DOUBLES = 3
const BUCKET_DOUBLES = SLOTS * SLOT_DOUBLES
const LOW_WORD = 2
const HIGH_WORD = 3
const COUNT_WORD = 4
// A holder of the lock needs less than a microsecond. Should its thread have died, going on without
// the lock costs a few wrong counts.
const SPINS_MAX = 1_000_000

export function createRateBuffer(buckets = BUCKETS_DEFAULT): SharedArrayBuffer {
  const doubles = findSlots(buckets) + buckets * BUCKET_DOUBLES
  const buffer = new SharedArrayBuffer(doubles * Float64Array.BYTES_PER_ELEMENT)
  // Keys are chosen by clients; the seed keeps them from choosing a bucket.
  new Int32Array(buffer).set([randomInt(2 ** 31), buckets])
  return buffer
}

/** The place of the first slot, in doubles. */
function findSlots(buckets: number): number {
  return Math.ceil((HEADER_WORDS + buckets) / 2)
}

export function createRateTable(buffer = createRateBuffer()): RateTable {
  const words = new Int32Array(buffer)
  const doubles = new Float64Array(buffer)
  const [seed = 0, buckets = 1] = words
  const slotsAt = findSlots(buckets)

  const lock = (at: number): void => {
    let spins = 0
    while (Atomics.compareExchange(words, at, 0, 1) !== 0 && spins < SPINS_MAX) spins += 1
  }

  const holds = (slot: number, low: number, high: number): boolean =>
    words[slot * 2 + LOW_WORD] === low && words[slot * 2 + HIGH_WORD] === high

  /** The slot of this hash, or null when it has none. */
  const find = (bucket: number, low: number, high: number): number | null => {
    const first = slotsAt + bucket * BUCKET_DOUBLES
    const end = first + BUCKET_DOUBLES
    for (let slot = first; slot < end; slot += SLOT_DOUBLES) {
      if (holds(slot, low, high)) return slot
    }
    return null
  }

  const read = (slot: number | null, nowMs: number): WindowCount => {
    const startMs = slot === null ? 0 : (doubles[slot] ?? 0)
    if (slot === null || isOver(startMs, nowMs)) {
      return { counted: 0, restMs: RATE_WINDOW_MS }
    }
    const counted = words[slot * 2 + COUNT_WORD] ?? 0
    return { counted, restMs: startMs + RATE_WINDOW_MS - nowMs }
  }

  /** The slot of this hash, or the one whose window began first, which is forgotten. */
  const claim = (bucket: number, low: number, high: number): number => {
    const first = slotsAt + bucket * BUCKET_DOUBLES
    const end = first + BUCKET_DOUBLES
    let oldest = first
    for (let slot = first; slot < end; slot += SLOT_DOUBLES) {
      if (holds(slot, low, high)) return slot
      if ((doubles[slot] ?? 0) < (doubles[oldest] ?? 0)) oldest = slot
    }
    doubles[oldest] = 0
    words[oldest * 2 + LOW_WORD] = low
    words[oldest * 2 + HIGH_WORD] = high
    return oldest
  }

  /** Counts one in this slot: 0 when that is allowed, else the milliseconds to wait. */
  const count = (slot: number, limit: number, nowMs: number): number => {
    const startMs = doubles[slot] ?? 0
    const isNew = isOver(startMs, nowMs)
    const counted = isNew ? 0 : (words[slot * 2 + COUNT_WORD] ?? 0)
    if (counted >= limit) return startMs + RATE_WINDOW_MS - nowMs
    if (isNew) doubles[slot] = nowMs
    words[slot * 2 + COUNT_WORD] = counted + 1
    return 0
  }

  return {
    buffer,
    take(key, limit, nowMs) {
      const [low, high] = hashKey(key, seed)
      const bucket = (low >>> 0) % buckets
      const lockAt = HEADER_WORDS + bucket
      lock(lockAt)
      const waitMs = count(claim(bucket, low, high), limit, nowMs)
      Atomics.store(words, lockAt, 0)
      return waitMs
    },
    look(key, nowMs) {
      const [low, high] = hashKey(key, seed)
      const bucket = (low >>> 0) % buckets
      const lockAt = HEADER_WORDS + bucket
      lock(lockAt)
      const window = read(find(bucket, low, high), nowMs)
      Atomics.store(words, lockAt, 0)
      return window
    },
  }
}

function isOver(startMs: number, nowMs: number): boolean {
  return nowMs < startMs - CLOCK_SKEW_MS || nowMs >= startMs + RATE_WINDOW_MS
}

/** Two words of which the first chooses the bucket. FNV-1a and a multiplicative hash, finished. */
function hashKey(key: string, seed: number): readonly [low: number, high: number] {
  let low = seed ^ 0x811c_9dc5
  let high = ~seed
  for (let at = 0; at < key.length; at += 1) {
    const code = key.charCodeAt(at)
    low = Math.imul(low ^ code, 0x0100_0193)
    high = Math.imul(high + code, 0x9e37_79b1) ^ (high >>> 15)
  }
  return [finish(low), finish(high)]
}

/** The finalizer of MurmurHash3 (public domain). */
function finish(value: number): number {
  let hash = value ^ (value >>> 16)
  hash = Math.imul(hash, 0x85eb_ca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2_ae35)
  return hash ^ (hash >>> 16)
}
