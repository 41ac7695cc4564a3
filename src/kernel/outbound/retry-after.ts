// The header Retry-After of an answer.

/** In ms; 0 without one, and for a date that has passed. RFC 9110 section 10.2.3. */
export function readRetryAfterMs(value: string | undefined, nowMs: number): number {
  if (value === undefined) return 0
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs)
}
