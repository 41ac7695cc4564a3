// Proves when statements are refused for the sake of the disk, and which ones.

import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { chooseReserve, needsRoom, openDiskReserve } from './disk-reserve.ts'

const GIGABYTE = 1024 ** 3

test('the reserve is a tenth of the disk, between 128 MB and 1 GB', () => {
  const sizes = [0.4, 4, 100].map((size) => chooseReserve(size * GIGABYTE) / GIGABYTE)
  assert.deepEqual(
    sizes.map((size) => size.toFixed(3)),
    ['0.125', '0.400', '1.000'],
  )
})

test('the reserve is used up when less is free than it, from the end of the start on', async (t) => {
  const changes: boolean[] = []
  const reserve = await openDiskReserve({
    folder: tmpdir(),
    reserveBytes: Number.MAX_SAFE_INTEGER,
    onChange: (isUsedUp) => void changes.push(isUsedUp),
  })
  t.after(reserve.close)
  assert.deepEqual(changes, [true])
  assert.equal(reserve.isUsedUp(), false)
  reserve.guard()
  assert.equal(reserve.isUsedUp(), true)
})

const refuseChange = (): void => assert.fail('no change')

test('a disk with room and a folder that is not there refuse nothing', async (t) => {
  for (const folder of [tmpdir(), join(tmpdir(), 'casework-not-there')]) {
    const reserve = await openDiskReserve({ folder, reserveBytes: 1, onChange: refuseChange })
    t.after(reserve.close)
    reserve.guard()
    assert.equal(reserve.isUsedUp(), false)
  }
})

test('statements that store need room, and others do not', () => {
  for (const text of [
    'insert into event (id) values ($1)',
    'with one as (select 1) insert into "event" select * from one',
    'update abuse_case set state = $1',
    'update "abuse_case" set "state" = $1',
    'UPDATE pgboss.job j SET state = $1',
    'update only event as stored\n  set resolved = true',
    'merge into event using given on true',
    'create temporary table if not exists staged (id text)',
  ]) {
    assert.ok(needsRoom(text), text)
  }
  for (const text of [
    'select 1',
    'select * from event for update skip locked',
    'delete from event where event_id = $1',
    "select 'updated' as what",
    'begin; set local casework.tenant = $1',
    'rollback',
  ]) {
    assert.ok(!needsRoom(text), text)
  }
})
