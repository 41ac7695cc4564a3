// The header Idempotency-Key and the ETag of single reads, over all operations.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type TestAnswer, withApp } from '../../test/harness.ts'
import { type Repeat, runSamples } from '../../test/operation-examples.ts'
import { findSample } from '../../test/operation-samples.ts'
import { isTaggedWhole } from '../kernel/http/answer-unchanged.ts'
import type { Route } from '../kernel/http/route.ts'
import { buildRoutes } from './routes.ts'

const app = withApp()

// A repeat of these has no further effect, or is meant to ask anew.
const NEEDS_NO_KEY = new Map([
  ['fetchSource', 'fetches of one source that is fetched are joined'],
  ['signIn', 'whoever signs in gets a new session each time'],
  ['useSecondFactor', 'a sign-in is ended once'],
  ['askForPassword', 'a repeat asks for another mail, and the limits count it'],
  ['redeemLink', 'a link is good once'],
  ['signInByPasskey', 'whoever signs in gets a new session each time'],
])

const isCreating = ({ method, responses }: Route): boolean =>
  method === 'POST' && (responses[201] !== undefined || responses[202] !== undefined)

/** All rows of the tables that a request may write, but for what reads and repeats note. */
async function countRows(): Promise<ReadonlyMap<string, number>> {
  const { pool } = app.services.foundation.database
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'tenant_id' and table_name <> 'kept_answer'
     order by 1`,
  )
  assert.ok(tables.length > 40, `only ${tables.length} tables were seen`)
  const counts = tables.map(
    ({ name }) => `select '${name}' as name, count(*) as count from ${name}`,
  )
  const { rows } = await pool.query<{ name: string; count: number }>(counts.join(' union all '))
  return new Map(rows.map(({ name, count }) => [name, count]))
}

test('the header Idempotency-Key is taken by every POST that creates something', () => {
  const without = buildRoutes(app.services)
    .filter((route) => isCreating(route) && route.idempotency === undefined)
    .map(({ operationId }) => operationId)
  assert.deepEqual(without, [...NEEDS_NO_KEY.keys()])
})

test('over all samples: a repeat under its key gets the first answer and changes nothing, and 304 answers the ETag of a record', async () => {
  const seen = { kept: 0, tagged: 0 }
  await runSamples(app, buildRoutes(app.services), {
    chooseHeaders: ({ idempotency }) =>
      idempotency === undefined ? {} : { 'idempotency-key': randomUUID() },
    look: async ({ route, answer }, repeat) => {
      if (await isKept(route, answer, repeat)) seen.kept += 1
      if (await isTagged(route, answer, repeat)) seen.tagged += 1
    },
  })
  assert.ok(seen.kept > 15, `only ${seen.kept} answers were kept`)
  assert.ok(seen.tagged > 25, `only ${seen.tagged} records were seen`)
})

async function isKept(route: Route, answer: TestAnswer, repeat: Repeat): Promise<boolean> {
  const { idempotency, operationId: name } = route
  if (idempotency !== 'kept' && idempotency !== 'sealed') return false
  const before = await countRows()
  const again = await repeat({})
  assert.equal(again.status, answer.status, name)
  // A request that was refused has used no key.
  if (answer.status >= 300) return false
  assert.deepEqual(readBody(again), readBody(answer), name)
  assert.equal(again.headers['location'], answer.headers['location'], name)
  assert.equal(again.headers['idempotent-replayed'], 'true', name)
  assert.equal(answer.headers['idempotent-replayed'], undefined, name)
  assert.deepEqual(await countRows(), before, name)
  return true
}

const readBody = ({ text }: TestAnswer): unknown => (text === '' ? '' : JSON.parse(text))

async function isTagged(route: Route, answer: TestAnswer, repeat: Repeat): Promise<boolean> {
  const { operationId: name, group, responses } = route
  if (answer.status !== 200 || !/^(?:get|explain)[A-Z]/.test(name)) return false
  if (group === 'system' || responses[200]?.schema === undefined) return false
  assert.match(String(answer.headers['etag']), /^"[^"]+"$/, name)
  if (!isTaggedWhole(route)) return true
  const other = await repeat({ 'if-none-match': '"other", W/"another"' })
  assert.equal(other.status, 200, name)
  const same = await repeat({ 'if-none-match': `W/${String(other.headers['etag'])}` })
  // What tells the time of its answer has a new tag each time.
  if (same.headers['etag'] === other.headers['etag']) {
    assert.deepEqual([same.status, same.text], [304, ''], name)
  }
  return true
}

test('422 for another request under a used key, and 201 for the same key of another operation or token', async () => {
  const key = { 'idempotency-key': 'one' }
  const token = await app.createToken()
  const add = (name: string, options: { token: string }) =>
    app.send('POST', '/beta/casework/customers', {
      ...options,
      headers: { ...key },
      json: { id: name, name },
    })
  assert.equal((await add('kept-a', { token })).status, 201)
  const other = await add('kept-b', { token })
  assert.equal(other.status, 422)
  assert.match(String(other.headers['casework-problem']), /IDEMPOTENCY_KEY_REUSED/)
  assert.equal((await app.send('GET', '/beta/casework/customers/kept-b', { token })).status, 404)
  const another = await app.createToken()
  assert.equal((await add('kept-b', { token: another })).status, 201)
  const view = { name: 'x', list: 'cases', query: { state: 'NEW' } }
  const path = '/beta/casework/views'
  const made = await app.send('POST', path, { token, headers: { ...key }, json: view })
  assert.equal(made.status, 201)
})

test('twenty requests at once under one key are one act with one answer', async () => {
  const token = await app.createToken()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      app.send('POST', '/beta/casework/mute-rules', {
        token,
        headers: { 'idempotency-key': 'at once' },
        json: findSample(buildRoutes(app.services).find(isCreateMuteRule) ?? assert.fail()).json,
      }),
    ),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  assert.equal(new Set(answers.map((answer) => answer.json().id)).size, 1)
})

const isCreateMuteRule = ({ operationId }: Route): boolean => operationId === 'createMuteRule'

test('the answer with a secret is kept sealed', async () => {
  const token = await app.createToken()
  const json = findSample(
    buildRoutes(app.services).find((one) => one.operationId === 'createToken') ?? assert.fail(),
  ).json
  const ask = () =>
    app.send('POST', '/beta/admin/tokens', {
      headers: { 'idempotency-key': 'sealed' },
      json,
      token,
    })
  const [first, again] = [await ask(), await ask()]
  assert.equal(first.status, 201)
  assert.deepEqual(again.json(), first.json())
  const { rows } = await app.services.foundation.database.pool.query<{ kept: string }>(
    'select answer::text as kept from kept_answer where operation = $1 and key = $2',
    ['createToken', 'sealed'],
  )
  assert.match(rows[0]?.kept ?? '', /"sealed"/)
  assert.ok(!rows[0]?.kept.includes(first.json().token), 'the secret is there in clear')
})

test('an act whose answer cannot be kept has not happened', async () => {
  const { pool } = app.services.foundation.database
  await pool.query(`create function refuse_answer() returns trigger language plpgsql as
    'begin if new.answer is not null then raise exception ''no room''; end if; return new; end'`)
  await pool.query(`create trigger answer_is_refused before update on kept_answer
    for each row execute function refuse_answer()`)
  const token = await app.createToken()
  try {
    const answer = await app.send('POST', '/beta/casework/customers', {
      token,
      headers: { 'idempotency-key': 'lost' },
      json: { id: 'kept-lost', name: 'x' },
    })
    assert.equal(answer.status, 500)
  } finally {
    await pool.query('drop trigger answer_is_refused on kept_answer')
  }
  assert.equal((await app.send('GET', '/beta/casework/customers/kept-lost', { token })).status, 404)
})
