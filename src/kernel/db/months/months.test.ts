import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildUuidFloor } from '../../ids.ts'
import {
  chooseFirstMonth,
  findCoveredUntil,
  floorOfMonth,
  listMissingMonths,
  type Partition,
  parsePartition,
  startOfMonth,
  writeMonth,
} from './months.ts'

const at = (text: string): number => Date.parse(text)
const DECEMBER = at('2026-12-01T00:00:00Z')
const JANUARY = at('2027-01-01T00:00:00Z')
const UNTIL: Partition = { kind: 'months', name: 'event_until', fromMs: null, untilMs: DECEMBER }
const OTHER: Partition = { kind: 'other', name: 'event_other' }

test('bounds are read as the catalogue writes them, and one that is not ours is refused', () => {
  const [from, until] = [buildUuidFloor(DECEMBER), buildUuidFloor(JANUARY)]
  assert.deepEqual(parsePartition('a', `FOR VALUES FROM ('${from}') TO ('${until}')`), {
    kind: 'months',
    name: 'a',
    fromMs: DECEMBER,
    untilMs: JANUARY,
  })
  const first = parsePartition('a', `FOR VALUES FROM (MINVALUE) TO ('${from}')`)
  assert.deepEqual(first, { ...UNTIL, name: 'a' })
  assert.deepEqual(parsePartition('a', 'DEFAULT'), { kind: 'other', name: 'a' })
  assert.throws(() => parsePartition('a', "FOR VALUES IN ('x')"), /bound of another kind/)
})

test('the coming month is made two weeks ahead, and one that was missed is made as well', () => {
  const missing = (now: string, more: readonly Partition[] = []) =>
    listMissingMonths([OTHER, UNTIL, ...more], at(now)).map(writeMonth)
  assert.deepEqual(missing('2026-11-16T23:00:00Z'), [])
  assert.deepEqual(missing('2026-11-17T01:00:00Z'), ['2026-12-01'])
  // No worker ran for a while.
  assert.deepEqual(missing('2026-12-20T00:00:00Z'), ['2026-12-01', '2027-01-01'])
  const december = { kind: 'months', name: 'd', fromMs: DECEMBER, untilMs: JANUARY } as const
  assert.deepEqual(missing('2026-12-20T00:00:00Z', [december]), ['2027-01-01'])
  assert.equal(findCoveredUntil([OTHER, UNTIL, december], at('2026-11-20T00:00:00Z')), JANUARY)
  const uncovered = at('2027-03-01T00:00:00Z')
  assert.equal(findCoveredUntil([OTHER, UNTIL, december], uncovered), uncovered)
})

const first = (now: string, newest: string | null): string =>
  writeMonth(chooseFirstMonth(at(now), newest === null ? null : at(newest)))

test('a table is divided at a month that is at least a week away, and after its newest row', () => {
  assert.equal(first('2026-11-10T00:00:00Z', null), '2026-12-01')
  assert.equal(first('2026-11-27T00:00:00Z', '2026-11-26T00:00:00Z'), '2027-01-01')
  // A node whose clock was two years ahead.
  assert.equal(first('2026-11-10T00:00:00Z', '2028-12-31T00:00:00Z'), '2029-01-01')
})

test('the bound of a month is no greater than its ids', () => {
  const time = at('2026-12-24T18:00:00Z')
  assert.equal(startOfMonth(time), DECEMBER)
  assert.equal(floorOfMonth(time), buildUuidFloor(DECEMBER))
})
