// Proves over real sockets which requests a raw route takes, and that it refuses, counts and logs
// as every other route does.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  assertEnvelope,
  countRawAnswers,
  exchangeRaw,
  KIT_TOKEN,
  NEW_TOKEN,
  openKit,
  openSocket,
  splitAnswers,
} from '../../../test/http-kit.ts'
import type { RawAnswer } from './raw-route.ts'
import { defineRoute } from './route.ts'

const kit = openKit({ accessLog: 'all' })
after(() => kit.close())
const closed = openKit({ intelAccess: 'token' })
after(() => closed.close())

interface Asked {
  readonly status: number
  readonly head: string
  readonly body: string
  readonly isRaw: boolean
}

/** Sends one request and gives its answer, and whether a raw route gave it. */
async function ask(
  method: string,
  target: string,
  { headers = '', body = '', of = kit } = {},
): Promise<Asked> {
  const before = countRawAnswers()
  const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`
  const answers = splitAnswers(
    await exchangeRaw(
      await of.listen(),
      `${method} ${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${headers}${length}\r\n${body}`,
    ),
  )
  const [answer, ...more] = answers.filter(({ status }) => status !== 100)
  assert(answer !== undefined && more.length === 0)
  return { ...answer, isRaw: countRawAnswers() > before }
}

const JSON_TYPE = 'Content-Type: application/json\r\n'
const ITEMS = { headers: JSON_TYPE, body: '["192.0.2.1","é"]' }

test('a plain look-up and a quick check are answered by their raw routes', async () => {
  const lookUp = await ask('GET', '/beta/query/192.0.2.1')
  assert.deepEqual([lookUp.status, lookUp.isRaw], [200, true])
  assert.equal(lookUp.body, '{"item":"192.0.2.1"}')
  const check = await ask('POST', '/beta/quick-check', ITEMS)
  assert.deepEqual([check.status, check.isRaw], [200, true])
  assert.deepEqual(JSON.parse(Buffer.from(check.body, 'latin1').toString('utf8')).result, [
    '192.0.2.1',
    'é',
  ])
})

for (const [why, method, target, request] of [
  ['an item that is not plain', 'GET', '/beta/query/a%20b', {}],
  ['a query', 'GET', '/beta/query/a?b=c', {}],
  ['an absolute target', 'GET', 'http://other.example/beta/query/a', {}],
  ['a quick check with a query', 'POST', '/beta/quick-check?a=b', ITEMS],
  [
    'a quick check that waits for 100 Continue',
    'POST',
    '/beta/quick-check',
    { ...ITEMS, headers: `${JSON_TYPE}Expect: 100-continue\r\n` },
  ],
] as const) {
  test(`${why} is left to Fastify, with the same answer`, async () => {
    const answer = await ask(method, target, request)
    assert.equal(answer.isRaw, false)
    assert.equal(answer.status, 200)
  })
}

test('HEAD and a wrong method are left to Fastify', async () => {
  const head = await ask('HEAD', '/beta/query/a')
  assert.deepEqual([head.status, head.isRaw], [200, false])
  const wrong = await ask('DELETE', '/beta/query/a')
  assert.deepEqual([wrong.status, wrong.isRaw], [405, false])
  assert.match(wrong.head, /^allow: GET, HEAD$/im)
})

function sortHead(head: string): readonly string[] {
  return head
    .split('\r\n')
    .filter((line) => !line.startsWith('Date:'))
    .toSorted()
}

test('both ways of the quick check give the same answers to faulty bodies', async () => {
  for (const [status, headers, body] of [
    [400, JSON_TYPE, '{}'],
    [400, JSON_TYPE, '["a",]'],
    [400, JSON_TYPE, '[1]'],
    [400, JSON_TYPE, '["a",{"__proto__":1}]'],
    [415, 'Content-Type: text/plain\r\n', '["a"]'],
    [415, '', '["a"]'],
    [415, '', ''],
    [415, `${JSON_TYPE}Content-Encoding: gzip\r\n`, '["a"]'],
    [401, `${JSON_TYPE}Authorization: Bearer wrong\r\n`, '["a"]'],
    [400, `${JSON_TYPE}Authorization: Bearer\r\n`, '["a"]'],
  ] as const) {
    const id = 'X-Request-Id: chosen-by-caller\r\n'
    const request = { headers: `${id}${headers}`, body }
    const raw = await ask('POST', '/beta/quick-check', request)
    const other = await ask('POST', '/beta/quick-check?a=b', request)
    assert.equal(raw.status, status)
    assertEnvelope(status, raw.body)
    assert.deepEqual([raw.body, sortHead(raw.head)], [other.body, sortHead(other.head)])
  }
})

test('a closed look-up asks for a token, and takes one that it does not know yet', async () => {
  const none = await ask('GET', '/beta/query/a', { of: closed })
  assert.deepEqual([none.status, none.isRaw], [401, false])
  for (const token of [KIT_TOKEN, NEW_TOKEN]) {
    const headers = `Authorization: Bearer ${token}\r\n`
    const lookUp = await ask('GET', '/beta/query/a', { headers, of: closed })
    assert.deepEqual([lookUp.status, lookUp.isRaw], [200, true])
    const request = { headers: `${JSON_TYPE}${headers}`, body: '["a"]', of: closed }
    const check = await ask('POST', '/beta/quick-check', request)
    assert.deepEqual([check.status, check.isRaw], [200, true])
  }
})

test('429 in the envelope for an address over its limit', async () => {
  const limited = openKit({ lookupLimit: 2 })
  const statuses = []
  for (let i = 0; i < 3; i += 1) {
    statuses.push((await ask('GET', '/beta/query/a', { of: limited })).status)
  }
  assert.deepEqual(statuses, [200, 200, 429])
  const check = await ask('POST', '/beta/quick-check', { ...ITEMS, of: limited })
  assert.equal(check.status, 429)
  assertEnvelope(429, check.body)
  assert.match(check.head, /^retry-after: \d+$/im)
  await limited.close()
})

test('what was answered is counted and logged under its operation', async () => {
  const id = 'a-look-up-to-find'
  await ask('GET', '/beta/query/a', { headers: `X-Request-Id: ${id}\r\n` })
  const line = kit.logLines.map((one) => JSON.parse(one)).find((one) => one.request_id === id)
  assert.deepEqual(
    [line.operation, line.method, line.path, line.status],
    ['lookUp', 'GET', '/beta/query/a', 200],
  )
  const text = await kit.registry.metrics()
  assert.match(text, /casework_http_requests_total\{operation="lookUp",status="200"\} [1-9]/)
})

test('of raw answers one in a thousand is logged', async () => {
  const sampled = openKit({ accessLog: 'sampled' })
  const request = 'GET /beta/query/a HTTP/1.1\r\nHost: h\r\n'
  const last = `${request}Connection: close\r\n\r\n`
  await exchangeRaw(await sampled.listen(), `${request}\r\n`.repeat(999) + last)
  assert.equal(sampled.logLines.length, 1)
  await sampled.close()
})

function fail(): RawAnswer {
  throw new Error('password=hunter2')
}

test('500 without the cause when a raw route fails, and the cause in the log', async () => {
  const failing = openKit({
    routes: [
      defineRoute({
        method: 'GET',
        path: '/beta/failing',
        group: 'intel',
        access: { kind: 'public' },
        operationId: 'fail',
        summary: 'Fails at once, or later',
        responses: {},
        handle: () => ({ status: 200 }),
        answerRaw: ({ url }) => (url === '/beta/failing' ? fail : async () => fail()),
      }),
    ],
  })
  for (const path of ['/beta/failing', '/beta/failing-later']) {
    const answer = await ask('GET', path, { of: failing })
    assert.equal(answer.status, 500)
    assert.doesNotMatch(assertEnvelope(500, answer.body), /hunter2/)
    assert.match(String(failing.logLines.at(-1)), /hunter2/)
  }
  await failing.close()
})

test('a stop closes the connections of clients that look up again and again', async () => {
  const stopping = openKit()
  const socket = await openSocket(await stopping.listen())
  const ended = new Promise((resolve) => socket.once('close', resolve))
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
  socket.write('GET /beta/query/a HTTP/1.1\r\nHost: h\r\n\r\n')
  await new Promise((resolve) => socket.once('data', resolve))
  await stopping.close()
  await ended
  assert.equal(splitAnswers(text).length, 1)
})
