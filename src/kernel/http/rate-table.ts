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

// A key lies in one bucket, in any of its slots. 131,072 keys × 24 bytes take 3 MB when all are
// used; untouched pages take nothing.
const BUCKETS_DEFAULT = 8_192
const SLOTS = 16
// Of a slot: the start of its window (a double), two words of the hash, and the count.
const SLOT_BYTES = 24
const HEADER_BYTES = 8
// A holder of the lock needs less than a microsecond. Should its thread have died, going on without
// the lock costs a few wrong counts.
const SPINS_MAX = 1_000_000

export function createRateBuffer(buckets = BUCKETS_DEFAULT): SharedArrayBuffer {
  const locksBytes = Math.ceil(buckets / 2) * 8
  const buffer = new SharedArrayBuffer(HEADER_BYTES + locksBytes + buckets * SLOTS * SLOT_BYTES)
  // Keys are chosen by clients; the seed keeps them from choosing a bucket.
  new Int32Array(buffer).set([randomInt(2 ** 31), buckets])
  return buffer
}

export function createRateTable(buffer = createRateBuffer()): RateTable {
  const words = new Int32Array(buffer)
  const doubles = new Float64Array(buffer)
  const [seed = 0, buckets = 1] = words
  const locksAt = HEADER_BYTES / 4
  const slotsAt = (HEADER_BYTES + Math.ceil(buckets / 2) * 8) / 8

  const lock = (at: number): void => {
    let spins = 0
    while (Atomics.compareExchange(words, at, 0, 1) !== 0 && spins < SPINS_MAX) spins += 1
  }

  /** The slot of this hash, or null when it has none. */
  const find = (bucket: number, low: number, high: number): number | null => {
    const first = slotsAt + (bucket * SLOTS * SLOT_BYTES) / 8
    const end = first + (SLOTS * SLOT_BYTES) / 8
    for (let at = first; at < end; at += SLOT_BYTES / 8) {
      if (words[at * 2 + 2] === low && words[at * 2 + 3] === high) return at
    }
    return null
  }

  const read = (slot: number | null, nowMs: number): WindowCount => {
    const startMs = slot === null ? 0 : (doubles[slot] ?? 0)
    if (slot === null || isOver(startMs, nowMs)) {
      return { counted: 0, restMs: RATE_WINDOW_MS }
    }
    return { counted: words[slot * 2 + 4] ?? 0, restMs: startMs + RATE_WINDOW_MS - nowMs }
  }

  /** The slot of this hash, or the one whose window began first, which is forgotten. */
  const claim = (bucket: number, low: number, high: number): number => {
    let oldest = slotsAt + (bucket * SLOTS * SLOT_BYTES) / 8
    const end = oldest + (SLOTS * SLOT_BYTES) / 8
    for (let at = oldest; at < end; at += SLOT_BYTES / 8) {
      if (words[at * 2 + 2] === low && words[at * 2 + 3] === high) return at
      if ((doubles[at] ?? 0) < (doubles[oldest] ?? 0)) oldest = at
    }
    doubles[oldest] = 0
    words[oldest * 2 + 2] = low
    words[oldest * 2 + 3] = high
    return oldest
  }

  const count = (slot: number, limit: number, nowMs: number): number => {
    const startMs = doubles[slot] ?? 0
    const isNew = isOver(startMs, nowMs)
    const counted = isNew ? 0 : (words[slot * 2 + 4] ?? 0)
    if (counted >= limit) return startMs + RATE_WINDOW_MS - nowMs
    if (isNew) doubles[slot] = nowMs
    words[slot * 2 + 4] = counted + 1
    return 0
  }

  return {
    buffer,
    take(key, limit, nowMs) {
      const [low, high] = hashKey(key, seed)
      const bucket = (low >>> 0) % buckets
      const lockAt = locksAt + bucket
      lock(lockAt)
      const waitMs = count(claim(bucket, low, high), limit, nowMs)
      Atomics.store(words, lockAt, 0)
      return waitMs
    },
    look(key, nowMs) {
      const [low, high] = hashKey(key, seed)
      const bucket = (low >>> 0) % buckets
      lock(locksAt + bucket)
      const window = read(find(bucket, low, high), nowMs)
      Atomics.store(words, locksAt + bucket, 0)
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
