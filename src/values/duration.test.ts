import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDuration } from './duration.ts'

test('weeks, days, hours, minutes and seconds are read', () => {
  const cases = { P1W: 604_800, P3DT12H: 302_400, PT15M: 900, PT0S: 0, P1DT1H1M1S: 90_061 }
  for (const [text, seconds] of Object.entries(cases)) assert.equal(parseDuration(text), seconds)
})

test('months, years, fractions, signs and other texts are refused', () => {
  for (const text of [
    '',
    'P',
    'PT',
    'P1DT',
    'P1M',
    'P1Y',
    'PT1.5S',
    '-PT1S',
    'P1W1D',
    '60',
    'pt1s',
  ]) {
    assert.equal(parseDuration(text), null, text)
  }
})
