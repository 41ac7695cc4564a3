// How many mails this process may still send: a relay with a quota refuses what is above it. Places
// come back evenly, so a minute does not begin with a burst.

import type { Clock } from '../../kernel/clock.ts'

interface SendRate {
  readonly room: () => number
  readonly take: (mails: number) => void
}

const MINUTE_MS = 60_000
// What may go at once after a pause.
const BURST_MS = 5_000

/** Null: without a limit. */
export function createSendRate(perMinute: number | null, clock: Clock): SendRate {
  if (perMinute === null) return { room: () => Number.POSITIVE_INFINITY, take: () => undefined }
  const burst = Math.max(1, (perMinute * BURST_MS) / MINUTE_MS)
  let room = burst
  let lastMs = clock.nowMs()
  return {
    room() {
      const nowMs = clock.nowMs()
      room = Math.min(burst, room + (Math.max(0, nowMs - lastMs) * perMinute) / MINUTE_MS)
      lastMs = nowMs
      return Math.floor(room)
    },
    take(mails) {
      room -= mails
    },
  }
}
