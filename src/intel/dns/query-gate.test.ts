import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createQueryGate } from './query-gate.ts'

const BOUNDS = { runningMax: 1, waitingMax: 2, waitMaxMs: 100 }

it('lets the next in when one leaves, in the order in which they came', async () => {
  const gate = createQueryGate({ ...BOUNDS, clock: { nowMs: () => 0 } })
  assert.equal(await gate.enter(), true)
  const order: string[] = []
  const second = gate.enter().then(() => order.push('second'))
  const third = gate.enter().then(() => order.push('third'))
  assert.deepEqual(order, [])
  gate.leave()
  await second
  assert.deepEqual(order, ['second'])
  gate.leave()
  await third
  assert.deepEqual(order, ['second', 'third'])
})

it('turns away what finds the line full', async () => {
  const gate = createQueryGate({ ...BOUNDS, clock: { nowMs: () => 0 } })
  await gate.enter()
  void gate.enter()
  void gate.enter()
  assert.equal(await gate.enter(), false)
})

it('turns away whoever waited too long and lets in the one behind', async () => {
  let nowMs = 0
  const gate = createQueryGate({ ...BOUNDS, clock: { nowMs: () => nowMs } })
  await gate.enter()
  const late = gate.enter()
  nowMs = 60
  const fresh = gate.enter()
  nowMs = 101
  gate.leave()
  assert.equal(await late, false)
  assert.equal(await fresh, true)
  gate.leave()
  assert.equal(await gate.enter(), true)
})
