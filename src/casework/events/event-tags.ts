// How events gather into cases: which slot an event falls into, and what it adds to the case. What
// becomes of it there: correlate.ts.

/** The tag of an event that belongs to what was settled before it came. */
export const LATE_TAG = 'late'
/** The tag of an event that waits for more of its kind before a case opens. */
export const BELOW_THRESHOLD_TAG = 'below-threshold'
/** The tag of an event that a mute rule keeps out of every case. */
export const MUTED_TAG = 'muted'
