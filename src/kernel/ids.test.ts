import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUuid } from '../values/uuid.ts'
import { buildUuidFloor, createIdSource, readUuidTimeMs } from './ids.ts'

test('10,000 ids of one millisecond are distinct, ordered and version 7', () => {
  const ids = createIdSource({ nowMs: () => 1_700_000_000_000 })
  const made = Array.from({ length: 10_000 }, () => ids.nextUuid())
  assert.equal(new Set(made).size, 10_000)
  assert.deepEqual(made, made.toSorted())
  for (const id of made) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
})

test('ids stay ordered when the clock steps back an hour', () => {
  let nowMs = 1_700_003_600_000
  const ids = createIdSource({ nowMs: () => nowMs })
  const before = ids.nextUuid()
  nowMs -= 3_600_000
  assert.ok(ids.nextUuid() > before)
})

test('the floor of a millisecond lies between its ids and those before', () => {
  const floor = buildUuidFloor(1_700_000_000_000)
  assert.ok(isUuid(floor))
  assert.equal(readUuidTimeMs(floor), 1_700_000_000_000)
  assert.ok(createIdSource({ nowMs: () => 1_700_000_000_000 }).nextUuid() > floor)
  assert.ok(createIdSource({ nowMs: () => 1_699_999_999_999 }).nextUuid() < floor)
})

test('isUuid refuses what only looks like an id', () => {
  assert.equal(isUuid('0190b5a0-0000-7000-8000-000000000000'), true)
  for (const text of [
    '',
    '0190b5a0',
    '0190b5a0-0000-7000-8000-00000000000g',
    ' 0190b5a0-0000-7000-8000-000000000000',
  ]) {
    assert.equal(isUuid(text), false, text)
  }
})
