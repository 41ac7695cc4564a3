// When a playbook begins runs by itself: every so often, or at the times of a crontab line.

import { type Cron, findNextTime, parseCron } from './cron.ts'

export type Schedule =
  | { readonly kind: 'every'; readonly seconds: number }
  | { readonly kind: 'cron'; readonly cron: Cron; readonly timeZone: string }

/** A tick goes over all open cases of the playbook. */
export const EVERY_SECONDS_MIN = 900
// Two days of quarters of an hour.
const TIMES_CHECKED = 192

/** Null when there is none any more. */
export function findNextTick(schedule: Schedule, last: Date, now: Date): Date | null {
  if (schedule.kind === 'cron') {
    const nextMs = findNextTime(schedule.cron, schedule.timeZone, now.getTime())
    return nextMs === null ? null : new Date(nextMs)
  }
  // Missed ticks are not made up for.
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
    const next = findNextTime(cron, timeZone, last ?? Date.UTC(2027, 0, 1))
    if (next === null) return 'names a time that never comes'
    if (last !== null && next - last < EVERY_SECONDS_MIN * 1_000) {
      return 'must leave 15 minutes between two times'
    }
    last = next
    if (cron.hours.length * cron.minutes.length === 1) break
  }
  return { kind: 'cron', cron, timeZone }
}
