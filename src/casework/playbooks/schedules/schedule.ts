// When a playbook begins runs by itself: every so often, or at the times of a crontab line.

import { type Cron, findNextTime, parseCron } from './cron.ts'

export type Schedule =
  | { readonly kind: 'every'; readonly seconds: number }
  | { readonly kind: 'cron'; readonly cron: Cron; readonly timeZone: string }

/** A quarter of an hour: a tick goes over all open cases of the playbook. */
export const EVERY_SECONDS_MIN = 900
// Two days of quarters of an hour, from a day on that is the same for every check.
const TIMES_CHECKED = 192
const CHECKED_FROM_MS = Date.UTC(2027, 0, 1)

/** The first tick after `now`, null when there is none. Missed ones are not made up for. */
export function findNextTick(schedule: Schedule, last: Date, now: Date): Date | null {
  if (schedule.kind === 'cron') {
    const nextMs = findNextTime(schedule.cron, schedule.timeZone, now.getTime())
    return nextMs === null ? null : new Date(nextMs)
  }
  const stepMs = schedule.seconds * 1_000
  const missed = Math.max(0, Math.floor((now.getTime() - last.getTime()) / stepMs))
  return new Date(last.getTime() + (missed + 1) * stepMs)
}

/** The schedule of a crontab line, or one public sentence about what is wrong. */
export function readCron(text: string, timeZone: string): Schedule | string {
  const cron = parseCron(text)
  if (typeof cron === 'string') return cron
  let last: number | null = null
  for (let count = 0; count < TIMES_CHECKED; count += 1) {
    const next = findNextTime(cron, timeZone, last ?? CHECKED_FROM_MS)
    if (next === null) return 'names a time that never comes'
    if (last !== null && next - last < EVERY_SECONDS_MIN * 1_000) {
      return 'must leave 15 minutes between two times'
    }
    last = next
    // Once a day leaves time enough.
    if (cron.hours.length * cron.minutes.length === 1) break
  }
  return { kind: 'cron', cron, timeZone }
}
