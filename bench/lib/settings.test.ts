// The settings of the benches: what is not a number is refused and measures nothing.

import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import {
  describeSettings,
  listUnknownSettings,
  readCount,
  readCounts,
  readFilter,
  readSwitch,
} from './settings.ts'

const NAME = 'BENCH_TEST_ENTRIES'
const KNOWN = 'BENCH_TEST_KNOWN'

describe('a setting of a bench', () => {
  afterEach(() => {
    delete process.env[NAME]
    delete process.env[KNOWN]
    delete process.env['BENCH_TEST_TYPO']
  })

  test('is a whole number, or what the bench takes without it', () => {
    assert.equal(readCount(NAME, 7), 7)
    process.env[NAME] = '1_000'
    assert.equal(readCount(NAME, 7), 1_000)
  })

  test('is refused when it is no whole number of 1 or more', () => {
    for (const text of ['', 'many', '0', '-5', '1.5', '1e3', '_', '99999999999999999999']) {
      process.env[NAME] = text
      const message = `${NAME} is "${text}", but takes whole numbers of 1 or more`
      assert.throws(() => readCount(NAME, 7), { message })
    }
  })

  test('may be several numbers', () => {
    assert.deepEqual(readCounts(NAME, [1, 2]), [1, 2])
    process.env[NAME] = '10,20'
    assert.deepEqual(readCounts(NAME, [1, 2]), [10, 20])
    process.env[NAME] = '10,,20'
    assert.throws(() => readCounts(NAME, [1, 2]), /BENCH_TEST_ENTRIES is ""/)
  })

  test('may be parts of names', () => {
    assert.equal(readFilter(NAME)('search: address'), true)
    process.env[NAME] = 'reporter,address'
    const isWanted = readFilter(NAME)
    assert.deepEqual(['search: address', 'lists: cases'].map(isWanted), [true, false])
  })

  test('may be a switch', () => {
    assert.equal(readSwitch(NAME), false)
    process.env[NAME] = '1'
    assert.equal(readSwitch(NAME), true)
  })

  test('is known by its name and its defaults once it was read', () => {
    for (const fallback of [7, 7, 8]) readCount(KNOWN, fallback)
    process.env[KNOWN] = '9'
    process.env['BENCH_TEST_TYPO'] = '9'
    assert.deepEqual(listUnknownSettings(), ['BENCH_TEST_TYPO'])
    assert.match(describeSettings(), /\bBENCH_TEST_KNOWN \(7; 8\)/)
  })
})
