// The lowest id that an event of a time can have.

import { floorOfMonth } from './months.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
// The time of an event lies no more than a day behind its arrival (values/timestamp.ts) and never
// changes. One day more for nodes whose clocks differ.
export const LEAD_MS = 2 * DAY_MS

/** No event of this time or a later one has a lower id. */
export function floorOfEventDate(eventDate: Date | string): string {
  return floorOfMonth(new Date(eventDate).getTime() - LEAD_MS)
}
