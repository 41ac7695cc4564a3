// The clock of the program, handed in everywhere so that a test can set the time.

export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z, as `Date.now()`. */
  readonly nowMs: () => number
}

export const systemClock: Clock = { nowMs: Date.now }
