// What a poll for a token is answered (RFC 8628 section 3.5). The states of a code: waiting, then
// approved or denied by a person, and gone once it was used or has ended.

import type { DeviceCode } from './device-store.ts'

export type PollAnswer = 'ended' | 'slow_down' | 'pending' | 'denied' | 'approved'

// A clock that ticks a little early, or a network that is now faster, is no haste.
const EARLY_MS = 500

export function decidePoll(code: DeviceCode | null, nowMs: number): PollAnswer {
  if (code === null || code.expiresAt.getTime() <= nowMs) return 'ended'
  const lastMs = code.lastPolledAt?.getTime() ?? Number.NEGATIVE_INFINITY
  if (nowMs < lastMs + code.pollSeconds * 1_000 - EARLY_MS) return 'slow_down'
  return code.decision ?? 'pending'
}
