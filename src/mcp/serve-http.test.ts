// Proves `casework mcp --http`: every caller works with the token that it brought and no other, and
// nothing is answered to a page, a name or a session that is not the caller's.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { listen, runCasework } from '../../test/cli-kit.ts'
import { withApp } from '../../test/harness.ts'
import { callTool, connectByHttp, startMcpHttp, useTool } from '../../test/mcp-kit.ts'
import { SESSION_BOUNDS } from './http-sessions.ts'
import { serveHttp } from './serve-http.ts'

const EVENT = { event_date: '2026-02-01T00:00:00Z', event_type: 'Phishing', customer_id: 'K-1' }
const TENANTS = ['default', 'other']

let url: string
let viewer: string
const tokens: string[] = []
const caseIds: string[] = []
const app = withApp({}, async (opened) => {
  url = await listen(opened)
  viewer = await opened.createToken({ scopes: ['cases:read'] })
  await opened.createTenant('other')
  for (const tenantId of TENANTS) {
    const token = await opened.createToken({ tenantId })
    const json = { ...EVENT, ip: '198.51.100.7' }
    const pushed = await opened.send('POST', '/beta/casework/events', { token, json })
    tokens.push(token)
    caseIds.push(pushed.json().case_id)
  }
})

interface Asked {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
  readonly body?: string
}

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
  },
})

/** A request whose Host can be chosen, which `fetch` does not allow. */
async function ask(place: string, { token, headers = {}, method = 'POST', body }: Asked) {
  const request = httpRequest(place, {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
  })
  request.on('error', () => undefined)
  request.end(method === 'POST' ? (body ?? INITIALIZE) : undefined)
  const [answer] = await once(request, 'response')
  answer.resume()
  return {
    status: answer.statusCode as number,
    headers: answer.headers as Record<string, string | undefined>,
  }
}

describe('casework mcp --http', () => {
  let place: string
  const ends: (() => unknown)[] = []
  before(async () => {
    const scope = { after: (end: () => unknown) => ends.push(end) }
    const args = ['--allow-host', 'mcp.example']
    place = (await startMcpHttp(scope, { url, args })).url
  })
  after(async () => {
    for (const end of ends) await end()
  })

  test('two callers at once each see their own tenant, call by call', async (t) => {
    const clients = await Promise.all(tokens.map((token) => connectByHttp(t, place, token)))
    const rounds = Array.from({ length: 15 }, (_, round) => round)
    await Promise.all(
      rounds.flatMap(() =>
        clients.map(async (client, index) => {
          const me = await useTool(client, 'who_am_i')
          assert.equal(me.result.tenant_id, TENANTS[index])
          const listed = await useTool(client, 'list_cases')
          const ids = listed.result.items.map(({ id }: { id: string }) => id)
          assert.deepEqual(ids, [caseIds[index]])
          const foreign = await callTool(client, 'get_case', { case_id: caseIds[1 - index] })
          assert.deepEqual([foreign.isError, foreign.body.error.status], [true, 404])
        }),
      ),
    )
  })

  test('401 without a token and with a wrong one, also where the process has one itself', async (t) => {
    const own = await startMcpHttp(t, { url, ownToken: app.token })
    for (const where of [place, own.url]) {
      const none = await ask(where, {})
      assert.deepEqual(
        [none.status, none.headers['www-authenticate']],
        [401, 'Bearer realm="casework"'],
      )
      assert.equal((await ask(where, { token: `${app.token}x` })).status, 401)
      assert.equal((await ask(where, { headers: { authorization: 'Basic eDp4' } })).status, 401)
    }
  })

  test('404 for a session of somebody else, which stays as it is', async () => {
    const [first = '', second = ''] = tokens
    const opened = await ask(place, { token: first })
    const session = { 'mcp-session-id': opened.headers['mcp-session-id'] ?? '' }
    assert.equal(opened.status, 200)
    for (const method of ['POST', 'GET', 'DELETE']) {
      assert.equal((await ask(place, { token: second, headers: session, method })).status, 404)
      assert.equal((await ask(place, { headers: session, method })).status, 401)
    }
    const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })
    assert.equal((await ask(place, { token: first, headers: session, body: list })).status, 200)
    const closed = await ask(place, { token: first, headers: session, method: 'DELETE' })
    assert.equal(closed.status, 200)
    const gone = await ask(place, { token: first, headers: session, body: list })
    assert.equal(gone.status, 404)
  })

  test('403 for a name and for a page that is not allowed', async () => {
    const [token = ''] = tokens
    assert.equal((await ask(place, { token, headers: { host: 'evil.example' } })).status, 403)
    assert.equal((await ask(place, { token, headers: { host: 'mcp.example:8090' } })).status, 200)
    for (const origin of ['https://evil.example', 'http://localhost', 'null']) {
      assert.equal((await ask(place, { token, headers: { origin } })).status, 403)
    }
  })

  test('400, 404, 405 and 413 for what is no request of the protocol', async () => {
    const [token = ''] = tokens
    assert.equal((await ask(place, { token, body: '{' })).status, 400)
    assert.equal((await ask(place, { token, body: '{}' })).status, 400)
    assert.equal((await ask(place, { token, method: 'GET' })).status, 400)
    assert.equal((await ask(place, { token, method: 'PUT' })).status, 405)
    assert.equal((await ask(place.replace('/mcp', '/other'), { token })).status, 404)
    // Before the token was checked, and behind that.
    assert.equal((await ask(place, { token, body: INITIALIZE.padEnd(40_000) })).status, 413)
    const opened = await ask(place, { token })
    const headers = { 'mcp-session-id': opened.headers['mcp-session-id'] ?? '' }
    const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })
    assert.equal((await ask(place, { token, headers, body: list.padEnd(40_000) })).status, 200)
    assert.equal((await ask(place, { token, headers, body: ' '.repeat(3_000_000) })).status, 413)
  })

  test('a viewer is refused a write, and nobody has one without --allow-writes', async (t) => {
    const started = await startMcpHttp(t, { url, args: ['--allow-writes'] })
    const [token = ''] = tokens
    const [reader, agent] = [
      await connectByHttp(t, started.url, viewer),
      await connectByHttp(t, started.url, token),
    ]
    const comment = { case_id: caseIds[0], text: 'Looked at.' }
    const refused = await callTool(reader, 'comment_on_case', comment)
    assert.deepEqual([refused.isError, refused.body.error.status], [true, 403])
    await useTool(agent, 'comment_on_case', comment)
    const plain = await connectByHttp(t, place, token)
    await assert.rejects(callTool(plain, 'comment_on_case', comment), /--allow-writes/)
  })

  test('a token that is revoked ends what its session can do', async (t) => {
    const token = await app.createToken()
    const client = await connectByHttp(t, place, token)
    const { token_id: id } = (await useTool(client, 'who_am_i')).result
    await app.send('DELETE', `/beta/admin/tokens/${id}`, { token: app.token })
    await app.services.tokens.refresh()
    const refused = await callTool(client, 'list_cases')
    assert.deepEqual([refused.isError, refused.body.error.status], [true, 401])
  })
})

const SETTINGS = {
  host: '127.0.0.1',
  port: 0,
  allowedHosts: [],
  allowedOrigins: [],
  allowWrites: false,
  version: '0',
  onFault: () => undefined,
}

test('sessions are bounded: the oldest of a caller gives way, and beyond the bound it is 503', async (t) => {
  const bounds = { ...SESSION_BOUNDS, sessionsMax: 3, perCallerMax: 2 }
  const server = await serveHttp({ ...SETTINGS, url, bounds })
  t.after(() => server.close())
  const [first = '', second = ''] = tokens
  const open = async (token: string) => {
    const { status, headers } = await ask(server.url, { token })
    return { status, id: headers['mcp-session-id'] ?? '', after: headers['retry-after'] }
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })
  const use = async (token: string, id: string) =>
    (await ask(server.url, { token, body, headers: { 'mcp-session-id': id } })).status
  const opened = [await open(first), await open(first), await open(first)]
  const ids = opened.map(({ id }) => id)
  assert.deepEqual(
    [
      await use(first, ids[0] ?? ''),
      await use(first, ids[1] ?? ''),
      await use(first, ids[2] ?? ''),
    ],
    [404, 200, 200],
  )
  assert.equal((await open(second)).status, 200)
  const refused = await open(viewer)
  assert.deepEqual([refused.status, refused.after], [503, '60'])
})

test('a session with an open stream stays where another of the caller has no request', async (t) => {
  const bounds = { ...SESSION_BOUNDS, perCallerMax: 2 }
  const server = await serveHttp({ ...SETTINGS, url, bounds })
  t.after(() => server.close())
  const [token = ''] = tokens
  const open = async () => (await ask(server.url, { token })).headers['mcp-session-id'] ?? ''
  const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })
  const use = async (id: string) =>
    (await ask(server.url, { token, body, headers: { 'mcp-session-id': id } })).status
  const [busy, idle] = [await open(), await open()]
  const stopping = new AbortController()
  t.after(() => stopping.abort())
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'text/event-stream',
    'mcp-session-id': busy,
  }
  const stream = await fetch(server.url, { headers, signal: stopping.signal })
  assert.equal(stream.status, 200)
  // Used later than the one with the stream.
  assert.equal(await use(idle), 200)
  await open()
  assert.deepEqual([await use(busy), await use(idle)], [200, 404])
})

test('500 for a fault, whose reason is told to the operator and not to the caller', async (t) => {
  const faults: unknown[] = []
  const onFault = (error: unknown): void => void faults.push(error)
  const server = await serveHttp({ ...SETTINGS, url: 'no address', onFault })
  t.after(() => server.close())
  const headers = { authorization: 'Bearer x', 'content-type': 'application/json' }
  const answer = await fetch(server.url, { method: 'POST', headers, body: INITIALIZE })
  assert.equal(answer.status, 500)
  assert.match(await answer.text(), /"The server failed\."/)
  assert.match(String(faults), /no address/)
})

test('502 says that the service does not answer', async (t) => {
  const server = await serveHttp({ ...SETTINGS, url: 'http://127.0.0.1:1' })
  t.after(() => server.close())
  const headers = { authorization: `Bearer ${viewer}`, 'content-type': 'application/json' }
  const answer = await fetch(server.url, { method: 'POST', headers, body: INITIALIZE })
  assert.equal(answer.status, 502)
  assert.match(await answer.text(), /"The service does not answer\."/)
})

test('it ends with 0 on SIGTERM, with 2 for a wrong address, and with 1 for a port in use', async (t) => {
  const started = await startMcpHttp(t, { url })
  const busy = await runCasework(t, ['mcp', '--http', new URL(started.url).port], { url })
  assert.equal(busy.code, 1)
  assert.match(busy.stderr, /--http cannot be used/)
  started.child.kill('SIGTERM')
  assert.deepEqual(await once(started.child, 'exit'), [0, null])
  assert.equal((await runCasework(t, ['mcp', '--http', 'x:y'], { url })).code, 2)
  const nowhere = await runCasework(t, ['mcp', '--http', '0', '--data-dir', 'data'], { url: '' })
  assert.equal(nowhere.code, 2)
})
