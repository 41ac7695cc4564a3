import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { digestBytes } from './digest-bytes.ts'

test('the digest is that of all bytes at once, and other work gets a turn for each mebibyte', async () => {
  const bytes = Buffer.alloc(4 * 1_048_576, 'report')
  let turns = 0
  const count = (): void => {
    turns += 1
    turn = setImmediate(count)
  }
  let turn = setImmediate(count)
  const digest = await digestBytes(bytes, 'é')
  clearImmediate(turn)
  assert.deepEqual(digest, createHash('sha256').update('é').update(bytes).digest())
  assert.ok(turns >= 3, `${turns} turns`)
})

test('no bytes have a digest as well', async () => {
  assert.deepEqual(await digestBytes(Buffer.alloc(0)), createHash('sha256').digest())
})
