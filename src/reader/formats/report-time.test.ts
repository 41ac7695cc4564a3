import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseReportTime } from './report-time.ts'

for (const text of [
  '2026-03-02T10:15:00Z',
  '2026-03-02T11:15:00+01:00',
  '2026-03-02 10:15:00 UTC',
  '2026-03-02 11:15:00 +0100',
  '2026-03-02 10:15:00',
  '2026-03-02T10:15',
  'Mon, 02 Mar 2026 11:15:00 +0100',
  'Mon, 2 Mar 2026 10:15:00 GMT',
  'Mon, 02 Mar 2026 10:15:00 +0000 (UTC)',
  '02 Mar 2026 10:15:00',
  '1772446500',
  '1772446500000',
  ' 1772446500.25 ',
]) {
  test(`the time ${text} is read`, () => {
    const ms = parseReportTime(text)
    assert.equal(ms === null ? null : Math.floor(ms / 1_000), 1_772_446_500)
  })
}

for (const text of [
  '',
  'soon',
  '42',
  '2026-13-01',
  '10:15',
  '2026-02-30T00:00:00Z',
  'x'.repeat(9_999),
]) {
  test(`no time is read from ${JSON.stringify(text.slice(0, 20))}`, () => {
    assert.equal(parseReportTime(text), null)
  })
}
