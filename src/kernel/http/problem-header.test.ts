// Proves the form of the reason in a header, and that every refusal of the HTTP layer has it. Every
// answer that any test of the program receives is checked for it too (test/answer-rules.ts).

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { exchangeRaw, KIT_TOKEN, openKit } from '../../../test/http-kit.ts'
import { formatProblem } from './problem-header.ts'

const kit = openKit({ limits: { headersMs: 200, checkMs: 50 } })
after(() => kit.close())

const CASES = '/beta/casework/cases'
const caller = { authorization: `Bearer ${KIT_TOKEN}` }

function formatField(path: string): string {
  return formatProblem({ code: 'CODE', fields: [{ path, reason: '' }] }).replace('CODE; field=', '')
}

test('the place is a JSON pointer or a parameter; other characters are percent-encoded', () => {
  assert.equal(formatProblem({ code: 'CODE', fields: [] }), 'CODE')
  assert.equal(formatProblem({ code: 'CODE', fields: [{ path: '', reason: '' }] }), 'CODE')
  for (const [path, field] of [
    ['/items/0/ip', '/items/0/ip'],
    ['Idempotency-Key', 'Idempotency-Key'],
    ['/a~1b/c~0d', '/a~1b/c~0d'],
    ['/a b;c="d",e%20', '/a%20b%3Bc%3D%22d%22%2Ce%2520'],
    ["/(a)*'!", '/%28a%29%2A%27%21'],
    ['/käse/\u{1f600}', '/k%C3%A4se/%F0%9F%98%80'],
    ['/a\r\nset-cookie: b', '/a%0D%0Aset-cookie%3A%20b'],
    ['/\ud800', '/%EF%BF%BD'],
  ] as const) {
    assert.equal(formatField(path), field)
  }
})

test('a long place is replaced by the nearest one around it', () => {
  assert.equal(formatField(`/details/${'x'.repeat(300)}`), '/details')
  assert.equal(formatField(`/a/${'b/'.repeat(200)}c`), `/a${'/b'.repeat(99)}`)
  assert.equal(
    formatProblem({ code: 'CODE', fields: [{ path: 'x'.repeat(300), reason: '' }] }),
    'CODE',
  )
})

test('the reason of a failure without a body stands in a header, with the place', async () => {
  const answer = await kit.send('GET', `${CASES}?limit=0`, { headers: caller })
  assert.deepEqual([answer.status, answer.text], [400, ''])
  assert.equal(answer.headers['casework-problem'], 'KERNEL_REQUEST_NOT_VALID; field=/limit')
})

test('a member of the body that nobody knows is named, however it is spelled', async () => {
  const answer = await kit.send('POST', '/beta/casework/playbooks', {
    headers: { ...caller, 'content-type': 'application/json' },
    payload: JSON.stringify({ name: 'n', 'ärger\n': 1 }),
  })
  assert.equal(answer.status, 400)
  assert.match(String(answer.headers['casework-problem']), /; field=\/%C3%A4rger%0A$/)
})

const RAW: readonly [string, string][] = [
  ['KERNEL_REQUEST_NOT_VALID', 'nonsense\r\n\r\n'],
  ['KERNEL_REQUEST_NOT_VALID', 'GET /beta/tags HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['KERNEL_REQUEST_NOT_VALID', 'GET /% HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'],
  ['KERNEL_ROUTE_NOT_FOUND', 'GET /nothing HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'],
  ['KERNEL_METHOD_NOT_ALLOWED', 'CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n'],
  ['KERNEL_METHOD_NOT_ALLOWED', 'PUT /livez HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'],
  [
    'KERNEL_HEADERS_TOO_LARGE',
    `GET /beta/tags HTTP/1.1\r\nHost: h\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`,
  ],
  ['KERNEL_BODY_TOO_SLOW', 'GET /beta/tags HT'],
  [
    'KERNEL_BODY_TOO_LARGE',
    'POST /beta/quick-check HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n',
  ],
  [
    'KERNEL_CREDENTIAL_NOT_VALID',
    'GET /beta/query/a HTTP/1.1\r\nHost: h\r\nConnection: close\r\nAuthorization: Bearer x\r\n\r\n',
  ],
]

test('the reason stands in a header of every refusal of the HTTP layer', async () => {
  const port = await kit.listen()
  for (const [code, bytes] of RAW) {
    const answer = await exchangeRaw(port, bytes)
    assert.equal(/^casework-problem: (\S+)\r$/im.exec(answer)?.[1], code, bytes.slice(0, 60))
  }
})
