// Proves what happens around the routes: paths, methods, request ids, what is logged and what a
// stop does.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { after, describe, test } from 'node:test'
import {
  assertEnvelope,
  exchangeRaw,
  KIT_TOKEN,
  openKit,
  openSocket,
} from '../../../test/http-kit.ts'
import { createRequestIds } from './http-app.ts'
import { defineRoute, type Reply } from './route.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

const kit = openKit({ accessLog: 'all' })
after(() => kit.close())

test('an item of 253 characters, and one percent-encoded throughout, reach the handler', async () => {
  const domain = `${'a'.repeat(61)}.`.repeat(4).slice(0, 253)
  const encoded = domain.replaceAll(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`)
  for (const item of [domain, encoded]) {
    const answer = await kit.send('GET', `/beta/query/${item}`)
    assert.deepEqual([answer.status, JSON.parse(answer.text)], [200, { item: domain }])
  }
})

const REACHING: readonly [string, string][] = [
  ['/beta/query/a%2fb', 'a/b'],
  ['/beta/query/%5c', '\\'],
  ['/beta/query/..', '..'],
  ['/beta/query/%2e%2e', '..'],
  ['/beta/query/a;b=c', 'a;b=c'],
  ['/beta/query/%252f', '%2f'],
  ['/beta/query/a%20b', 'a b'],
  ['/beta/query/a+b', 'a+b'],
  ['/beta/query/2001:db8::1', '2001:db8::1'],
  ['/beta/query/%C3%A9', 'é'],
  ['/beta/query/a?b=c&d', 'a'],
  ['/beta/%71uery/a', 'a'],
  ['/beta/query/constructor', 'constructor'],
  ['/beta/query/__proto__', '__proto__'],
  // An empty value is a value: the handler says what is wrong with it.
  ['/beta/query/', ''],
]

for (const [path, item] of REACHING) {
  test(`${path} reaches the handler as ${item}, also as an absolute target`, async () => {
    for (const target of [path, `http://other.example${path}`]) {
      const answer = await exchangeRaw(
        await kit.listen(),
        `GET ${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`,
      )
      assert.match(answer, /^HTTP\/1.1 200 /)
      assert.deepEqual(JSON.parse(answer.slice(answer.indexOf('{'))), {
        item: Buffer.from(item).toString('latin1'),
      })
    }
  })
}

test('a plainly spelled item is answered in front of Fastify, and as Fastify would', async () => {
  const port = await kit.listen()
  const ask = async (target: string, header = 'X-Request-Id: chosen-by-caller') => {
    const request = `GET ${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${header}\r\n\r\n`
    return (await exchangeRaw(port, request)).replace(/^date:.*\r\n/im, '')
  }
  const path = '/beta/query/2001:db8::a-b_c.example'
  assert.match(await ask(path), /^HTTP\/1\.1 200 [^]*x-request-id: chosen-by-caller\r\n/i)
  // A query and an absolute target are left to Fastify.
  assert.equal(await ask(path), await ask(`${path}?a=b`))
  assert.equal(await ask(path), await ask(`http://other.example${path}`))
  assert.match(await ask(path, 'Authorization: Bearer wrong'), /^HTTP\/1\.1 401 /)
  assert.match(await ask(path, 'Authorization: nonsense'), /^HTTP\/1\.1 401 /)
})

test('security headers on every answer: hot, slow, refused, unmatched, and to what is no HTTP', async () => {
  for (const [method, path] of [
    ['GET', '/beta/query/a'],
    ['GET', '/beta/tags'],
    ['GET', '/livez'],
    ['GET', '/beta/casework/cases'],
    ['GET', '/beta/nothing'],
    ['PUT', '/beta/tags'],
    ['GET', '/%'],
  ] as const) {
    const answer = await kit.send(method, path)
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      assert.equal(answer.headers[name], value, `${name} of ${path}`)
    }
  }
  const raw = await exchangeRaw(await kit.listen(), 'nonsense\r\n\r\n')
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
    assert.ok(raw.includes(`\r\n${name}: ${value}\r\n`), name)
  }
})

const REFUSED: readonly [number, string][] = [
  [400, '/beta/query/%'],
  [400, '/beta/query/%f'],
  [400, '/beta/query/%zz'],
  [400, '/beta/query/%ff'],
  [400, '/beta/query/%c0%80'],
  [400, '/beta/query/%ed%a0%80'],
  [400, '/beta/query/%00'],
  [400, '/beta/query/a%00b'],
  [404, '/beta/query'],
  [404, '/beta/query/a/'],
  [404, '/beta/query/a/b'],
  [404, '/beta//query/a'],
  [404, '//beta/query/a'],
  [404, '/beta/query//a'],
  [404, '/beta/tags/'],
  [404, '/BETA/tags'],
  [404, '/beta/Tags'],
  [404, '/beta/tags;v=1'],
  [404, '/beta/./tags'],
  [404, '/beta/x/../tags'],
  [404, '/beta\\tags'],
  [404, '/beta%2ftags'],
  [404, '/beta/tags%20'],
  [404, '/beta/tags%00'],
  [414, `/beta/query/${'a'.repeat(8_000)}`],
  [404, `/beta/${'a'.repeat(8_000)}`],
  [404, `/${'/'.repeat(8_000)}`],
]

for (const [status, path] of REFUSED) {
  test(`${status} in the envelope for ${path.slice(0, 40)}, without a word of the path`, async () => {
    const answer = await exchangeRaw(
      await kit.listen(),
      `GET ${path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`,
    )
    assert.equal(Number(answer.slice(9, 12)), status)
    const sentence = assertEnvelope(status, answer.slice(answer.indexOf('\r\n\r\n') + 4))
    assert(!sentence.includes('aaaa'))
  })
}

test('405 with Allow for a method that the path does not have, in the form of its group', async () => {
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'POST']) {
    const intel = await kit.send(method, '/beta/tags')
    assert.deepEqual([intel.status, intel.headers['allow']], [405, 'GET, HEAD'])
    assertEnvelope(405, intel.text)
    const bodyless = await kit.send(method, '/beta/casework/cases')
    assert.deepEqual([bodyless.status, bodyless.text], [405, ''])
  }
  const problem = await kit.send('GET', '/beta/casework/playbooks')
  assert.equal(problem.headers['content-type'], 'application/problem+json')
  assert.equal(problem.headers['allow'], 'POST')
  assert.equal((await kit.send('PUT', '/beta/%74ags')).status, 405)
})

test('405 for methods that few have heard of', async () => {
  for (const method of ['PROPFIND', 'PURGE', 'QUERY', 'MKCOL', 'LINK', 'SEARCH']) {
    const answer = await exchangeRaw(
      await kit.listen(),
      `${method} /beta/tags HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`,
    )
    assert.match(answer, /^HTTP\/1.1 405 .*allow: GET, HEAD\r\n/s, method)
  }
})

test('no header or parameter changes the method', async () => {
  const headers = {
    'x-http-method-override': 'DELETE',
    'x-http-method': 'DELETE',
    'x-method-override': 'DELETE',
  }
  assert.equal((await kit.send('GET', '/beta/tags?_method=DELETE', { headers })).status, 200)
  assert.equal((await kit.send('POST', '/beta/tags', { headers })).status, 405)
})

test('HEAD gives the headers of GET and no body, also on failure', async () => {
  for (const path of ['/beta/query/a', '/beta/query/%', '/beta/nothing']) {
    const get = await kit.send('GET', path)
    const head = await kit.send('HEAD', path)
    assert.equal(head.status, get.status)
    assert.equal(head.headers['content-length'], get.headers['content-length'])
    assert.equal(head.headers['content-type'], get.headers['content-type'])
    assert.equal(head.text, '')
  }
})

test('an answer without body says so: 202 with length 0, 204 without a length', async () => {
  const headers = { authorization: `Bearer ${KIT_TOKEN}`, 'content-type': 'application/json' }
  const accepted = await kit.send('POST', '/beta/casework/cases/C-1/trigger-playbook', {
    headers,
    payload: '{"node":"a","path":"b"}',
  })
  assert.deepEqual(
    [accepted.status, accepted.text, accepted.headers['content-length']],
    [202, '', '0'],
  )
  assert.equal(accepted.headers['content-type'], undefined)
  const gone = await kit.send('DELETE', '/beta/admin/tokens/t', {
    headers: { authorization: `Bearer ${KIT_TOKEN}` },
  })
  assert.deepEqual([gone.status, gone.text, gone.headers['content-length']], [204, '', undefined])
})

test('no cache keeps answers of the case and administration groups', async () => {
  const headers = { authorization: `Bearer ${KIT_TOKEN}` }
  for (const path of ['/beta/casework/cases', '/beta/whoami']) {
    assert.equal((await kit.send('GET', path, { headers })).headers['cache-control'], 'no-store')
  }
})

test('a request id of safe characters is kept and reaches handler and log, any other is replaced', async () => {
  const kept = 'trace-01.A_b'
  const answer = await kit.send('GET', '/beta/tags', { headers: { 'x-request-id': kept } })
  assert.equal(answer.headers['x-request-id'], kept)
  assert.equal(JSON.parse(answer.text).requestId, kept)
  assert(kit.logLines.some((line) => JSON.parse(line).request_id === kept))
  for (const given of [
    'short',
    'a'.repeat(129),
    'with space',
    'a,b,c,d,e',
    '<script>',
    'é'.repeat(9),
    '',
  ]) {
    const replaced = await kit.send('GET', '/livez', { headers: { 'x-request-id': given } })
    assert.match(String(replaced.headers['x-request-id']), /^request-\d+$/)
  }
})

test('the log line of a request holds its path without the query, and no credential', async () => {
  await kit.send('GET', `/beta/casework/cases?limit=5&x=${KIT_TOKEN}`, {
    headers: { authorization: `Bearer ${KIT_TOKEN}` },
  })
  const line = JSON.parse(kit.logLines.at(-1) ?? '')
  assert.deepEqual(
    [line.operation, line.method, line.path, line.status],
    ['listCases', 'GET', '/beta/casework/cases', 400],
  )
  assert(!kit.logLines.some((one) => one.includes(KIT_TOKEN)))
})

test('of the hot routes one request in a thousand is logged, of the others each', async () => {
  const sampled = openKit({ accessLog: 'sampled' })
  for (let i = 0; i < 1_000; i += 1) await sampled.send('GET', '/livez')
  assert.equal(sampled.logLines.length, 1)
  await sampled.send('GET', '/beta/nothing')
  assert.equal(sampled.logLines.length, 2)
  await sampled.close()
})

test('requests are counted by operation and status, those without a route too', async () => {
  await kit.send('GET', '/livez')
  await kit.send('GET', '/beta/nothing')
  const text = await kit.registry.metrics()
  assert.match(text, /casework_http_requests_total\{operation="getLivez",status="200"\} [1-9]/)
  assert.match(text, /casework_http_requests_total\{operation="none",status="404"\} [1-9]/)
})

describe('a stop', () => {
  test('answers the request that came in before it, then closes its connection and the idle one', async () => {
    const finish = Promise.withResolvers<Reply>()
    const { stopping, port, isStarted } = await openOneRoute(() => finish.promise)
    const idle = await openSocket(port)
    const idleClosed = new Promise((resolve) => idle.once('close', resolve))
    idle.resume()
    const answer = exchangeRaw(port, 'GET /slow HTTP/1.1\r\nHost: h\r\n\r\n')
    await isStarted
    const closed = stopping.close()
    await idleClosed
    finish.resolve({ status: 200, text: 'done' })
    assert.match(await answer, /^HTTP\/1.1 200 OK.*\r\nconnection: close\r\n.*done$/is)
    await closed
  })

  test('closes the connection of an answer that had begun, after its end', async () => {
    const stream = new PassThrough()
    const { stopping, port } = await openOneRoute(async () => ({ status: 200, stream }))
    const socket = await openSocket(port)
    const isClosed = new Promise((resolve) => socket.once('close', resolve))
    socket.write('GET /slow HTTP/1.1\r\nHost: h\r\n\r\n')
    stream.write('begun')
    const [head] = await once(socket, 'data')
    assert.match(String(head), /^HTTP\/1.1 200 OK.*\r\nconnection: keep-alive\r\n/is)
    socket.resume()
    const closed = stopping.close()
    stream.end()
    await isClosed
    await closed
  })
})

test('a client that leaves before a stream has begun is in the log as no fault', async () => {
  const stream = new PassThrough()
  const left = Promise.withResolvers<null>()
  const { stopping, port, isStarted } = await openOneRoute(async () => {
    await left.promise
    return { status: 200, stream }
  })
  const socket = await openSocket(port)
  socket.write('GET /slow HTTP/1.1\r\nHost: h\r\n\r\n')
  await isStarted
  socket.destroy()
  const count = (): Promise<number> =>
    new Promise((resolve) => stopping.app.server.getConnections((_, open) => resolve(open)))
  while ((await count()) > 0) await new Promise(setImmediate)
  const isClosed = new Promise((resolve) => stream.once('close', resolve))
  left.resolve(null)
  await isClosed
  await stopping.close()
  assert.deepEqual(
    stopping.logLines.filter((line) => /PREMATURE|"level":(?:50|"error")/.test(line)),
    [],
  )
})

/** `isStarted` resolves with the first request for `/slow`. */
async function openOneRoute(answer: () => Promise<Reply>) {
  const started = Promise.withResolvers<null>()
  const stopping = openKit({
    routes: [
      defineRoute({
        method: 'GET',
        path: '/slow',
        group: 'system',
        access: { kind: 'public' },
        operationId: 'slow',
        summary: 'Answers when told to',
        responses: {},
        handle() {
          started.resolve(null)
          return answer()
        },
      }),
    ],
  })
  return { stopping, port: await stopping.listen(), isStarted: started.promise }
}

test('request ids are distinct and of the characters that are kept when a caller sends them', () => {
  const sources = [createRequestIds(), createRequestIds()]
  const ids = sources.flatMap((next) => Array.from({ length: 2_000 }, next))
  assert.equal(new Set(ids).size, 4_000)
  for (const id of ids) assert.match(id, /^[A-Za-z0-9._-]{8,128}$/)
})
