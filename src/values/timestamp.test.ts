import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import * as fc from 'fast-check'
import { explainWrongTime, formatSeconds, parseInstant, parseTimestamp } from './timestamp.ts'

test('every spelling of one instant gives one text', () => {
  for (const text of [
    '2026-03-01T00:15:00Z',
    '2026-03-01T00:15:00.000Z',
    '2026-03-01t00:15:00.0009z',
    '2026-03-01 00:15Z',
    '2026-03-01T01:15:00+01:00',
    '2026-02-28T19:15:00-0500',
  ]) {
    assert.equal(parseTimestamp(text), '2026-03-01T00:15:00.000Z', text)
  }
})

test('what is no instant is refused', () => {
  for (const text of [
    '',
    '2026-03-01',
    '2026-03-01T00:15:00',
    '2026-02-29T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2016-12-31T23:59:60Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+00:60',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '+012026-01-01T00:00:00Z',
    '1767225600',
    ' 2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z\n',
    '٢٠٢٦-01-01T00:00:00Z',
  ]) {
    assert.equal(parseTimestamp(text), null, text)
  }
})

test('the leap day of a leap year is a day', () => {
  assert.equal(parseTimestamp('2024-02-29T12:00:00Z'), '2024-02-29T12:00:00.000Z')
  assert.equal(parseTimestamp('2000-02-29T12:00:00Z'), '2000-02-29T12:00:00.000Z')
})

test('every instant from 1970 to 9999 survives, and text order is time order', () => {
  const instant = fc.date({
    min: new Date(0),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(instant, instant, (one, other) => {
      const a = parseTimestamp(one.toISOString())
      const b = parseTimestamp(other.toISOString())
      assert.ok(a !== null && b !== null)
      assert.equal(a, one.toISOString())
      assert.equal(a < b, one.getTime() < other.getTime())
    }),
  )
})

const SECONDS = fc.integer({ min: 0, max: 0xffff_ffff })

describe('a point in time', () => {
  it('is shown as Date shows it, and read back', () => {
    fc.assert(
      fc.property(SECONDS, (seconds) => {
        const text = formatSeconds(seconds)
        assert.equal(text, new Date(seconds * 1_000).toISOString())
        assert.equal(parseInstant(text), seconds * 1_000)
      }),
    )
  })

  it('is read with milliseconds as Date writes it, on every day of the calendar', () => {
    const ms = fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) })
    fc.assert(
      fc.property(ms, (instant) => {
        assert.equal(parseInstant(new Date(instant).toISOString()), instant)
      }),
    )
    for (let day = Date.UTC(2095, 0, 1); day < Date.UTC(2105, 0, 1); day += 86_400_000) {
      assert.equal(parseInstant(new Date(day).toISOString()), day)
    }
  })

  it('is read in every zone and with any fraction', () => {
    const noon = Date.UTC(2026, 0, 31, 12)
    for (const [text, ms] of [
      ['2026-01-31T12:00:00Z', noon],
      ['2026-01-31t12:00z', noon],
      ['2026-01-31 14:00:00+02:00', noon],
      ['2026-01-31T04:30:00-0730', noon],
      ['2026-01-31T12:00:00.5Z', noon + 500],
      ['2026-01-31T12:00:00.123987Z', noon + 123],
      ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ] as const) {
      assert.equal(parseInstant(text), ms, text)
    }
  })

  it('is refused without a zone, outside the calendar or in another form', () => {
    for (const text of [
      '2026-01-31T12:00:00',
      '2026-01-31',
      '2026-02-29T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-13-01T00:00:00.000Z',
      '2026-0x-01T00:00:00Z',
      '2026-01-01T00:00:00.00xZ',
      '2026-01-01T00:00:00,000Z',
      '2026-01-01T00:00:00.000z ',
      '2026-04-31T00:00:00.000Z',
      '2026-00-01T00:00:00Z',
      '2026-01-00T00:00:00Z',
      '2026-01-31T24:00:00Z',
      '2026-01-31T12:60:00Z',
      '2026-01-31T12:00:60Z',
      '2026-01-31T12:00:00+24:00',
      '1769860800',
      '31.01.2026 12:00 UTC',
      ' 2026-01-31T12:00:00Z',
      '',
    ]) {
      assert.equal(parseInstant(text), null, text)
    }
  })
})

test('events and pushed rows read the same times', () => {
  const pair = fc.constantFrom(
    '00',
    '01',
    '02',
    '12',
    '13',
    '23',
    '24',
    '28',
    '29',
    '30',
    '31',
    '59',
    '60',
  )
  const texts = fc
    .tuple(
      fc.constantFrom('0070', '1969', '1970', '2024', '2026', '2100', '9999'),
      pair,
      pair,
      fc.constantFrom('T', 't', ' ', ''),
      pair,
      pair,
      fc.constantFrom('', ':00', ':59', ':60', ':00.000', ':30.123', ':30.123456789'),
      fc.constantFrom('Z', 'z', '', '+01:00', '-0530', '+24:00', '-23:59'),
    )
    .map(
      ([year, month, day, mark, hour, minute, rest, zone]) =>
        `${year}-${month}-${day}${mark}${hour}:${minute}${rest}${zone}`,
    )
  let seen = 0
  fc.assert(
    fc.property(texts, (text) => {
      const timestamp = parseTimestamp(text)
      const instant = parseInstant(text)
      assert.equal(instant === null ? null : new Date(instant).toISOString(), timestamp, text)
      const isTime = explainWrongTime(text, Date.UTC(9999, 0, 1)) === null
      if (instant !== null && instant < Date.UTC(9999, 0, 1)) assert.ok(isTime, text)
      if (instant === null) assert.equal(isTime, false, text)
      else seen += 1
    }),
    { numRuns: 20_000 },
  )
  assert.ok(seen > 50, `only ${seen} times were seen`)
})
