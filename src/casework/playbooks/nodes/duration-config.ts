// A duration in the config of a node: seconds, or ISO 8601.

import { type Static, Type } from 'typebox'
import { parseDuration } from '../../../values/duration.ts'

// Runs wait for months; three years leave room for every retention.
const SECONDS_MAX = 94_608_000

export function durationOf(description: string) {
  return Type.Union([Type.Integer(), Type.String()], {
    description: `${description} Seconds, or an ISO 8601 duration such as PT15M or P3DT12H.`,
  })
}

type DurationConfig = Static<ReturnType<typeof durationOf>>

/** Seconds, or one public sentence about what is wrong. */
export function readDuration(given: DurationConfig): number | string {
  const seconds = typeof given === 'string' ? parseDuration(given) : given
  if (seconds === null) {
    return 'must be seconds, or an ISO 8601 duration of weeks, days, hours, minutes and seconds'
  }
  if (seconds >= 1 && seconds <= SECONDS_MAX) return seconds
  return 'must be between 1 second and 3 years'
}
