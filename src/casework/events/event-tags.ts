// The tags that correlation puts on events.

/** An event from before its case was resolved, which arrived after that. */
export const LATE_TAG = 'late'
/** An event from after the end of its case, which joined it and reopened nothing. */
export const RELAPSE_TAG = 'relapse'
/** A pending event: its case opens when there are enough events of its key. */
export const BELOW_THRESHOLD_TAG = 'below-threshold'
/** An event that a mute rule keeps out of every case. */
export const MUTED_TAG = 'muted'

const CORRELATION_TAGS: ReadonlySet<string> = new Set([
  LATE_TAG,
  RELAPSE_TAG,
  BELOW_THRESHOLD_TAG,
  MUTED_TAG,
])

/** Without the tags that describe an event in the case it is in; it leaves that case. */
export function withoutCorrelationTags(tags: readonly string[]): readonly string[] {
  return tags.filter((tag) => !CORRELATION_TAGS.has(tag))
}
