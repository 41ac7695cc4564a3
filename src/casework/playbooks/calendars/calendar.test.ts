// Business hours against the clock on the wall, minute by minute.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addBusinessTime, type Calendar, findOpening, readWallTime } from './calendar.ts'
import { readCalendar } from './read-calendar.ts'

const MINUTE_MS = 60_000
// Some days around a change of the clock, by an hour or half of one.
const CHANGES = [
  ['Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  ['Asia/Kathmandu', '2026-06-01T00:00:00Z'],
  ['UTC', '2026-12-31T23:00:00Z'],
] as const

const hours = fc
  .uniqueArray(fc.integer({ min: 0, max: 24 }), { minLength: 2, maxLength: 4 })
  .map((edges) => edges.toSorted((a, b) => a - b))
  .map(([from = 0, until = 24]) => [{ from: from * 60, until: until * 60 }])
const days = fc
  .array(fc.oneof({ weight: 3, arbitrary: hours }, fc.constant([])), {
    minLength: 7,
    maxLength: 7,
  })
  .filter((week) => week.filter((spans) => spans.length > 0).length > 3)

const samples = fc.record({
  change: fc.constantFrom(...CHANGES),
  days,
  minutesBefore: fc.integer({ min: -600, max: 3_000 }),
  minutes: fc.integer({ min: 1, max: 600 }),
  isHoliday: fc.boolean(),
})

/** What the clock on the wall shows, by another way than the code under test. */
function createWall(
  timeZone: string,
): (atMs: number) => { date: string; day: number; minute: number } {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return (atMs) => {
    const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]))
    const date = `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
    const day = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7
    return { date, day, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) }
  }
}

test('the open minutes until the result are those that were asked for', () => {
  fc.assert(
    fc.property(samples, ({ change, days: week, minutesBefore, minutes, isHoliday }) => {
      const [timeZone, at] = change
      const wall = createWall(timeZone)
      const from = new Date(Date.parse(at) - minutesBefore * MINUTE_MS)
      const holidays = new Set(isHoliday ? [wall(Date.parse(at)).date] : [])
      const calendar: Calendar = { timeZone, days: week, holidays }
      const isOpen = (atMs: number) => {
        const { date, day, minute } = wall(atMs)
        const spans = holidays.has(date) ? [] : (week[day] ?? [])
        return spans.some((span) => span.from <= minute && minute < span.until)
      }
      const end = addBusinessTime(calendar, from, minutes * 60)
      assert.ok(end)
      let open = 0
      for (let ms = from.getTime(); ms < end.getTime(); ms += MINUTE_MS) open += isOpen(ms) ? 1 : 0
      assert.equal(open, minutes)
      // The last minute is open, so the end is not put off.
      assert.ok(isOpen(end.getTime() - MINUTE_MS))
      const opening = findOpening(calendar, from)
      assert.ok(opening && isOpen(opening.getTime()))
      for (let ms = from.getTime(); ms < opening.getTime(); ms += MINUTE_MS) assert.ok(!isOpen(ms))
    }),
    { numRuns: 60 },
  )
})

test('a later time of the clock on the wall is never an earlier moment', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...CHANGES),
      fc.integer({ min: -300, max: 1_000 }),
      fc.integer({ min: 0, max: 300 }),
      ([timeZone, at], minutes, later) => {
        const wallMs = Date.parse(at) + minutes * MINUTE_MS
        const first = readWallTime(timeZone, wallMs)
        assert.ok(readWallTime(timeZone, wallMs + later * MINUTE_MS) >= first)
      },
    ),
    { numRuns: 300 },
  )
})

test('a calendar that is never open for so long has no answer', () => {
  const calendar: Calendar = { timeZone: 'UTC', days: [], holidays: new Set() }
  assert.equal(addBusinessTime(calendar, new Date(0), 1), null)
  assert.equal(findOpening(calendar, new Date(0)), null)
})

test('a week without opening, spans that meet, and unknown days and zones are refused by field', () => {
  const problems: { path: string }[] = []
  const found = readCalendar(
    {
      time_zone: 'Mars/Base',
      hours: {
        monday: [
          { from: '09:00', to: '12:00' },
          { from: '12:00', to: '17:00' },
        ],
        tuesday: [{ from: '9:00', to: '17:00' }],
        friday: [{ from: '17:00', to: '09:00' }],
        sunday: [{ from: '09:00', to: '25:00' }],
        funday: [],
      },
      holidays: ['2027-02-29'],
    },
    problems as [],
  )
  assert.equal(found, null)
  assert.deepEqual(
    problems.map(({ path }) => path),
    [
      '/time_zone',
      '/hours/funday',
      '/hours/monday/1/from',
      '/hours/tuesday/0/from',
      '/hours/friday/0/to',
      '/hours/sunday/0/to',
      '/holidays/0',
    ],
  )
  const empty: { path: string }[] = []
  assert.equal(readCalendar({ time_zone: 'UTC', hours: { monday: [] } }, empty as []), null)
  assert.deepEqual(
    empty.map(({ path }) => path),
    ['/hours'],
  )
})
