import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { buildIncomingEvent } from '../../../test/build-incoming-event.ts'
import { limitBulk } from './batcher.ts'
import type { EventOutcome } from './incoming-event.ts'

/** A store whose commits end when the test says so. */
function createGate() {
  const begun: string[] = []
  const waiting = { events: 0 }
  const ends = new Map<string, (error?: Error) => void>()
  const commit = limitBulk(
    ({ tenantId }, arrivals) => {
      const name = `${tenantId} ${arrivals[0]?.fingerprint}`
      begun.push(name)
      const { promise, resolve, reject } = Promise.withResolvers<readonly EventOutcome[]>()
      ends.set(name, (error) => (error === undefined ? resolve([]) : reject(error)))
      return promise
    },
    (events) => {
      waiting.events += events
    },
  )
  return {
    begun,
    waiting,
    push: (tenantId: string, name: string, events = 1) =>
      commit(
        { tenantId },
        Array.from({ length: events }, () => buildIncomingEvent(name)),
      ),
    end: async (name: string, error?: Error): Promise<void> => {
      await nextTurn()
      const end = ends.get(name)
      assert.ok(end !== undefined, `${name} is under way`)
      end(error)
      await nextTurn()
    },
  }
}

test('three batches of a tenant are under way at once, the others follow in the order in which they came; another tenant does not wait', async () => {
  const gate = createGate()
  const pushed = ['a', 'b', 'c', 'd', 'e'].map((name) => gate.push('one', name))
  const other = gate.push('two', 'a')
  await nextTurn()
  assert.deepEqual(gate.begun, ['one a', 'one b', 'one c', 'two a'])
  await gate.end('one b')
  assert.deepEqual(gate.begun.slice(4), ['one d'])
  await gate.end('one a')
  await gate.end('two a')
  assert.deepEqual(gate.begun.slice(4), ['one d', 'one e'])
  for (const name of ['c', 'd', 'e']) await gate.end(`one ${name}`)
  await Promise.all([...pushed, other])
  const again = gate.push('one', 'f')
  await gate.end('one f')
  await again
})

test('a batch that fails gives its turn away', async () => {
  const gate = createGate()
  const pushed = ['a', 'b', 'c', 'd'].map((name) => gate.push('one', name))
  const refused = assert.rejects(pushed[0] ?? Promise.resolve(), { message: 'away' })
  await gate.end('one a', new Error('away'))
  await refused
  assert.deepEqual(gate.begun.slice(3), ['one d'])
})

test('503 when more than 20,000 events of the tenant would wait, and again room when some are through', async () => {
  const gate = createGate()
  const running = ['a', 'b', 'c'].map((name) => gate.push('one', name, 1_000))
  const waiting = Array.from({ length: 20 }, (_, at) => gate.push('one', `${at}`, 1_000))
  await assert.rejects(gate.push('one', 'more'), { code: 'CASEWORK_INTAKE_BUSY', status: 503 })
  assert.equal(gate.begun.length, 3)
  assert.equal(gate.waiting.events, 20_000)
  await gate.end('one a')
  await gate.end('one b')
  waiting.push(gate.push('one', 'more'))
  for (const name of ['c', ...Array.from({ length: 20 }, (_, at) => `${at}`), 'more']) {
    await gate.end(`one ${name}`)
  }
  await Promise.all([...running, ...waiting])
  assert.equal(gate.begun.at(-1), 'one more')
  assert.equal(gate.waiting.events, 0)
})
