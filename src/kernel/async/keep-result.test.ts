import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepResult } from './keep-result.ts'

test('a result is shared until its time is over, and so is a failure', async () => {
  let nowMs = 0
  let runs = 0
  const ask = keepResult(
    10,
    async () => {
      runs += 1
      if (runs === 2) throw new Error('once')
      return runs
    },
    () => nowMs,
  )
  assert.deepEqual([await ask(), await ask()], [1, 1])
  nowMs = 10
  await assert.rejects(ask(), /once/)
  await assert.rejects(ask(), /once/)
  nowMs = 20
  assert.equal(await ask(), 3)
})
