import assert from 'node:assert/strict'
import { test } from 'node:test'
import { floorOfEventDate } from '../../kernel/db/months/event-floor.ts'
import { buildUuidFloor, readUuidTimeMs } from '../../kernel/ids.ts'
import { chooseRecentMonths, floorOfReport } from './event-window.ts'

const nowMs = Date.parse('2026-11-27T12:00:00Z')
const FIRST = { order: 'desc', position: null } as const
const monthOf = (id: string | undefined): string =>
  new Date(readUuidTimeMs(id ?? '')).toISOString().slice(0, 10)
const rows = (...dates: string[]) => dates.map((date) => ({ event_date: new Date(date) }))

test('a list from the newest event on looks into its month first, and in the first days into two', () => {
  const first = (now: string) =>
    monthOf(chooseRecentMonths('event_date', FIRST, { nowMs: Date.parse(now) })?.floor)
  assert.equal(first('2026-11-27T12:00:00Z'), '2026-11-01')
  assert.equal(first('2026-11-03T12:00:00Z'), '2026-10-01')
  assert.equal(chooseRecentMonths('event_date', { ...FIRST, order: 'asc' }, { nowMs }), null)
})

test('a later page begins at its position, and a filter by time at its end', () => {
  const at = (sort: 'event_date' | 'create_date', position: readonly string[]) =>
    monthOf(chooseRecentMonths(sort, { order: 'desc', position: [...position] }, { nowMs })?.floor)
  assert.equal(at('event_date', ['2025-06-20T00:00:00.000Z', buildUuidFloor(nowMs)]), '2025-06-01')
  assert.equal(
    at('create_date', [buildUuidFloor(Date.parse('2025-06-20T00:00:00Z'))]),
    '2025-06-01',
  )
  const until = { nowMs, before: '2024-02-20T00:00:00Z' }
  assert.equal(monthOf(chooseRecentMonths('event_date', FIRST, until)?.floor), '2024-02-01')
})

test('the page is whole when it is full and no event that came earlier can be later than its last', () => {
  const recent = chooseRecentMonths('event_date', FIRST, { nowMs })
  assert.equal(recent?.isPage(rows('2026-11-20T00:00:00Z', '2026-11-19T00:00:00Z'), 1), true)
  // One that came on the last of October may be of the first of November.
  assert.equal(recent?.isPage(rows('2026-11-20T00:00:00Z', '2026-11-02T00:00:00Z'), 1), false)
  assert.equal(recent?.isPage(rows('2026-11-20T00:00:00Z'), 1), false)
  // In the order of arrival a full page is whole.
  const arrived = chooseRecentMonths('create_date', FIRST, { nowMs })
  assert.equal(arrived?.isPage(rows('2026-11-20T00:00:00Z', '2020-01-01T00:00:00Z'), 1), true)
})

test('an event is no later than a day behind its arrival, and no earlier than its report', () => {
  assert.equal(monthOf(floorOfEventDate('2026-11-02T10:00:00Z')), '2026-10-01')
  assert.equal(monthOf(floorOfEventDate(new Date('2026-11-04T10:00:00Z'))), '2026-11-01')
  const report = buildUuidFloor(Date.parse('2026-05-20T00:00:00Z'))
  assert.equal(monthOf(floorOfReport(report)), '2026-05-01')
})
