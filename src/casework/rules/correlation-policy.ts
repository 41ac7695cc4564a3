// What a case group says about the life of its cases: threshold, age, gap, relapse, late events
// (docs/guides/case-groups.md).

export type RelapsePolicy = 'reopen' | 'link' | 'new'

export type LateEventPolicy = 'attach' | 'open_case'

/** What a case group says about the life of its cases. Null where there is no bound. */
export interface CorrelationPolicy {
  readonly thresholdEvents: number
  readonly thresholdReporters: number
  /** Within which the events of the threshold happened. */
  readonly thresholdWindowSeconds: number | null
  /** Between the first event of a case and one that still joins it. */
  readonly maxAgeSeconds: number | null
  /** Between the last event of a case and one that still joins it. */
  readonly maxGapSeconds: number | null
  readonly relapse: RelapsePolicy
  /** After the end of a case; later events are nothing that came back. */
  readonly relapseWindowSeconds: number | null
  readonly lateEvent: LateEventPolicy
}

/** Groups are shipped with this: one open case a key, which every event of the key joins. */
export const DEFAULT_POLICY: CorrelationPolicy = {
  thresholdEvents: 1,
  thresholdReporters: 1,
  thresholdWindowSeconds: null,
  maxAgeSeconds: null,
  maxGapSeconds: null,
  relapse: 'link',
  relapseWindowSeconds: null,
  lateEvent: 'attach',
}
