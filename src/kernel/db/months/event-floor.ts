// The lowest id that an event of a time can have, and where the newest months begin.

import { floorOfMonth, startOfMonth } from './months.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
// The time of an event is no more than a day later than its arrival (values/timestamp.ts) and never
// changes. One day more for nodes whose clocks differ.
export const LEAD_MS = 2 * DAY_MS
/** In the first days of a month the month before counts too, as the new one is almost empty. */
export const RECENT_MS = 7 * DAY_MS

/** No event of this time or a later one has a lower id. */
export function floorOfEventDate(eventDate: Date | string): string {
  return floorOfMonth(new Date(eventDate).getTime() - LEAD_MS)
}

/** The start of the months that a list from this time on looks into first. */
export function startOfNewestMonths(latestMs: number): number {
  return startOfMonth(latestMs - RECENT_MS)
}
