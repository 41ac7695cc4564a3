// Proves that one answer holds the counts of every thread.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Counter, Gauge } from 'prom-client'
import { openMetrics } from './metrics.ts'

test('a process of one thread tells its own counts and those of the process', async () => {
  const metrics = openMetrics({ peers: 0 })
  const text = await metrics.collect()
  metrics.close()
  assert.match(text, /^process_cpu_seconds_total [\d.e-]+$/m)
  assert.match(text, /^casework_event_loop_delay_p99_seconds [\d.e-]+$/m)
})

test('the counts of all threads are put together, whichever is asked', async () => {
  const threads = [1, 2, 3].map((count) => {
    const metrics = openMetrics({ peers: 2, channel: 'test-all' })
    new Counter({ name: 'casework_test_total', help: 'x', registers: [metrics.registry] }).inc(
      count,
    )
    return metrics
  })
  const texts = await Promise.all(threads.map((thread) => thread.collect()))
  for (const thread of threads) thread.close()
  for (const text of texts) assert.match(text, /^casework_test_total 6$/m)
})

test('a thread whose metrics cannot be read, or that closes, is left out', async () => {
  const asking = openMetrics({ peers: 2, channel: 'test-failing', answerMs: 100 })
  new Counter({ name: 'casework_test_total', help: 'x', registers: [asking.registry] }).inc()
  const failing = openMetrics({ peers: 2, channel: 'test-failing' })
  const closing = openMetrics({ peers: 2, channel: 'test-failing' })
  for (const [metrics, collect] of [
    [failing, () => assert.fail('the metric cannot be read')],
    [closing, () => closing.close()],
  ] as const) {
    metrics.registry.registerMetric(
      new Gauge({ name: 'casework_test', help: 'x', registers: [], collect }),
    )
  }
  const text = await asking.collect()
  for (const metrics of [asking, failing]) metrics.close()
  assert.match(text, /^casework_test_total 1$/m)
})

test('a thread that does not answer is left out', async () => {
  const metrics = openMetrics({ peers: 1, channel: 'test-alone', answerMs: 20 })
  new Counter({ name: 'casework_test_total', help: 'x', registers: [metrics.registry] }).inc()
  const text = await metrics.collect()
  metrics.close()
  assert.match(text, /^casework_test_total 1$/m)
})
