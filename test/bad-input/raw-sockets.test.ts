// Bytes over real connections to the whole program: one request is one answer, in the form of its
// group, and never a word of the framework.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { withApp } from '../harness.ts'
import { exchangeRaw, type SplitAnswer, splitAnswers } from '../http-kit.ts'
import { openWire, PATIENT, type Wire } from './input-kit.ts'

let wire: Wire
const app = withApp({ environment: PATIENT }, async (opened) => {
  wire = await openWire(opened)
})
after(() => wire.close())

const HOST = 'Host: h\r\n'
const CLOSE = 'Connection: close\r\n'
const JSON_TYPE = 'Content-Type: application/json\r\n'

/** One path of each group, and paths that no route has. */
const PATHS = [
  '/beta/tags',
  '/beta/query/192.0.2.1',
  '/beta/casework/cases',
  '/beta/casework/playbooks',
  '/beta/admin/tenants',
  '/beta/whoami',
  '/livez',
  '/beta/nothing',
  '/',
]

interface RawCase {
  readonly what: string
  /** What is sent to a path; the answer to it is awaited until the connection ends. */
  readonly bytes: (path: string) => string
  readonly answers?: number
  readonly isRefused?: true
}

const plain = (method: string, path: string, headers = ''): string =>
  `${method} ${path} HTTP/1.1\r\n${HOST}${CLOSE}${headers}\r\n`

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'PURGE',
  'LINK',
  'SEARCH',
  'LOCK',
  'REPORT',
  'M-SEARCH',
  'QUERY',
  'MKCOL',
  'COPY',
  'MOVE',
  'REBIND',
]
const BAD_METHODS = ['get', 'FETCH', 'GE T', 'GET\t', '', 'G\0T', 'Ge\u00E9', 'GETT', 'CONNECT-X']

const REFUSED_HEADERS: readonly [string, string][] = [
  ['two lengths', 'Content-Length: 1\r\nContent-Length: 2\r\n'],
  ['two lengths in one', 'Content-Length: 1, 2\r\n'],
  ['a length and chunks', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n'],
  ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 3\r\n'],
  ['a negative length', 'Content-Length: -1\r\n'],
  ['a length with a sign', 'Content-Length: +1\r\n'],
  ['a length in hexadecimal', 'Content-Length: 0x1\r\n'],
  ['a length that is no number', 'Content-Length: one\r\n'],
  ['a length of 30 digits', `Content-Length: ${'9'.repeat(30)}\r\n`],
  ['an empty length', 'Content-Length: \r\n'],
  ['a coding that is not chunked', 'Transfer-Encoding: xchunked\r\n'],
  ['chunked that is not the last', 'Transfer-Encoding: chunked, identity\r\n'],
  ['two codings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n'],
  ['a vertical tab before chunked', 'Transfer-Encoding:\u000Bchunked\r\n'],
  ['a space before the colon', 'Content-Length : 1\r\n'],
  ['a second Host', 'Host: other.example\r\n'],
  ['a folded length', 'Content-Length: 1\r\n 1\r\n'],
  ['no colon', 'nothing\r\n'],
  ['no name', ': x\r\n'],
  ['NUL in a name', 'a\0: x\r\n'],
  ['NUL in a value', 'a: x\0y\r\n'],
  ['a bare line feed in a name', 'a\nb: x\r\n'],
  ['a bare carriage return', 'a: x\ry\r\n'],
  ['a name in brackets', '(a): x\r\n'],
  ['a space in a name', 'a b: x\r\n'],
  ['a header of 16 KiB', `a: ${'x'.repeat(16_384)}\r\n`],
  ['a header of 64 KiB', `a: ${'x'.repeat(65_536)}\r\n`],
  ['a name of 64 KiB', `${'x'.repeat(65_536)}: a\r\n`],
  ['2,000 headers', 'abcd: efgh\r\n'.repeat(2_000)],
]

const HARMLESS_HEADERS: readonly [string, string][] = [
  ['the method in X-HTTP-Method-Override', 'X-HTTP-Method-Override: DELETE\r\n'],
  ['the method in X-Method-Override', 'X-Method-Override: PUT\r\n'],
  ['another target in X-Original-URL', 'X-Original-URL: /beta/admin/tokens\r\n'],
  ['another target in X-Rewrite-URL', 'X-Rewrite-URL: /beta/admin/tokens\r\n'],
  ['another host in X-Forwarded-Host', 'X-Forwarded-Host: evil.example\r\n'],
  [
    'another client in X-Forwarded-For',
    'X-Forwarded-For: 127.0.0.1, ::1\r\nForwarded: for=::1\r\n',
  ],
  ['an unknown expectation', 'Expect: 200-maybe\r\n'],
  ['100-continue without a body', 'Expect: 100-continue\r\n'],
  ['an upgrade', 'Upgrade: websocket\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13\r\n'],
  ['an upgrade to HTTP/2', 'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n'],
  ['a header of 8 KiB', `a: ${'x'.repeat(8_000)}\r\n`],
  ['500 headers', 'ab: ef\r\n'.repeat(500)],
  ['an empty value', 'a:\r\n'],
  ['bytes above ASCII', 'a: \u00E9\u00FF\r\n'],
  ['a range', 'Range: bytes=0-0, 5-2, -1\r\n'],
  ['a condition', 'If-Match: *\r\nIf-Modified-Since: x\r\n'],
  ['TE and trailers', 'TE: trailers, chunked;q=0\r\nTrailer: Content-Length\r\n'],
  ['many media types', `Accept: ${'a/b;q=0.1,'.repeat(300)}\r\n`],
  ['cookies that are none', 'Cookie: =; a=b; __Host-; =;=\r\nCookie: \r\n'],
  ['a request id of markup', 'X-Request-Id: <script>alert(1)</script>\r\n'],
  ['a traceparent that is none', 'Traceparent: 00-x-y-zz\r\n'],
]

const VERSIONS = [
  'HTTP/0.9',
  'HTTP/1.2',
  'HTTP/2.0',
  'HTTP/3.0',
  'HTTP/9.9',
  'http/1.1',
  'HTTP/1.1x',
]

const CASES: readonly RawCase[] = [
  ...METHODS.map((method) => ({
    what: `the method ${method}`,
    bytes: (path: string) => plain(method, path),
  })),
  ...BAD_METHODS.map((method) => ({
    what: `the method ${JSON.stringify(method)}`,
    bytes: (path: string) => plain(method, path),
    isRefused: true as const,
  })),
  ...REFUSED_HEADERS.map(([what, headers]) => ({
    what,
    bytes: (path: string) => `${plain('GET', path, headers)}x=1`,
    isRefused: true as const,
  })),
  ...HARMLESS_HEADERS.map(([what, headers]) => ({
    what,
    bytes: (path: string) => plain('GET', path, headers),
  })),
  ...VERSIONS.map((version) => ({
    what: `the version ${version}`,
    bytes: (path: string) => `GET ${path} ${version}\r\n${HOST}${CLOSE}\r\n`,
    isRefused: true as const,
  })),
  {
    what: 'an absolute target',
    bytes: (path) => plain('GET', `http://other.example${path}`),
  },
  { what: 'an absolute target of https', bytes: (path) => plain('GET', `https://h${path}`) },
  {
    what: 'bare line feeds',
    bytes: (path) => `GET ${path} HTTP/1.1\nHost: h\nConnection: close\n\n`,
    isRefused: true,
  },
  {
    what: 'a folded header',
    bytes: (path) => plain('GET', path, 'a: b\r\n c\r\n'),
  },
  { what: 'no Host', bytes: (path) => `GET ${path} HTTP/1.1\r\n${CLOSE}\r\n`, isRefused: true },
  {
    what: 'empty lines first',
    bytes: (path) => `\r\n\r\n${plain('GET', path)}`,
  },
  {
    what: 'two spaces in the request line',
    // RFC 9112 section 3 lets a server split the line at any blanks.
    bytes: (path) => `GET  ${path}  HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
  },
  { what: 'a fragment', bytes: (path) => plain('GET', `${path}#a`) },
  {
    what: 'a body with GET',
    bytes: (path) => `${plain('GET', path, `Content-Length: 2\r\n${JSON_TYPE}`)}{}`,
  },
  {
    what: 'a request in the body of a refused one',
    bytes: (path) => {
      const inner = `GET ${path} HTTP/1.1\r\n${HOST}\r\n`
      return `${plain('POST', path, `Content-Length: ${inner.length}\r\n${JSON_TYPE}`)}${inner}`
    },
  },
  {
    what: 'a request after the last chunk',
    bytes: (path) =>
      `${plain('POST', path, `Transfer-Encoding: chunked\r\n${JSON_TYPE}`)}2\r\n{}\r\n0\r\n\r\nGET ${path} HTTP/1.1\r\n${HOST}\r\n`,
  },
  {
    what: 'a chunk size that is broken',
    bytes: (path) =>
      `${plain('POST', path, `Transfer-Encoding: chunked\r\n${JSON_TYPE}`)}xyz\r\n{}\r\n0\r\n\r\n`,
  },
  {
    what: 'a chunk with an extension and a trailer',
    bytes: (path) =>
      `${plain('POST', path, `Transfer-Encoding: chunked\r\n${JSON_TYPE}`)}2;a=b\r\n{}\r\n0\r\nContent-Length: 9\r\n\r\n`,
  },
  {
    what: 'three requests in one packet',
    bytes: (path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\n`.repeat(2) + plain('GET', path),
    answers: 3,
  },
  {
    what: 'a small body that is refused, and a request after it',
    bytes: (path) =>
      `PUT ${path}/x/y HTTP/1.1\r\n${HOST}Content-Length: 2\r\n${JSON_TYPE}\r\n{}${plain('GET', path)}`,
    answers: 2,
  },
]

const FRAMEWORK =
  /fastify|FST_ERR|"error":"(?:Bad Request|Not Found)"|node_modules|at .*\.(?:ts|js):/i

/** What is wrong with the form of one answer; null for nothing. */
function findFormFault({ status, head, body }: SplitAnswer): string | null {
  if (status >= 500) return `is ${status}`
  if (FRAMEWORK.test(head) || FRAMEWORK.test(body)) return `has words of the framework: ${body}`
  if (!/^x-request-id: \S+$/im.test(head)) return 'has no request id'
  if (status < 400) return null
  if (!/^casework-problem: [A-Z]/im.test(head)) return 'says no reason'
  if (body === '') return null
  const { statusCode, errors, code, status: repeated } = JSON.parse(body)
  const isEnvelope = statusCode === status && typeof errors?.$ === 'string'
  const isProblem = repeated === status && typeof code === 'string'
  return isEnvelope || isProblem ? null : `has another form: ${body}`
}

/** The answers of one exchange, without what says to go on. */
async function exchange(bytes: string): Promise<readonly SplitAnswer[]> {
  const text = await exchangeRaw(wire.port, Buffer.from(bytes, 'latin1'))
  const rest = text.replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, '')
  // An answer to HEAD tells the length of a body that does not come.
  const isHead = /^(?:\r\n)*HEAD /.test(bytes)
  return splitAnswers(isHead ? rest.replaceAll(/^content-length: .*\r\n/gim, '') : rest)
}

test('one answer to each request in its form, for 60 and more odd requests over nine paths', async () => {
  assert.ok(CASES.length >= 60)
  const wrong: string[] = []
  for (const { what, bytes, answers: expected = 1, isRefused } of CASES) {
    const checks = PATHS.map(async (path) => {
      const answers = await exchange(bytes(path))
      const faults = answers.map(findFormFault).filter((fault) => fault !== null)
      if (answers.length !== expected) faults.push(`${answers.length} answers`)
      const isRight = isRefused !== true || (answers[0]?.status ?? 0) >= 400
      if (!isRight) faults.push(`was answered ${answers[0]?.status}`)
      for (const fault of faults) wrong.push(`${what} at ${path}: ${fault}`)
    })
    await Promise.all(checks)
  }
  assert.deepEqual(wrong, [])
})

const ODD_TAILS = [
  '%',
  '%f',
  '%zz',
  '%ff',
  '%c0%80',
  '%ed%a0%80',
  '%00',
  'a%00',
  '%2f',
  '%5c',
  '%2e%2e',
  '..',
  '.',
  './',
  '../',
  '..;/',
  ';',
  ';a=b',
  'a;b',
  '//',
  '/',
  'a/',
  '//a',
  '\\',
  '\\..\\',
  '%252f',
  '%25',
  '%u0000',
  '%0d%0aX:%201',
  '%09',
  '%20',
  '+',
  '~',
  '*',
  '!',
  "'",
  '(',
  '$',
  '@',
  ':',
  '&',
  '=',
  ',',
  '|',
  '^',
  '`',
  '{',
  '}',
  '[',
  ']',
  '<',
  '>',
  '"',
  '%E2%80%AE',
  '%F0%9F%98%80',
  'constructor',
  '__proto__',
  'toString',
  'a'.repeat(8e3),
  '%61'.repeat(2700),
  '/'.repeat(8e3),
  'a/'.repeat(4e3),
  '..%2f'.repeat(1e3),
  '?',
  '??',
  '?a',
  '?=',
  '?&&',
  '?a=%',
  '?a=%ff',
  '?%00=1',
  '?a=1&a=2',
  '?a[]=1',
  '?__proto__=1',
  `?a=${'b'.repeat(8e3)}`,
  `?${'a=1&'.repeat(2e3)}`,
]
const BASES = [
  '/beta/query/',
  '/beta/tags/',
  '/beta/casework/cases/',
  '/beta/casework/customers/',
  '/beta/admin/tenants/',
  '/beta/',
  '/docs/',
  '/',
]

test('an answer of our own form for every odd path under every group, also with a token', async () => {
  const wrong: string[] = []
  let count = 0
  for (const base of BASES) {
    for (const header of ['', `Authorization: Bearer ${app.token}\r\n`]) {
      const checks = ODD_TAILS.map(async (tail) => {
        const answers = await exchange(plain('GET', `${base}${tail}`, header))
        count += 1
        const place = `${base}${tail.slice(0, 40)}`
        if (answers.length !== 1) wrong.push(`${place}: ${answers.length} answers`)
        for (const answer of answers) {
          const fault = findFormFault(answer)
          if (fault !== null) wrong.push(`${place}: ${fault}`)
        }
      })
      await Promise.all(checks)
    }
  }
  assert.deepEqual(wrong, [])
  assert.ok(count > 1_000, `only ${count} paths were asked for`)
})
