// Proves over real sockets that bytes which are no proper request get one answer of our own form,
// and that connections end.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  assertEnvelope,
  exchangeRaw,
  KIT_TOKEN,
  openKit,
  splitAnswers,
} from '../../../test/http-kit.ts'

const kit = openKit({
  limits: { headersMs: 200, checkMs: 50, keepAliveMs: 300, discardMs: 200 },
})
after(() => kit.close())

const HOST = 'Host: h\r\n'
const POST = `POST /beta/quick-check HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`

const BROKEN: readonly [string, number, string | Buffer][] = [
  ['a TLS hello', 400, Buffer.from([0x16, 0x03, 0x01, 0x00, 0xa5, 0x01, 0x00, 0x0d, 0x0a])],
  ['a line of text', 400, 'hello there\r\n\r\n'],
  ['HTTP/2 without TLS', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['an unknown version', 400, `GET / HTTP/9.9\r\n${HOST}\r\n`],
  ['a method in lower case', 400, `get / HTTP/1.1\r\n${HOST}\r\n`],
  ['an unknown method', 400, `FETCH / HTTP/1.1\r\n${HOST}\r\n`],
  ['a space in the target', 400, `GET /beta/a b HTTP/1.1\r\n${HOST}\r\n`],
  ['NUL in the target', 400, `GET /beta/\0 HTTP/1.1\r\n${HOST}\r\n`],
  ['bare line feeds', 400, 'GET /livez HTTP/1.1\nHost: h\n\n'],
  ['a folded length', 400, `GET /livez HTTP/1.1\r\n${HOST}Content-Length: 5\r\n 6\r\n\r\n`],
  ['a space before the colon', 400, `GET /livez HTTP/1.1\r\n${HOST}X : a\r\n\r\n`],
  ['a header without a colon', 400, `GET /livez HTTP/1.1\r\n${HOST}nothing\r\n\r\n`],
  ['NUL in a header', 400, `GET /livez HTTP/1.1\r\n${HOST}X: \0\r\n\r\n`],
  ['no Host', 400, 'GET /beta/tags HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['two lengths', 400, `${POST}Content-Length: 5\r\nContent-Length: 6\r\n\r\n["a"]x`],
  [
    'a length and chunks',
    400,
    `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n["a"]\r\n0\r\n\r\n`,
  ],
  ['a negative length', 400, `${POST}Content-Length: -5\r\n\r\n`],
  ['a length in hexadecimal', 400, `${POST}Content-Length: 0x5\r\n\r\n["a"]`],
  ['a length with a sign', 400, `${POST}Content-Length: +5\r\n\r\n["a"]`],
  ['an unknown coding', 400, `${POST}Transfer-Encoding: gzip\r\n\r\n["a"]`],
  [
    'chunked before another coding',
    400,
    `${POST}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`,
  ],
  ['a broken chunk size', 400, `${POST}Transfer-Encoding: chunked\r\n\r\nZZ\r\n["a"]\r\n0\r\n\r\n`],
  [
    'a chunk that is longer than it says',
    400,
    `${POST}Transfer-Encoding: chunked\r\n\r\n2\r\n["a"]\r\n0\r\n\r\n`,
  ],
  ['a header of 17 KiB', 431, `GET /beta/tags HTTP/1.1\r\n${HOST}X: ${'a'.repeat(17_000)}\r\n\r\n`],
  ['a header of 64 KiB', 431, `GET /beta/tags HTTP/1.1\r\n${HOST}X: ${'a'.repeat(65_536)}\r\n\r\n`],
  ['a target of 64 KiB', 431, `GET /beta/query/${'a'.repeat(65_536)} HTTP/1.1\r\n${HOST}\r\n`],
  ['2,000 headers', 431, `GET /beta/tags HTTP/1.1\r\n${HOST}${'abcd: efgh\r\n'.repeat(2_000)}\r\n`],
]

for (const [what, status, bytes] of BROKEN) {
  test(`${status} in the envelope, once, for ${what}, and the connection closes`, async () => {
    const answers = splitAnswers(await exchangeRaw(await kit.listen(), bytes))
    assert.equal(answers.length, 1)
    const [answer] = answers
    assert.equal(answer?.status, status)
    assertEnvelope(status, answer.body)
    assert.match(answer.head, /^x-request-id: \S+$/im)
    assert.match(answer.head, /^connection: close$/im)
  })
}

test('raw failures of endpoints 1 to 5 have no body', async () => {
  const port = await kit.listen()
  for (const bytes of [
    `GET /beta/casework/cases HTTP/1.1\r\n${HOST}X : a\r\n\r\n`,
    `GET http://h/beta/casework/cases HTTP/1.1\r\n${HOST}X: ${'a'.repeat(17_000)}\r\n\r\n`,
    `POST /beta/casework/cases/C-1/trigger-playbook HTTP/1.1\r\n${HOST}Authorization: Bearer ${KIT_TOKEN}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n`,
  ]) {
    const [answer, ...more] = splitAnswers(await exchangeRaw(port, bytes))
    assert.match(answer?.head ?? '', /^HTTP\/1.1 4\d\d .*content-length: 0/is)
    assert.doesNotMatch(answer?.head ?? '', /^content-type/im)
    assert.equal(more.length, 0)
  }
})

test('405 for CONNECT, and no tunnel', async () => {
  const answer = await exchangeRaw(
    await kit.listen(),
    `CONNECT 192.0.2.1:25 HTTP/1.1\r\n${HOST}\r\nEHLO x\r\n`,
  )
  const [refusal, ...more] = splitAnswers(answer)
  assert.equal(refusal?.status, 405)
  assert.equal(more.length, 0)
})

test('an offer to change the protocol is ignored', async () => {
  const answer = await exchangeRaw(
    await kit.listen(),
    `GET /livez HTTP/1.1\r\n${HOST}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
  )
  assert.match(answer, /^HTTP\/1.1 200 /)
})

test('100 Continue comes before the answer, and an unknown expectation is ignored', async () => {
  const port = await kit.listen()
  const continued = await exchangeRaw(
    port,
    `${POST}Expect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\n["a"]`,
  )
  assert.match(continued, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/)
  const unknown = await exchangeRaw(
    port,
    `GET /livez HTTP/1.1\r\n${HOST}Expect: a miracle\r\nConnection: close\r\n\r\n`,
  )
  assert.match(unknown, /^HTTP\/1.1 200 OK/)
})

test('requests in one packet are answered in their order, one each', async () => {
  const requests = ['a', 'b', '%', 'c'].map(
    (item) => `GET /beta/query/${item} HTTP/1.1\r\n${HOST}\r\n`,
  )
  const last = `GET /beta/tags HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`
  const answers = splitAnswers(await exchangeRaw(await kit.listen(), requests.join('') + last))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 400, 200, 200],
  )
  assert.match(answers[3]?.body ?? '', /"c"/)
})

test('bytes after a whole request never become an answer to it', async () => {
  const answer = await exchangeRaw(
    await kit.listen(),
    `GET /beta/tags HTTP/1.1\r\n${HOST}\r\nrubbish rubbish\r\n\r\n`,
  )
  const [first] = splitAnswers(answer)
  assert.equal(first?.status, 200)
})

const MALFORMED: readonly [string, string][] = [
  ['without Host', ' HTTP/1.1\r\n'],
  ['with two Host headers', ` HTTP/1.1\r\n${HOST}Host: other.example\r\n`],
  ['with the same Host header twice', ` HTTP/1.1\r\n${HOST}${HOST.toUpperCase()}`],
  ['with two Host headers, of HTTP/1.0', ` HTTP/1.0\r\n${HOST}${HOST}`],
  ['of HTTP/2.0', ` HTTP/2.0\r\n${HOST}`],
  ['of HTTP/2.0 without Host', ' HTTP/2.0\r\n'],
  ['of HTTP/0.9', ` HTTP/0.9\r\n${HOST}`],
  ['of HTTP/1.2', ` HTTP/1.2\r\n${HOST}`],
  ['with an unknown coding', ` HTTP/1.1\r\n${HOST}Transfer-Encoding: xchunked\r\n`],
  ['of HTTP/3.0', ` HTTP/3.0\r\n${HOST}`],
]

test('400 on every path for a request that is malformed', async () => {
  const port = await kit.listen()
  for (const [what, rest] of MALFORMED) {
    for (const target of [
      'GET /livez',
      'GET /beta/query/192.0.2.1',
      'GET /beta/tags',
      'GET /beta/nothing',
      'PUT /beta/tags',
      'GET /beta/casework/cases',
      'POST /beta/quick-check',
    ]) {
      const bytes = `${target}${rest}Connection: close\r\n\r\n`
      const [answer] = splitAnswers(await exchangeRaw(port, bytes))
      assert.equal(answer?.status, 400, `${target} ${what}`)
    }
  }
})

test('HTTP/1.0 without Host is answered and closed', async () => {
  assert.match(
    await exchangeRaw(await kit.listen(), 'GET /livez HTTP/1.0\r\n\r\n'),
    /^HTTP\/1.1 200 OK/,
  )
})

test('408 in the envelope for headers that do not arrive, and the connection closes', async () => {
  const [answer] = splitAnswers(await exchangeRaw(await kit.listen(), 'GET /beta/tags HT'))
  assert.equal(answer?.status, 408)
  assertEnvelope(408, answer.body)
})

test('a connection that says nothing is closed, and so is one that falls silent', async () => {
  const port = await kit.listen()
  await exchangeRaw(port, '')
  assert.match(await exchangeRaw(port, `GET /livez HTTP/1.1\r\n${HOST}\r\n`), /^HTTP\/1.1 200 OK/)
})
