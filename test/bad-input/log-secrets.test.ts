// Secrets of every kind are used, in requests that succeed, that are refused and that fail within
// the database. None of them stands in the log, and no control character does.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { buildRoutes } from '../../src/app/routes.ts'
import { withApp } from '../harness.ts'
import { exchangeRaw } from '../http-kit.ts'
import { createRecords, fillPath, findSample, type RecordParams } from '../operation-samples.ts'
import { createPerson, signIn } from '../people-kit.ts'
import { openWire, PATIENT, type Wire } from './input-kit.ts'
import { CANARY, watchLog } from './log-watch.ts'

const watch = watchLog()
let wire: Wire
let own: RecordParams = new Map()
const environment = {
  ...PATIENT,
  CASEWORK_ACCESS_LOG: 'all',
  // Nothing listens there.
  CASEWORK_RELAY_URL: 'smtp://casework@127.0.0.1:1',
  CASEWORK_MAIL_FROM: 'abuse@none.example',
  CASEWORK_RELAY_PASSWORD: `${CANARY}-relay`,
}
const app = withApp({ environment, log: watch.log }, async (opened) => {
  wire = await openWire(opened)
  own = await createRecords(opened, 'default', opened.token)
})
after(() => wire.close())

/** Secrets that answers have shown. */
const made: string[] = []

interface Act {
  readonly kind: string
  readonly method: string
  readonly path: string
  readonly json?: unknown
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

const MAIL = `From: a@example.org\r\nTo: abuse@example.net\r\nSubject: ${CANARY}\r\nMessage-ID: <x@example.org>\r\n\r\nThe body says ${CANARY}.\r\n`

/** Requests that carry a secret, or are answered with one. */
const ACTS: readonly Act[] = [
  { kind: 'token', method: 'GET', path: `/beta/whoami?access_token=${CANARY}` },
  {
    kind: 'token',
    method: 'GET',
    path: '/beta/whoami',
    headers: { authorization: `Bearer cw_api_${CANARY}` },
  },
  { kind: 'token', method: 'GET', path: '/beta/tags', headers: { 'x-api-key': CANARY } },
  {
    kind: 'token',
    method: 'POST',
    path: '/beta/admin/tokens',
    json: { name: 'made', scopes: ['cases:read'] },
  },
  {
    kind: 'password',
    method: 'POST',
    path: '/beta/session',
    json: { email: 'nobody@none.example', password: `${CANARY} password` },
  },
  {
    kind: 'link',
    method: 'POST',
    path: '/beta/session/links',
    json: { link: `${CANARY}-link`, password: `${CANARY} password` },
  },
  {
    kind: 'link',
    method: 'POST',
    path: '/beta/session/links/check',
    json: { link: `https://casework.example/x#${CANARY}` },
  },
  { kind: 'link', method: 'POST', path: '/beta/admin/setup-link' },
  {
    kind: 'link',
    method: 'POST',
    path: '/beta/admin/users',
    json: { email: 'second@none.example', name: 'Second', roles: ['viewer'] },
  },
  {
    kind: 'cookie',
    method: 'GET',
    path: '/beta/session',
    headers: { cookie: `__Host-casework=${CANARY}; casework=${CANARY}` },
  },
  {
    kind: 'webhook secret',
    method: 'POST',
    path: '/beta/webhooks',
    json: { url: `https://user:${CANARY}@hooks.example/x`, types: ['case.opened'] },
  },
  {
    kind: 'webhook secret',
    method: 'POST',
    path: '/beta/webhooks',
    json: { url: `https://hooks.example/${CANARY}`, types: ['case.opened'] },
  },
  {
    kind: 'secret',
    method: 'PUT',
    path: '/beta/casework/secrets/canary',
    json: { value: `${CANARY}-value` },
  },
  {
    kind: 'credential of a resolver',
    method: 'PUT',
    path: '/beta/admin/tenants/default/owner-resolver',
    json: {
      url: 'https://customers.example.net/owners',
      header_name: 'authorization',
      header_value: `${CANARY}-header`,
    },
  },
  {
    kind: 'credential of a source',
    method: 'PUT',
    path: '/beta/sources/mail-blocklist/canary',
    json: {
      description: 'x',
      fetch: { url: `https://user:${CANARY}@lists.example/${CANARY}`, format: 'lines' },
    },
  },
  {
    kind: 'mail',
    method: 'POST',
    path: '/beta/casework/reports',
    body: MAIL,
    headers: { 'content-type': 'message/rfc822' },
  },
  {
    kind: 'mail',
    method: 'POST',
    path: '/beta/casework/reports',
    body: `Content-Type: multipart/mixed; boundary=${CANARY}\r\n\r\n--${CANARY}\r\n\u0000\uFFFD`,
    headers: { 'content-type': 'message/rfc822' },
  },
  {
    kind: 'body',
    method: 'POST',
    path: '/beta/casework/events',
    body: `{"${CANARY}": nothing`,
    headers: { 'content-type': 'application/json' },
  },
]

async function sendActs(): Promise<readonly number[]> {
  const statuses: number[] = []
  for (const { method, path, json, body, headers = {} } of ACTS) {
    const credential = headers['authorization'] === undefined ? { token: app.token } : {}
    const answer = await app.send(method, path, {
      ...credential,
      headers: { 'idempotency-key': `${CANARY}-${statuses.length}`, ...headers },
      ...(json === undefined ? {} : { json }),
      ...(body === undefined ? {} : { body }),
    })
    statuses.push(answer.status)
    noteMade(answer.text)
  }
  return statuses
}

/** The secrets that an answer shows. */
function noteMade(text: string): void {
  for (const [, secret] of text.matchAll(/"(?:token|secret|link|csrf_token)":"([^"]+)"/g)) {
    if (secret !== undefined) made.push(secret)
  }
}

test('no secret of any kind is in the log of what succeeds and what is refused', async () => {
  const statuses = await sendActs()
  assert.ok(statuses.filter((status) => status < 300).length >= 5, statuses.join())
  const person = await createPerson(app, app.token)
  made.push(person.link, person.browser.csrfToken)
  await person.browser.send('GET', '/beta/session')
  await signIn(app, person.email, `${CANARY} password`)
  assert.ok(made.length >= 4, `only ${made.length} secrets were shown`)
  assert.ok(watch.lines().length > 20, `only ${watch.lines().length} lines`)
  watch.assertClean(made)
})

test('control characters of a request are escaped in the log', async () => {
  for (const odd of ['\u001B[31m', '\u009B31m', '\u0085', '%1b%5b31m', '%0d%0aX', '\u00E9']) {
    for (const path of [`/beta/query/${odd}`, `/beta/nothing/${odd}`, `/${odd}`]) {
      const bytes = `GET ${path} HTTP/1.1\r\nHost: ${odd}\r\nX-Request-Id: ${odd}-long-enough\r\nUser-Agent: ${odd}\r\nConnection: close\r\n\r\n`
      await exchangeRaw(wire.port, Buffer.from(bytes, 'latin1'))
    }
  }
  watch.assertClean(made)
})

// The last test of the file, because it takes the tables away.
test('no secret is in the log of what fails within the database, on every route', async () => {
  const { pool } = app.services.foundation.database
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname not in ('api_token', 'api_token_serial', 'tenant')`,
  )
  for (const { name } of rows) await pool.query(`alter table "${name}" rename to "${name}_gone"`)
  const statuses = [...(await sendActs())]
  for (const route of buildRoutes(app.services)) {
    const sample = findSample(route)
    if (route.operationId === 'openStream') continue
    const path = fillPath(route, { ...sample.params, ...own.get(sample.record ?? 'instance') })
    const { status } = await app.send(route.method, path, {
      token: app.token,
      ...(sample.json === undefined ? {} : { json: sample.json }),
    })
    statuses.push(status)
  }
  const failed = statuses.filter((status) => status >= 500).length
  assert.ok(failed > 80, `only ${failed} requests failed`)
  assert.ok(watch.lines().some((line) => line.includes('does not exist')))
  watch.assertClean(made)
})
