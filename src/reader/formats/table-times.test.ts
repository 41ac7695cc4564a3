import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findZoneInName, guessDayFirst, readTableTime, readZone } from './table-times.ts'

function iso(text: string, reading = {}): string | null {
  const ms = readTableTime(text, reading)
  return ms === null ? null : new Date(ms).toISOString()
}

test('a time without a zone is UTC, in every form that tables use', () => {
  for (const text of [
    '2026-02-28 14:03:11',
    '2026-02-28T14:03:11Z',
    '2026-02-28T15:03:11+01:00',
    '2026-02-28 14:03:11 UTC',
    '2026-02-28 15:03:11 CET',
    '2026/02/28 14:03:11',
    '20260228T140311Z',
    '20260228140311',
    '28.02.2026 14:03:11',
    '28/02/2026 14:03:11',
    '28-Feb-2026 14:03:11',
    '28/Feb/2026:15:03:11 +0100',
    'Sat, 28 Feb 2026 14:03:11 GMT',
    '28. Februar 2026 14:03:11',
    'February 28, 2026 2:03:11 PM',
    'Sat Feb 28 14:03:11 2026',
    '1772287391',
    '1772287391000',
  ]) {
    assert.equal(iso(text), '2026-02-28T14:03:11.000Z', text)
  }
})

test('parts of a second are kept to the millisecond', () => {
  assert.equal(iso('2026-02-28 14:03:11.5'), '2026-02-28T14:03:11.500Z')
  assert.equal(iso('2026-02-28T14:03:11.123456Z'), '2026-02-28T14:03:11.123Z')
})

test('the order of day and month and the zone are those of the column', () => {
  assert.equal(iso('03/04/2026', { dayFirst: true }), '2026-04-03T00:00:00.000Z')
  assert.equal(iso('03/04/2026', { dayFirst: false }), '2026-03-04T00:00:00.000Z')
  assert.equal(iso('03.04.2026', { dayFirst: false }), '2026-04-03T00:00:00.000Z')
  assert.equal(iso('2026-03-04 10:00', { zoneMinutes: 120 }), '2026-03-04T08:00:00.000Z')
  assert.equal(iso('2026-03-04 10:00 UTC', { zoneMinutes: 120 }), '2026-03-04T10:00:00.000Z')
})

test('serial numbers of days are times only where a spreadsheet keeps them', () => {
  assert.equal(iso('46081.5', { serial: true }), '2026-02-28T12:00:00.000Z')
  assert.equal(iso('46081.5'), null)
})

test('null for what is no time', () => {
  for (const text of [
    '',
    '-',
    '443',
    '10.0.19045',
    '2026-13-01',
    '2026-02-30',
    '31/31/2026',
    '12:30',
  ]) {
    assert.equal(iso(text), null, text)
  }
  assert.equal(iso('2026-02-28 25:00'), null)
  assert.equal(iso('2026-02-28 14:03 at the office'), null)
  assert.equal(iso('1'.repeat(100_000)), null)
})

test('one value above twelve tells the order of a column, else am and pm do', () => {
  assert.equal(guessDayFirst(['01/02/2026', '27/02/2026']), true)
  assert.equal(guessDayFirst(['01/02/2026', '02/27/2026']), false)
  assert.equal(guessDayFirst(['01/02/2026 9:00 PM']), false)
  assert.equal(guessDayFirst(['01/02/2026']), true)
})

test('zones are read from offsets, abbreviations and names of columns', () => {
  assert.equal(readZone('+05:30'), 330)
  assert.equal(readZone('(UTC-3)'), -180)
  assert.equal(readZone('CEST'), 120)
  assert.equal(readZone('XYZ'), null)
  assert.equal(readZone('+99:00'), null)
  assert.equal(findZoneInName('Time (PST)'), -480)
  assert.equal(findZoneInName('timestamp_utc'), 0)
  assert.equal(findZoneInName('timestamp'), 0)
})
