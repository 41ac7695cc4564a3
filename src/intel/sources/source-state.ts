// Whether a source was heard of lately. A state is told to people and never moves a verdict (design
// section 4.3).

export type SourceState = 'fresh' | 'stale' | 'failed' | 'never'

export interface HeardSource {
  readonly heardAtMs: number | null
  /** Null: it never becomes stale. */
  readonly ttlSeconds: number | null
  /** Why the last fetch failed; null when it did not, or nothing is fetched. */
  readonly trouble: string | null
}

export function sourceState(source: HeardSource, nowMs: number): SourceState {
  const { heardAtMs, ttlSeconds, trouble } = source
  if (trouble !== null) return 'failed'
  if (heardAtMs === null) return 'never'
  if (ttlSeconds !== null && heardAtMs + ttlSeconds * 1_000 < nowMs) return 'stale'
  return 'fresh'
}
