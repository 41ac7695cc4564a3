// Proves the traps of bodies on the real server: coercion, content types, bytes that are no text,
// sizes, bodies that break off.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  assertEnvelope,
  exchangeRaw,
  KIT_TOKEN,
  openKit,
  openSocket,
  splitAnswers,
} from '../../../test/http-kit.ts'

const kit = openKit({ limits: { discardMs: 300 } })
after(() => kit.close())

const authorization = `Bearer ${KIT_TOKEN}`
const JSON_TYPE = 'application/json'

function check(payload: string | Buffer, contentType = JSON_TYPE) {
  return kit.send('POST', '/beta/quick-check', {
    headers: { 'content-type': contentType },
    payload,
  })
}

const NOT_ITEMS: readonly [string, string | Buffer][] = [
  ['values that are no strings', '[1,true,null]'],
  ['a bare string', '"a"'],
  ['an object', '{}'],
  ['null', 'null'],
  ['an empty list', '[]'],
  ['1,001 items', JSON.stringify(Array(1_001).fill('192.0.2.1'))],
  ['nothing', ''],
  ['white space', '  '],
  ['NaN', '[NaN]'],
  ['a trailing comma', '["a",]'],
  ['two values', '["a"]["b"]'],
  ['a number beyond every double', '[1e400]'],
  ['bytes that are not UTF-8', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])],
  ['an overlong encoding', Buffer.from([0x5b, 0x22, 0xc0, 0x80, 0x22, 0x5d])],
  ['a surrogate in UTF-8', Buffer.from([0x5b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x5d])],
  ['UTF-16', Buffer.from('\ufeff["a"]', 'utf16le')],
  ['U+0000 escaped', '["a\\u0000"]'],
  ['a lone surrogate escaped', '["\\ud800"]'],
  ['depth 100,000', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
]

for (const [what, payload] of NOT_ITEMS) {
  test(`400 in the envelope for ${what} where a list of items is asked for`, async () => {
    const answer = await check(payload)
    assert.equal(answer.status, 400)
    assertEnvelope(400, answer.text)
  })
}

test('200 for a body with a byte order mark, bidi marks, zero widths and emoji, kept as they are', async () => {
  const items = ['\u202e\u200b', '😀', 'é']
  const answer = await check(`\uFEFF${JSON.stringify(items)}`)
  assert.equal(answer.status, 200)
  assert.deepEqual(JSON.parse(answer.text).result, items)
})

const DANGEROUS = [
  '{"name":"a","__proto__":{"x":1}}',
  '{"name":"a","\\u005f_proto__":{"x":1}}',
  '{"name":"a","details":{"constructor":{"prototype":{"x":1}}}}',
  '{"name":"a","details":[{"__proto__":null}]}',
  `{"name":"prototype","details":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
]

for (const payload of DANGEROUS) {
  test(`400 for a member that could reach a prototype: ${payload.slice(0, 60)}`, async () => {
    const headers = { authorization, 'content-type': JSON_TYPE }
    const answer = await kit.send('POST', '/beta/casework/playbooks', { headers, payload })
    assert.equal(answer.status, 400)
    assert.equal((Object.prototype as { x?: unknown }).x, undefined)
  })
}

test('200 for honest bodies that speak of prototypes and constructors', async () => {
  const payload = '{"name":"prototype \\u00e9","details":{"constructor":"a","prototype":{}}}'
  const headers = { authorization, 'content-type': JSON_TYPE }
  const answer = await kit.send('POST', '/beta/casework/playbooks', { headers, payload })
  assert.equal(answer.status, 200)
})

// Every spelling is either JSON and fully checked, or refused; none is read and not checked.
const JSON_SPELLINGS = [
  'application/json',
  'Application/JSON',
  'application/json;charset=utf-8',
  'application/json; charset=UTF-8',
  'application/json ; charset="utf-8"',
  'application/json;charset=utf8',
  'application/json; charset=us-ascii',
  'application/json; version=1',
  'application/json;',
  'application/json ',
]
const OTHER_SPELLINGS = [
  '',
  'json',
  'application',
  'application/',
  '/json',
  'text/plain',
  'text/json',
  'application/jsonx',
  'application/json2',
  'xapplication/json',
  'application/x-json',
  'application/json+x',
  'application/vnd.api+json',
  'application/ld+json',
  'application/json-patch+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/xml',
  'application/json, text/plain',
  'text/plain, application/json',
  'application/json\ttext',
  'application/json x',
  'application/json garbage',
  'application /json',
  'application/ json',
  'application\\json',
  'application//json',
  'application/json/',
  '"application/json"',
  'application/json; charset=utf-16',
  'application/json; charset=iso-8859-1',
  'application/json; charset=utf-8; charset=utf-16',
  'application/json; charset',
  'application/json charset=utf-8',
  'application/json; charset="utf-8',
  '*/*',
  'application/*',
]

for (const contentType of JSON_SPELLINGS) {
  test(`the content type "${contentType}" is JSON and fully checked`, async () => {
    assert.equal((await check('["a"]', contentType)).status, 200)
    assert.equal((await check('[1]', contentType)).status, 400)
  })
}

for (const contentType of OTHER_SPELLINGS) {
  test(`415 for the content type "${contentType.replace('\t', '\\t')}" on every route that takes JSON`, async () => {
    const answer = await check('["a"]', contentType)
    assert.equal(answer.status, 415)
    assertEnvelope(415, answer.text)
    for (const path of ['/beta/casework/cases/C-1/trigger-playbook', '/beta/sightings']) {
      const headers = { authorization, 'content-type': contentType }
      const payload = '{"node":"a","path":"b"}'
      assert.equal((await kit.send('POST', path, { headers, payload })).status, 415)
    }
  })
}

for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'GZIP', 'identity, gzip', 'x']) {
  test(`415 that asks for identity for the content encoding "${encoding}", on every route with a body`, async () => {
    for (const [path, contentType] of [
      ['/beta/quick-check', JSON_TYPE],
      ['/beta/sightings', 'application/x-ndjson'],
      ['/beta/casework/reports', 'message/rfc822'],
      ['/beta/casework/playbooks', JSON_TYPE],
    ] as const) {
      const answer = await kit.send('POST', path, {
        headers: { authorization, 'content-type': contentType, 'content-encoding': encoding },
        payload: Buffer.from([0x1f, 0x8b, 8, 0]),
      })
      assert.equal(answer.status, 415, path)
      assert.equal(answer.headers['accept-encoding'], 'identity')
      assert.match(answer.text, /without Content-Encoding/)
      if (path === '/beta/casework/playbooks') {
        assert.equal(JSON.parse(answer.text).code, 'KERNEL_CONTENT_ENCODING_NOT_TAKEN')
      }
    }
  })
}

test('200 for the content encoding identity, which changes nothing', async () => {
  const answer = await kit.send('POST', '/beta/quick-check', {
    headers: { 'content-type': JSON_TYPE, 'content-encoding': 'Identity' },
    payload: '["192.0.2.1"]',
  })
  assert.equal(answer.status, 200)
})

test('415 for a body without a content type', async () => {
  const port = await kit.listen()
  const answer = await exchangeRaw(
    port,
    'POST /beta/quick-check HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 5\r\n\r\n["a"]',
  )
  assert.match(answer, /^HTTP\/1.1 415 /)
})

test('a route that stores bytes takes every media type that can be read', async () => {
  for (const contentType of ['message/rfc822', 'text/csv', 'application/json', 'application/xml']) {
    const headers = { authorization, 'content-type': contentType }
    const payload = Buffer.from([0, 1, 255])
    const answer = await kit.send('POST', '/beta/casework/reports', { headers, payload })
    assert.deepEqual([answer.status, JSON.parse(answer.text)], [201, { bytes: 3 }])
  }
})

// The quick check has two ways: without a query it is answered in front of Fastify.
for (const target of ['/beta/quick-check', '/beta/quick-check?by=fastify']) {
  const HEAD = `POST ${target} HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n`

  test(`413 is seen by a client that sends a large body to its end, and the connection closes (${target})`, async () => {
    const size = 8_000_000
    const bytes = Buffer.concat([
      Buffer.from(`${HEAD}Content-Length: ${size}\r\n\r\n`),
      Buffer.alloc(size, 0x20),
    ])
    const [answer, ...more] = splitAnswers(await exchangeRaw(await kit.listen(), bytes))
    assert.equal(answer?.status, 413)
    assertEnvelope(413, answer.body)
    assert.match(answer.head, /^connection: close$/im)
    assert.equal(more.length, 0)
  })

  test(`413 is seen by a client that sends chunks without end (${target})`, async () => {
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`
    const answer = await exchangeRaw(
      await kit.listen(),
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(20)}`,
    )
    assert.equal(splitAnswers(answer)[0]?.status, 413)
  })

  test(`413 before the body is sent to a client that waits for 100 Continue (${target})`, async () => {
    const answer = await exchangeRaw(
      await kit.listen(),
      `${HEAD}Expect: 100-continue\r\nContent-Length: 999999\r\n\r\n`,
    )
    assert.doesNotMatch(answer, /100 Continue/)
    assert.equal(splitAnswers(answer)[0]?.status, 413)
  })
}

test('401 before the body is read, and the client sees it', async () => {
  const size = 3_000_000
  const answer = await exchangeRaw(
    await kit.listen(),
    `POST /beta/sightings HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n${' '.repeat(size)}`,
  )
  assert.equal(splitAnswers(answer)[0]?.status, 401)
})

test('a refused small body is dropped and the connection lives on', async () => {
  const answer = await exchangeRaw(
    await kit.listen(),
    `POST /beta/sightings HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n["a"]GET /livez HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`,
  )
  assert.deepEqual(
    splitAnswers(answer).map(({ status }) => status),
    [401, 200],
  )
})

test('a client that goes away in the middle of a body leaves the server well', async () => {
  const port = await kit.listen()
  for (const path of ['/beta/quick-check', '/beta/quick-check?by=fastify', '/beta/sightings']) {
    const socket = await openSocket(port)
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: ${authorization}\r\nContent-Type: application/${path.endsWith('s') ? 'x-ndjson' : 'json'}\r\nContent-Length: 50\r\n\r\n["a`,
    )
    await new Promise((resolve) => setImmediate(resolve))
    socket.destroy()
  }
  assert.match(
    await exchangeRaw(port, 'GET /livez HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'),
    /200 OK/,
  )
})

for (const [path, type] of [
  ['/beta/quick-check', 'application/json'],
  ['/beta/quick-check?by=fastify', 'application/json'],
  ['/beta/sightings', 'application/x-ndjson'],
]) {
  test(`408 in the envelope for a body of ${path} that does not arrive`, async () => {
    const answer = await exchangeRaw(
      await kit.listen(),
      `POST ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: ${authorization}\r\nContent-Type: ${type}\r\nContent-Length: 50\r\n\r\n["a`,
    )
    const [refusal] = splitAnswers(answer)
    assert.equal(refusal?.status, 408)
    assertEnvelope(408, refusal.body)
  })
}

test('a streamed body reaches its handler whole, and 413 when it is too large', async () => {
  const headers = { authorization, 'content-type': 'application/x-ndjson' }
  const whole = await kit.send('POST', '/beta/sightings', { headers, payload: 'x'.repeat(90_000) })
  assert.deepEqual(JSON.parse(whole.text), { bytes: 90_000 })
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  const answer = await exchangeRaw(
    await kit.listen(),
    `POST /beta/sightings HTTP/1.1\r\nHost: h\r\nAuthorization: ${authorization}\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(4)}`,
  )
  assert.equal(splitAnswers(answer)[0]?.status, 413)
})
