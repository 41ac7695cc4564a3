// Days and times of the zone that a person chose, as they are typed in and asked for. `useFormat`
// has the ones that are shown.

import type { Preferences } from './preferences.ts'

export type Zone = Preferences['zone']

/** Midnight of the day of a time, or of as many days later. */
export function startOfDayOf(at: Date, zone: Zone, daysLater = 0): Date {
  return zone === 'utc'
    ? new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + daysLater))
    : new Date(at.getFullYear(), at.getMonth(), at.getDate() + daysLater)
}

/** Midnight of a day such as `2026-11-27`, or of as many days later. */
export function startOfDay(day: string, zone: Zone, daysLater = 0): Date {
  return startOfDayOf(readTime(`${day}T12:00`, zone), zone, daysLater)
}

/** A time as an input of the type `datetime-local` has it: `2026-11-27T04:05`. */
export function writeTime(at: Date, zone: Zone): string {
  const offsetMs = zone === 'utc' ? 0 : at.getTimezoneOffset() * 60_000
  return new Date(at.getTime() - offsetMs).toISOString().slice(0, 16)
}

/** The time of such an input; an invalid date for an empty one. */
export function readTime(text: string, zone: Zone): Date {
  return new Date(zone === 'utc' ? `${text}Z` : text)
}

/** A day as an input of the type `date` has it: `2026-11-27`. */
export function writeDay(at: Date, zone: Zone): string {
  return writeTime(at, zone).slice(0, 10)
}
