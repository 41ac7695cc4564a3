// Spans on their way to a collector: what arrives, what is dropped, and what a collector that is
// away costs.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, beforeEach, test } from 'node:test'
import { type Collector, openTraceCollector } from '../../../test/trace-kit.ts'
import { createLog, silentLog } from '../log.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { readSpan, runTraced, type Tracer } from './span.ts'
import { createTracer, type TracerOptions } from './tracer.ts'

let collector: Collector
before(async () => {
  collector = await openTraceCollector()
})
after(() => collector.close())

let counts: Record<string, number> = {}
beforeEach(() => {
  counts = {}
  collector.answerWith(200)
})

// Sent at the end only, so that each test knows what was sent.
const PAUSE_MS = 3_600_000

function openTracer(more: Partial<TracerOptions> = {}): Tracer {
  return createTracer({
    endpoint: collector.url,
    headers: { 'x-key': 'sesame' },
    serviceName: 'desk',
    version: '1.2.3',
    share: 1,
    log: silentLog,
    countSpans: (outcome, spans) => {
      counts[outcome] = (counts[outcome] ?? 0) + spans
    },
    pauseMs: PAUSE_MS,
    ...more,
  })
}

const named = (name: string) => ({ name, kind: 'internal' }) as const
const received = (traceId: string | undefined) =>
  collector.spans.filter((span) => span.traceId === traceId)

test('spans arrive with their parents, attributes and the service, by one request with its headers', async () => {
  const tracer = openTracer()
  let traceId: string | undefined
  await runTraced(tracer, named('outer'), async () => {
    traceId = readSpan()?.traceId
    const start = { ...named('inner'), attributes: { rows: 3, share: 0.5, isOn: true, word: 'x' } }
    await runTraced(tracer, start, async () => undefined)
  })
  await assert.rejects(
    runTraced(tracer, named('broken'), async () => {
      throw new Error('no')
    }),
  )
  const sentBefore = collector.requests.length
  await tracer.close()
  const [request, ...others] = collector.requests.slice(sentBefore)
  assert.deepEqual([request?.path, others.length], ['POST /v1/traces', 0])
  assert.equal(request?.headers['x-key'], 'sesame')
  assert.equal(request?.headers['content-type'], 'application/json')
  assert.equal(request?.headers['traceparent'], undefined, 'sending is not traced itself')
  const [inner, outer] = received(traceId)
  assert.deepEqual([inner?.name, outer?.name], ['inner', 'outer'])
  assert.equal(inner?.parentSpanId, outer?.spanId)
  assert.equal(outer?.parentSpanId, undefined)
  assert.deepEqual(inner?.attributes, { rows: '3', share: 0.5, isOn: true, word: 'x' })
  assert.equal(inner?.resource['service.name'], 'desk')
  assert.ok((outer?.durationNs ?? -1n) >= (inner?.durationNs ?? 0n))
  const broken = collector.spans.find(({ name }) => name === 'broken')
  assert.equal(broken?.hasFailed, true)
  assert.deepEqual(counts, { sent: 3 })
})

test('a trace of a caller goes on, unless the caller does not record it', async () => {
  const tracer = openTracer({ share: 0 })
  const traceId = 'a'.repeat(32)
  const start = { name: 'GET /x', kind: 'server' } as const
  tracer.begin(start, `00-${traceId}-${'b'.repeat(16)}-01`).end()
  const silent = tracer.begin(start, `00-${'c'.repeat(32)}-${'b'.repeat(16)}-00`)
  assert.match(silent.header, /^00-c{32}-[0-9a-f]{16}-00$/)
  silent.end()
  tracer.begin(start).end()
  await tracer.close()
  assert.deepEqual(
    received(traceId).map(({ parentSpanId, kind }) => [parentSpanId, kind]),
    [['b'.repeat(16), 2]],
  )
  assert.deepEqual(counts, { sent: 1 })
})

test('a full queue drops spans and counts them; a long trace keeps a thousand and its first', async () => {
  const small = openTracer({ queueMax: 5 })
  for (let at = 0; at < 8; at += 1) small.begin(named('many')).end()
  await small.close()
  assert.deepEqual(counts, { sent: 5, dropped: 3 })
  counts = {}
  const tracer = openTracer()
  const root = tracer.begin(named('long'))
  for (let at = 0; at < 1_200; at += 1) root.startChild(named('part')).end()
  root.end()
  root.end()
  await tracer.close()
  const spans = received(root.traceId)
  assert.deepEqual([spans.length, spans.at(-1)?.name], [1_001, 'long'])
  assert.deepEqual(counts, { sent: 1_001 })
})

test('a collector that refuses or is away costs spans, and nobody an error', async () => {
  collector.answerWith(503)
  const refused = openTracer()
  refused.begin(named('refused')).end()
  await refused.close()
  assert.deepEqual(counts, { failed: 1 })
  const away = openTracer({ endpoint: 'http://127.0.0.1:1' })
  away.begin(named('away')).end()
  await away.close()
  assert.deepEqual(counts, { failed: 2 })
})

test('a collector that never answers does not hold a stop up', async () => {
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const address = silent.address()
  assert.ok(typeof address === 'object' && address !== null)
  const tracer = openTracer({ endpoint: `http://127.0.0.1:${address.port}` })
  for (let at = 0; at < 1_500; at += 1) tracer.begin(named('stuck')).end()
  await tracer.close()
  silent.closeAllConnections()
  await new Promise<void>((resolve) => void silent.close(() => resolve()))
  assert.deepEqual(counts, { failed: 1_500 })
})

test('an outgoing request is a span, hands the trace on, and leaves a header of its caller', async () => {
  const tracer = openTracer()
  const target = collector.url.slice('http://'.length)
  const outbound = createOutbound({ allow: [target], log: silentLog, tracer })
  const request = (headers: Record<string, string>) =>
    outbound.request({
      method: 'GET',
      url: `${collector.url}/secret?token=x`,
      purpose: 'webhook',
      allowHttp: true,
      headers,
    })
  collector.answerWith(404)
  let traceId: string | undefined
  await runTraced(tracer, named('job'), async () => {
    traceId = readSpan()?.traceId
    await request({})
  })
  const given = `00-${'d'.repeat(32)}-${'e'.repeat(16)}-01`
  await request({ TraceParent: given })
  outbound.close()
  collector.answerWith(200)
  await tracer.close()
  const calls = collector.requests.filter(({ path }) => path.startsWith('GET'))
  const [span] = received(traceId).filter(({ kind }) => kind === 3)
  assert.equal(calls[0]?.headers['traceparent'], `00-${traceId}-${span?.spanId}-01`)
  assert.equal(calls[1]?.headers['traceparent'], given)
  assert.deepEqual(
    [span?.name, span?.hasFailed, span?.attributes],
    [
      'GET webhook',
      true,
      {
        'http.request.method': 'GET',
        'server.address': '127.0.0.1',
        'http.response.status_code': '404',
      },
    ],
  )
})

test('a log line within a trace has its id, and one outside of any has none', async () => {
  const lines: string[] = []
  const destination = { write: (line: string) => lines.push(line) }
  const log = createLog({ level: 'info', isForPeople: false, destination })
  const tracer = openTracer()
  await runTraced(tracer, named('job'), async () => log.info('inside'))
  await runTraced(null, named('job'), async () => log.info('untraced'))
  log.info('outside')
  await tracer.close()
  const [inside, ...others] = lines.map((line) => JSON.parse(line))
  const span = collector.spans.find(({ traceId }) => traceId === inside.trace_id)
  assert.equal(span?.name, 'job')
  assert.ok(others.every((line) => !('trace_id' in line)))
})
