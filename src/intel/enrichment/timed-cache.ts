// A bounded cache whose entries expire. When it is full, it evicts an entry that was not read
// lately.

import type { Clock } from '../../kernel/clock.ts'

export interface TimedCache<Value> {
  /** The value, or undefined when there is none or it has expired. */
  readonly find: (key: string) => Value | undefined
  readonly keep: (key: string, value: Value, ttlMs: number) => void
  /** Number of entries, some of which may have expired. */
  readonly size: () => number
}

interface Entry<Value> {
  readonly value: Value
  readonly expiresAtMs: number
  /** Read since it was added or last passed over by the eviction. */
  wasRead: boolean
}

/** `entriesMax` must be at least 1. */
export function createTimedCache<Value>(clock: Clock, entriesMax: number): TimedCache<Value> {
  // The order of the Map is the order of eviction. Reading marks an entry; to move it to the end of
  // the Map would cost every look-up more than the read itself.
  const entries = new Map<string, Entry<Value>>()

  const makeRoom = (): void => {
    // A marked entry loses its mark and gets a second chance, so the loop ends within one round.
    for (const [key, entry] of entries) {
      entries.delete(key)
      if (!entry.wasRead || entry.expiresAtMs <= clock.nowMs()) return
      entry.wasRead = false
      entries.set(key, entry)
    }
  }
  return {
    find(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      if (entry.expiresAtMs <= clock.nowMs()) {
        entries.delete(key)
        return undefined
      }
      entry.wasRead = true
      return entry.value
    },
    keep(key, value, ttlMs) {
      entries.delete(key)
      if (entries.size >= entriesMax) makeRoom()
      entries.set(key, { value, expiresAtMs: clock.nowMs() + ttlMs, wasRead: false })
    },
    size: () => entries.size,
  }
}
