// Checks the settings of a calendar, and reads them for the sums of calendar.ts.

import type { FieldProblem } from '../../../values/field-problem.ts'
import { joinPointer } from '../../../values/json-value.ts'
import { type Calendar, isTimeZone, type OpenSpan, WEEKDAYS } from './calendar.ts'
import type { CalendarSettings, SpanText } from './calendar-wire.ts'

/** Null when there are problems, which are added. */
export function readCalendar(given: CalendarSettings, problems: FieldProblem[]): Calendar | null {
  const before = problems.length
  if (!isTimeZone(given.time_zone)) {
    problems.push({ path: '/time_zone', reason: 'names no time zone, such as Europe/Berlin' })
  }
  for (const name of Object.keys(given.hours)) {
    if (WEEKDAYS.some((weekday) => weekday === name)) continue
    problems.push({ path: joinPointer('/hours', name), reason: 'is no day: monday to sunday' })
  }
  const days = WEEKDAYS.map((weekday) => {
    return readDay(given.hours[weekday] ?? [], `/hours/${weekday}`, problems)
  })
  if (days.every((spans) => spans.length === 0)) {
    problems.push({ path: '/hours', reason: 'must be open at some time of the week' })
  }
  const { holidays = [] } = given
  for (const [at, date] of holidays.entries()) {
    if (!isDate(date)) {
      problems.push({ path: `/holidays/${at}`, reason: 'must be a date such as 2027-01-01' })
    }
  }
  if (problems.length > before) return null
  return { timeZone: given.time_zone, days, holidays: new Set(holidays) }
}

function readDay(
  spans: readonly SpanText[],
  place: string,
  problems: FieldProblem[],
): readonly OpenSpan[] {
  const read: OpenSpan[] = []
  for (const [at, span] of spans.entries()) {
    const from = readClock(span.from)
    const until = readClock(span.to)
    const last = read.at(-1)
    if (from === null || from === 1_440) {
      problems.push({ path: `${place}/${at}/from`, reason: 'must be a time such as 09:00' })
    } else if (until === null) {
      problems.push({ path: `${place}/${at}/to`, reason: 'must be a time such as 17:30' })
    } else if (until <= from) {
      problems.push({ path: `${place}/${at}/to`, reason: 'must be later than from' })
    } else if (last !== undefined && last.until >= from) {
      problems.push({ path: `${place}/${at}/from`, reason: 'must be later than the end before it' })
    } else read.push({ from, until })
  }
  return read
}

/** Minutes from midnight. */
function readClock(text: string): number | null {
  if (text === '24:00') return 1_440
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text)
  return match === null ? null : Number(match[1]) * 60 + Number(match[2])
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
