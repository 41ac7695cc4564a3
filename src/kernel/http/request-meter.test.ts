// Proves what /metrics tells of requests, alone and put together from several threads.

import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { AggregatorRegistry, Registry } from 'prom-client'
import { createLog } from '../log.ts'
import { createRequestMeter, createRequestNotes } from './request-meter.ts'

test('counts and times requests by operation and status in the form of Prometheus', async () => {
  const registry = new Registry()
  const meter = createRequestMeter(registry)
  meter.note('lookUp', 200, 0.0004)
  meter.note('lookUp', 200, 0.003)
  meter.note('lookUp', 400, 99)
  const lines = (await registry.metrics()).split('\n')
  for (const line of [
    '# TYPE casework_http_request_duration_seconds histogram',
    'casework_http_request_duration_seconds_bucket{le="0.0005",operation="lookUp"} 1',
    'casework_http_request_duration_seconds_bucket{le="0.005",operation="lookUp"} 2',
    'casework_http_request_duration_seconds_bucket{le="10",operation="lookUp"} 2',
    'casework_http_request_duration_seconds_bucket{le="+Inf",operation="lookUp"} 3',
    'casework_http_request_duration_seconds_count{operation="lookUp"} 3',
    '# TYPE casework_http_requests_total counter',
    'casework_http_requests_total{operation="lookUp",status="200"} 2',
    'casework_http_requests_total{operation="lookUp",status="400"} 1',
  ]) {
    assert(lines.includes(line), line)
  }
})

test('the counts of several threads add up', async () => {
  const registries = [new Registry(), new Registry()]
  for (const registry of registries) createRequestMeter(registry).note('lookUp', 200, 0.001)
  const snapshots = await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()))
  const text = await AggregatorRegistry.aggregate(snapshots).metrics()
  assert.match(text, /^casework_http_requests_total\{operation="lookUp",status="200"\} 2$/m)
  assert.match(text, /^casework_http_request_duration_seconds_count\{operation="lookUp"\} 2$/m)
})

test('the log line of a traced request has its request id and its trace id', () => {
  const lines: string[] = []
  const destination = { write: (line: string) => lines.push(line) }
  const log = createLog({ level: 'info', isForPeople: false, destination })
  const meter = createRequestMeter(new Registry())
  const notes = createRequestNotes({ meter, log, accessLog: 'all' })
  const message = new IncomingMessage(new Socket())
  const request = { route: null, message, startedAtMs: performance.now() }
  notes.note({ ...request, requestId: 'request-1', traceId: 'a'.repeat(32) }, 200, null)
  notes.note({ ...request, requestId: 'request-2' }, 200, null)
  const [traced, plain] = lines.map((line) => JSON.parse(line))
  assert.deepEqual([traced.request_id, traced.trace_id], ['request-1', 'a'.repeat(32)])
  assert.ok(!('trace_id' in plain))
})
