// Times as people say them: `3 h ago`, `in 2 days`; those of long ago as a date.

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const DAYS_MAX = 60

/** In whole units, rounded down. */
export function formatAge(atMs: number, nowMs: number): string {
  const distance = Math.abs(nowMs - atMs)
  if (distance < 10 * SECOND_MS) return 'now'
  if (distance >= DAYS_MAX * DAY_MS) return new Date(atMs).toISOString().slice(0, 10)
  const text = formatSpan(distance)
  return atMs > nowMs ? `in ${text}` : `${text} ago`
}

function formatSpan(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s`
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`
  return `${Math.floor(ms / DAY_MS)} days`
}
