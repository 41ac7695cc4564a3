import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { limit, QueueFull } from './limit.ts'

/** Jobs that begin when the limit lets them, and end when the test says so. */
function createJobs() {
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  return {
    begun,
    job: (name: string) => () => {
      begun.push(name)
      const end = Promise.withResolvers<string>()
      ends.set(name, end)
      return end.promise
    },
    end: async (name: string, error?: Error): Promise<void> => {
      await nextTurn()
      const end = ends.get(name)
      assert.ok(end !== undefined, `${name} is running`)
      if (error === undefined) end.resolve(name)
      else end.reject(error)
      await nextTurn()
    },
  }
}

describe('a limit', () => {
  test('starts so many at once and the others in the order in which they came', async () => {
    const { begun, job, end } = createJobs()
    const two = limit(2, { queueMax: 10 })
    const results = ['a', 'b', 'c', 'd'].map((name) => two.run(job(name)))
    assert.deepEqual(begun, ['a', 'b'])
    assert.equal(two.waitingCount(), 2)
    await end('b')
    assert.deepEqual(begun, ['a', 'b', 'c'])
    await end('a')
    await end('c')
    await end('d')
    assert.deepEqual(await Promise.all(results), ['a', 'b', 'c', 'd'])
    assert.equal(two.waitingCount(), 0)
  })

  test('lets keys take turns, so that a crowd of one holds up another by one job', async () => {
    const { begun, job, end } = createJobs()
    const one = limit(1, { queueMax: 10 })
    const crowd = ['a1', 'a2', 'a3', 'a4'].map((name) => one.run(job(name), { key: 'a' }))
    const other = one.run(job('b1'), { key: 'b' })
    for (const name of ['a1', 'a2', 'b1', 'a3', 'a4']) await end(name)
    assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3', 'a4'])
    await Promise.all([...crowd, other])
  })

  test('refuses the newest job of the key that fills the queue for one of another key', async () => {
    const { begun, job, end } = createJobs()
    const one = limit(1, { queueMax: 3 })
    const running = one.run(job('a0'), { key: 'a' })
    const [first, second, third] = ['a1', 'a2', 'a3'].map((name) =>
      one.run(job(name), { key: 'a' }),
    )
    const isRefused = assert.rejects(third ?? Promise.resolve(), QueueFull)
    const other = one.run(job('b1'), { key: 'b' })
    await isRefused
    // Both have a fair share now: neither gets more.
    await assert.rejects(one.run(job('b2'), { key: 'b' }), QueueFull)
    await assert.rejects(one.run(job('a4'), { key: 'a' }), QueueFull)
    for (const name of ['a0', 'a1', 'b1', 'a2']) await end(name)
    assert.deepEqual(begun, ['a0', 'a1', 'b1', 'a2'])
    await Promise.all([running, first, second, other])
  })

  test('gives the turn of a job that fails to the next', async () => {
    const { begun, job, end } = createJobs()
    const one = limit(1, { queueMax: 1 })
    const failing = assert.rejects(one.run(job('a')), { message: 'away' })
    const next = one.run(job('b'))
    await end('a', new Error('away'))
    await failing
    assert.deepEqual(begun, ['a', 'b'])
    await end('b')
    await next
  })

  test('refuses a job when too many wait, and takes the next one when there is room', async () => {
    const { job, end } = createJobs()
    const one = limit(1, { queueMax: 1 })
    const first = one.run(job('a'))
    const second = one.run(job('b'))
    await assert.rejects(one.run(job('c')), QueueFull)
    await end('a')
    const third = one.run(job('d'))
    await end('b')
    await end('d')
    await Promise.all([first, second, third])
  })

  test('refuses a job when those that wait weigh too much', async () => {
    const { job, end } = createJobs()
    const one = limit(1, { queueMax: 10, queueWeightMax: 100 })
    const first = one.run(job('a'), { weight: 1_000 })
    const second = one.run(job('b'), { weight: 60 })
    assert.equal(one.waitingWeight(), 60)
    await assert.rejects(one.run(job('c'), { weight: 41 }), QueueFull)
    const third = one.run(job('d'), { weight: 40 })
    for (const name of ['a', 'b', 'd']) await end(name)
    await Promise.all([first, second, third])
    assert.equal(one.waitingWeight(), 0)
  })

  test('starts no more than may weigh together, and what is heavier by itself alone', async () => {
    const { begun, job, end } = createJobs()
    const heavy = limit(10, { queueMax: 10, weightMax: 100 })
    const results = [
      heavy.run(job('a'), { weight: 60 }),
      heavy.run(job('b'), { weight: 40 }),
      heavy.run(job('c'), { weight: 500 }),
      heavy.run(job('d'), { weight: 1 }),
    ]
    assert.deepEqual(begun, ['a', 'b'])
    await end('a')
    assert.deepEqual(begun, ['a', 'b'])
    await end('b')
    assert.deepEqual(begun, ['a', 'b', 'c'])
    await end('c')
    await end('d')
    await Promise.all(results)
  })

  test('refuses a job that waited too long, and starts the one behind it', async () => {
    const { begun, job, end } = createJobs()
    let nowMs = 0
    const one = limit(1, { queueMax: 10, queueWaitMaxMs: 100, nowMs: () => nowMs })
    const first = one.run(job('a'))
    const late = assert.rejects(one.run(job('late')), QueueFull)
    nowMs = 60
    const fresh = one.run(job('fresh'))
    nowMs = 101
    await end('a')
    await late
    assert.deepEqual(begun, ['a', 'fresh'])
    await end('fresh')
    const next = one.run(job('next'))
    await end('next')
    await Promise.all([first, fresh, next])
  })

  test('lets a signal end the wait of a job, and lets in the one behind it', async () => {
    const { begun, job, end } = createJobs()
    const one = limit(1, { queueMax: 10 })
    const stopping = new AbortController()
    const first = one.run(job('a'))
    const late = assert.rejects(one.run(job('b'), { signal: stopping.signal }), { message: 'late' })
    const fresh = one.run(job('c'))
    stopping.abort(new Error('late'))
    await late
    await end('a')
    assert.deepEqual(begun, ['a', 'c'])
    await assert.rejects(one.run(job('d'), { signal: stopping.signal }), { message: 'late' })
    await end('c')
    await Promise.all([first, fresh])
  })

  test('starts what waits behind a heavy job when that gives up', async () => {
    const { begun, job, end } = createJobs()
    const heavy = limit(2, { queueMax: 10, weightMax: 100 })
    const stopping = new AbortController()
    const first = heavy.run(job('a'), { weight: 60 })
    const options = { weight: 60, signal: stopping.signal }
    const gone = assert.rejects(heavy.run(job('b'), options), { message: 'late' })
    const small = heavy.run(job('c'), { weight: 40 })
    assert.deepEqual(begun, ['a'])
    stopping.abort(new Error('late'))
    await gone
    assert.deepEqual(begun, ['a', 'c'])
    await end('a')
    await end('c')
    await Promise.all([first, small])
  })

  test('does not break off a running job by its signal', async () => {
    const { job, end } = createJobs()
    const one = limit(1, { queueMax: 10 })
    const stopping = new AbortController()
    const running = one.run(job('a'), { signal: stopping.signal })
    stopping.abort(new Error('late'))
    await end('a')
    assert.equal(await running, 'a')
  })

  test('its end refuses those that wait and come later, and waits for those that run', async () => {
    const { job, end } = createJobs()
    const one = limit(1, { queueMax: 10 })
    const running = one.run(job('a'))
    const waiting = assert.rejects(one.run(job('b')), { message: 'closed' })
    let isOver = false
    const closing = one.close(new Error('closed')).finally(() => {
      isOver = true
    })
    await waiting
    await assert.rejects(one.run(job('c')), { message: 'closed' })
    assert.equal(isOver, false)
    await end('a')
    await closing
    assert.equal(await running, 'a')
  })

  test('that runs nothing is closed at once', async () => {
    await limit(1, { queueMax: 0 }).close(new Error('closed'))
  })
})
