// Traces of the whole program, as a collector receives them: requests, statements, steps and calls
// of playbooks; and what stays untraced.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { createPerson } from '../../test/people-kit.ts'
import { createActivePlaybook, createCases, runDueSteps } from '../../test/playbook-fixtures.ts'
import { type Collector, openTraceCollector, type ReceivedSpan } from '../../test/trace-kit.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

let collector: Collector
let app: TestApp
let token: string
before(async () => {
  collector = await openTraceCollector()
  app = await openTestApp({
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=open%20sesame',
      OTEL_SERVICE_NAME: 'desk',
      CASEWORK_OUTBOUND_ALLOW: collector.url.slice('http://'.length),
    },
  })
  token = await app.createToken()
})
after(async () => {
  await app.close()
  await collector.close()
})

/** Sends what waits. A trace arrives within a second or two by itself. */
async function waitFor(isThere: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
  for (;;) {
    const found = collector.spans.find(isThere)
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('a request is a span of its route with its statements, in the trace of its caller', async () => {
  const json = {
    event_type: 'Phishing',
    domain: 'traced-secret.example',
    event_date: '2026-06-01T10:00:00Z',
    sender_email: 'reporter@example.com',
  }
  const headers = { traceparent: `00-${TRACE}-${PARENT}-01`, 'x-request-id': 'request-of-a-trace' }
  const pushed = await app.send('POST', '/beta/casework/events', { token, json, headers })
  assert.equal(pushed.status, 201, pushed.text)
  const path = `/beta/casework/cases/${pushed.json().case_id}`
  await app.send('GET', path, { token, headers })
  const span = await waitFor(({ name }) => name === 'GET /beta/casework/cases/{caseId}')
  assert.deepEqual([span.traceId, span.parentSpanId, span.kind], [TRACE, PARENT, 2])
  assert.deepEqual(span.attributes, {
    'http.request.method': 'GET',
    'http.route': '/beta/casework/cases/{caseId}',
    'casework.operation': 'getCase',
    'casework.request_id': 'request-of-a-trace',
    'http.response.status_code': '200',
  })
  assert.equal(span.resource['service.name'], 'desk')
  const statements = collector.spans.filter(({ parentSpanId }) => parentSpanId === span.spanId)
  assert.ok(statements.length > 0)
  for (const { kind, name, attributes } of statements) {
    assert.deepEqual([kind, attributes['db.system.name']], [3, 'postgresql'])
    assert.match(name, /^[A-Z]+$/)
  }
  assert.ok(statements.some(({ name }) => name === 'SELECT'))
  assert.equal(collector.requests[0]?.headers['x-key'], 'open sesame')
})

test('no span has a value: no item, address, id of a case or tenant, and no token', async () => {
  await waitFor(({ name }) => name === 'POST /beta/casework/events')
  const all = JSON.stringify(collector.spans.map(({ name, attributes }) => [name, attributes]))
  for (const secret of ['traced-secret', 'reporter@example', 'C-0', token, "'default'"]) {
    assert.ok(!all.includes(secret), secret)
  }
})

function isGreeting(statement: unknown): boolean {
  return String(statement).includes('as is_read_only')
}

test('names of people cost a page one statement, however many it has', async () => {
  const people = [
    await createPerson(app, token),
    await createPerson(app, token),
    await createPerson(app, token),
  ]
  for (const [at, { browser }] of people.entries()) {
    const json = {
      event_type: 'Phishing',
      domain: `assigned-${at}.example`,
      event_date: '2026-06-01T10:00:00Z',
      sender_email: 'reporter@example.com',
    }
    const pushed = await browser.send('POST', '/beta/casework/events', { json })
    const path = `/beta/casework/cases/${pushed.json().case_id}`
    const change = { version: 1, assignee_user_id: 'me' }
    const assigned = await browser.send('PATCH', path, { json: change })
    assert.equal(assigned.status, 200, assigned.text)
  }
  const countStatements = async (limit: number): Promise<number> => {
    const requestId = `names-of-a-page-${limit}`
    const headers = { 'x-request-id': requestId }
    const path = `/beta/casework/cases?expand=summary&limit=${limit}`
    const { items } = (await app.send('GET', path, { token, headers })).json()
    for (const { summary } of items) assert.match(summary.assignee_name, /^Person /)
    const isOf = ({ attributes }: ReceivedSpan) => attributes['casework.request_id'] === requestId
    const { spanId } = await waitFor(isOf)
    const statements = collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId)
    // A new connection of the pool is greeted on the way, when the others are busy.
    return statements.filter(({ attributes }) => !isGreeting(attributes['db.query.text'])).length
  }
  const one = await countStatements(1)
  assert.equal(await countStatements(3), one)
})

test('a refusal and a failure are spans with their status; a look-up is none', async () => {
  // Over a socket, where its plain form goes round Fastify.
  const url = await app.app.listen({ port: 0, host: '127.0.0.1' })
  assert.equal((await fetch(`${url}/beta/query/192.0.2.7`)).status, 200)
  await app.send('GET', '/beta/casework/cases/nothing', { token })
  const missing = await waitFor(
    ({ name, attributes }) =>
      name === 'GET /beta/casework/cases/{caseId}' &&
      attributes['http.response.status_code'] === '404',
  )
  assert.equal(missing.hasFailed, false)
  assert.ok(!collector.spans.some(({ name }) => name.includes('query')))
})

test('a step of a playbook and its call are spans, and the call hands its trace on', async () => {
  const nodes = [
    { id: 'begin', kind: 'start', paths: { next: 'call' } },
    {
      id: 'call',
      kind: 'api_caller',
      config: { method: 'GET', url: `${collector.url}/playbook` },
      paths: { success: 'end' },
    },
    { id: 'end', kind: 'end' },
  ]
  const playbook = await createActivePlaybook(app, token, nodes)
  await createCases(app, 'default', playbook, 1)
  await runDueSteps(app)
  const call = await waitFor(({ name }) => name === 'playbook call api_caller')
  const steps = await waitFor(({ name }) => name === 'playbook steps')
  assert.ok(Number(steps.attributes['casework.tokens']) >= 1)
  // Beside statements, such as whether the tenant is one of the demo.
  const sent = await waitFor(
    ({ parentSpanId, attributes }) =>
      parentSpanId === call.spanId && 'http.request.method' in attributes,
  )
  const request = collector.requests.find(({ path }) => path === 'GET /playbook')
  assert.equal(request?.headers['traceparent'], `00-${call.traceId}-${sent.spanId}-01`)
})
