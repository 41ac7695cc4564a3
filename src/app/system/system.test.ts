// Proves the endpoints of the process itself: health, metrics, the document and the reference that
// works offline.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { gunzipSync } from 'node:zlib'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { buildOpenapi } from '../openapi.ts'
import { buildRoutes } from '../routes.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

test('livez answers without a credential', async () => {
  const answer = await app.send('GET', '/livez')
  assert.deepEqual([answer.status, answer.json()], [200, { status: 'live' }])
})

test('readyz names each check, and 503 while one fails', async () => {
  const ready = await app.send('GET', '/readyz')
  assert.equal(ready.status, 200)
  const names = ready.json().checks.map((check: { name: string }) => check.name)
  assert(names.includes('database'))
  const broken = await openTestApp()
  broken.services.foundation.readiness.add({
    name: 'broken',
    check: async () => ({ state: 'failed', detail: 'It is broken.' }),
  })
  const answer = await broken.send('GET', '/readyz')
  assert.deepEqual([answer.status, answer.json().status], [503, 'not_ready'])
  assert.equal(answer.headers['casework-problem'], 'KERNEL_NODE_NOT_READY')
  await broken.close()
})

test('metrics count requests by operation and tell of the process, in the form of Prometheus', async () => {
  await app.send('GET', '/livez')
  const answer = await app.send('GET', '/metrics')
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
  assert.match(
    answer.text,
    /^casework_http_requests_total\{operation="getLivez",status="200"\} \d+$/m,
  )
  assert.match(answer.text, /^process_resident_memory_bytes /m)
  for (const line of answer.text.trim().split('\n')) {
    assert.match(line, /^(?:# (?:HELP|TYPE) \S+ .+|[a-z_:][\w:]*(?:\{.*\})? \S+|)$/)
  }
})

test('openapi.json is the document of the very routes, open to all', async () => {
  const answer = await app.send('GET', '/openapi.json')
  assert.equal(answer.status, 200)
  const routes = buildRoutes(app.services)
  assert.deepEqual(answer.json(), JSON.parse(JSON.stringify(buildOpenapi(routes))))
})

test('the reference loads from this server only', async () => {
  const page = await app.send('GET', '/docs')
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  const policy = String(page.headers['content-security-policy'])
  assert.match(policy, /^default-src 'none'; script-src 'self';/)
  assert.match(policy, /connect-src 'self';/)
  assert.doesNotMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe/)
  assert.doesNotMatch(page.text, /https?:\/\/|<script>|\son\w+=/)
  const sources = [...page.text.matchAll(/src="([^"]+)"/g)].map((match) => match[1])
  assert.deepEqual(sources, ['docs/reference.js', 'docs/start.js'])
  const start = await app.send('GET', '/docs/start.js')
  assert.match(start.text, /withDefaultFonts: false/)
  assert.match(start.text, /telemetry: false/)
})

test('the reference sends no optional parameter that nobody chose, and asks for the reason of failures', async () => {
  const { text } = await app.send('GET', '/docs/start.js')
  // What the script gives.
  // oxlint-disable-next-line typescript/no-explicit-any
  const given = Promise.withResolvers<any>()
  runInNewContext(text, {
    fetch: async (url: string) => await app.send('GET', `/${url}`),
    Scalar: { createApiReference: (_: string, options: unknown) => given.resolve(options) },
  })
  const { content, onBeforeRequest } = await given.promise
  const parameters = Object.values<object>(content.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) => operation.parameters ?? [])
  assert(parameters.length > 100)
  for (const { required, examples } of parameters) {
    // An empty value is not sent, whatever the schema would put in its place.
    const expected = required === true ? undefined : { default: { value: '' } }
    assert.deepEqual(
      JSON.parse(JSON.stringify({ examples })),
      expected ? { examples: expected } : {},
    )
  }
  const headers = new Headers({ accept: 'application/json' })
  onBeforeRequest({ requestBuilder: { headers } })
  assert.match(headers.get('accept') ?? '', /application\/problem\+json/)
})

test('all clients of the reference and of the document share one buffer each', async () => {
  const routes = buildRoutes(app.services)
  for (const path of ['/docs/reference.js', '/openapi.json']) {
    const route = routes.find((one) => one.path === path)
    assert(route !== undefined)
    const context = { headers: {} } as Parameters<typeof route.handle>[0]
    const { bytes } = await route.handle(context)
    assert(bytes !== undefined)
    assert.equal((await route.handle(context)).bytes, bytes, path)
  }
})

test('the script of the reference is whole, packed for who takes that and plain for who does not', async () => {
  const plain = await app.send('GET', '/docs/reference.js')
  assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(plain.headers['content-encoding'], undefined)
  assert(plain.text.length > 1_000_000)
  assert.match(plain.text, /createApiReference/)
  const packed = await app.app.inject({
    url: '/docs/reference.js',
    headers: { 'accept-encoding': 'br, gzip' },
  })
  assert.equal(packed.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(packed.rawPayload).toString(), plain.text)
  const refused = { 'accept-encoding': 'gzip;q=0' }
  const again = await app.send('GET', '/docs/reference.js', { headers: refused })
  assert.equal(again.headers['content-encoding'], undefined)
})
