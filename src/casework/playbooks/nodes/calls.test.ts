// The nodes that call other systems: their requests, secrets and answers, against a real server on
// loopback.

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { withApp } from '../../../../test/harness.ts'
import {
  type LoopbackServer,
  type SeenRequest,
  startLoopback,
} from '../../../../test/outbound-kit.ts'
import {
  createActivePlaybook,
  createCases,
  type GraphNode,
  query,
  workerDeps,
} from '../../../../test/playbook-fixtures.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { type Log, silentLog } from '../../../kernel/log.ts'
import { createOutbound } from '../../../kernel/outbound/outbound.ts'
import { parsePlaybookGraph } from '../playbook-graph.ts'
import { moveDueTokens, startPlaybookWorker } from '../runs/worker.ts'

const app = withApp()
const SECRET = 'k3y/with "quotes"'

interface Calls {
  readonly server: LoopbackServer
  readonly logged: string[]
  readonly move: () => Promise<void>
  readonly run: (
    kind: string,
    config: (origin: string) => object,
    paths?: object,
  ) => Promise<string>
}

async function openCalls(
  t: TestContext,
  answer: (request: SeenRequest, response: ServerResponse) => unknown,
): Promise<Calls> {
  const server = await startLoopback(t, (...given) => void answer(...given))
  const logged: string[] = []
  const note = (...parts: readonly unknown[]): void => void logged.push(JSON.stringify(parts))
  const log: Log = { debug: note, info: note, warn: note, error: note, child: () => log }
  const outbound = createOutbound({ allow: [server.socket], log })
  t.after(outbound.close)
  const move = () =>
    moveDueTokens({ ...workerDeps(app), log, outbound, allowsPlainHttp: () => true })
  return {
    server,
    logged,
    move,
    async run(kind, config, paths = { success: 'ok', error: 'sorry' }) {
      const playbook = await createActivePlaybook(app, app.token, [
        ...graphOf(kind, config(server.origin), paths),
        ...Object.values(paths).map((id) => ({ id: String(id), kind: 'end' })),
      ])
      const [caseId = ''] = await createCases(app, 'default', playbook, 1)
      await move()
      return caseId
    },
  }
}

function graphOf(kind: string, config: object, paths: object): readonly GraphNode[] {
  return [
    { id: 'begin', kind: 'start', paths: { next: 'call' } },
    { id: 'call', kind, config: { ...config }, paths: { ...paths } },
  ]
}

async function putSecret(name: string, value: string): Promise<void> {
  const path = `/beta/casework/secrets/${name}`
  const answer = await app.send('PUT', path, { token: app.token, json: { value } })
  assert.equal(answer.status, 200, answer.text)
}

async function readVisit(caseId: string) {
  const [visit] = await query<{
    path: string | null
    output: Record<string, unknown>
    key: string
  }>(
    app,
    `select path, output, run_id || ':' || token_id || ':' || visit as key
     from visit where case_id = $1 and node = 'call'`,
    [caseId],
  )
  assert.ok(visit, 'the node was left')
  return visit
}

async function readVars(caseId: string) {
  const [row] = await query<{ vars: Record<string, unknown> }>(
    app,
    'select vars from run_token where case_id = $1',
    [caseId],
  )
  return row?.vars
}

function listProblems(kind: string, config: object): readonly string[] {
  const result = parsePlaybookGraph({ nodes: graphOf(kind, config, {}) })
  return result.kind === 'valid'
    ? []
    : result.problems.map(({ path, reason }) => `${path.replace('/nodes/1/config/', '')} ${reason}`)
}

function sendJson(response: ServerResponse, status: number, value: unknown = {}): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

test('api_caller sends a secret of the tenant, and neither run, attempts, vars nor log have its value', async (t) => {
  await putSecret('ticket-key', SECRET)
  const { run, server, logged } = await openCalls(t, ({ headers }, response) =>
    // As services do that show what they were sent.
    sendJson(response, 200, { headers, text: `you sent ${headers.authorization}` }),
  )
  const headers = { authorization: { secret: 'ticket-key', prefix: 'Bearer ' }, 'x-plain': 'seen' }
  const caseId = await run('api_caller', (url) => ({ method: 'GET', url, headers }))
  assert.equal(server.requests[0]?.headers['authorization'], `Bearer ${SECRET}`)
  assert.equal(server.requests[0]?.headers['x-plain'], 'seen')
  assert.match(JSON.stringify(await readVars(caseId)), /you sent Bearer \[secret\]/)
  const kept = await query(
    app,
    `select run_token.vars, visit.output, run_attempt.detail, playbook_version.graph from run_token
     join visit using (tenant_id, run_id) join run_attempt using (tenant_id, run_id)
     join run on run.tenant_id = run_token.tenant_id and run.id = run_token.run_id
     join playbook_version on playbook_version.tenant_id = run.tenant_id
       and playbook_version.playbook_id = run.playbook_id
     where run_token.case_id = $1`,
    [caseId],
  )
  assert.ok(kept.length > 0)
  for (const text of [JSON.stringify(kept), logged.join('\n')]) assert.doesNotMatch(text, /k3y/)
})

test('api_caller without its secret takes the path error and sends nothing; a plain one is refused in the graph', async (t) => {
  const { run, server } = await openCalls(t, (_, response) => sendJson(response, 200))
  const headers = { authorization: { secret: 'not-there' } }
  const caseId = await run('api_caller', (url) => ({ method: 'GET', url, headers }))
  const { path, output } = await readVisit(caseId)
  assert.deepEqual([path, output], ['error', { failure: 'secret_missing', secret: 'not-there' }])
  assert.equal(server.requests.length, 0)
  const call = { method: 'GET', url: 'https://api.example/' }
  const refusals: readonly (readonly [object, RegExp])[] = [
    [{ headers: { Authorization: 'Bearer abc' } }, /^headers\/Authorization would show a secret/],
    [{ headers: { 'Idempotency-Key': 'a' } }, /^headers\/Idempotency-Key is sent/],
    [{ headers: { 'x y': 'a' } }, /^headers have/],
    [{ headers: { a: { secret: 'No Name' } } }, /^headers/],
    [{ keep: { status: '/a' } }, /^keep\/status /],
    [{ keep: { id: 'a' } }, /^keep\/id must be a JSON pointer/],
  ]
  for (const [more, reason] of refusals) {
    assert.match(listProblems('api_caller', { ...call, ...more }).join(), reason)
  }
})

test('api_caller keeps the members of the answer that it names, and no more than there is room for', async (t) => {
  const { run } = await openCalls(t, ({ path }, response) =>
    sendJson(response, 200, {
      data: [{ 'a/b': 7 }],
      text: 'x'.repeat(path === '/large' ? 20_000 : 10),
      rest: 'y'.repeat(100_000),
    }),
  )
  const keep = { id: '/data/0/a~1b', text: '/text', none: '/data/1/x' }
  const call = (path: string) => (origin: string) => ({ method: 'GET', url: origin + path, keep })
  const caseId = await run('api_caller', call('/'))
  assert.deepEqual((await readVars(caseId))?.['call'], {
    status: 200,
    id: 7,
    text: 'x'.repeat(10),
    none: null,
  })
  const { path, output } = await readVisit(await run('api_caller', call('/large')))
  assert.deepEqual([path, output], ['error', { failure: 'answer_too_large', status: 200 }])
})

function drawMetadataCall(origin: string) {
  return {
    method: 'GET',
    url: origin,
    keep: { id: '/data/id' },
    metadata: { ticket: '/data/id', rank: '/data/rank', none: '/data/none' },
  }
}

/** As much as a case takes, while a call is under way. */
async function fillMetadata(): Promise<void> {
  await query(
    app,
    `update abuse_case set metadata = (
       select jsonb_object_agg(nth, repeat('z', 4000)) from generate_series(1, 8) as nth
     ) where state = 'NEW'`,
  )
}

async function readCase(caseId: string, what = '') {
  const path = `/beta/casework/cases/${caseId}${what}`
  return (await app.send('GET', path, { token: app.token })).json()
}

test('api_caller sets members of the metadata in the transaction of the answer, with one entry of the run', async (t) => {
  let value: unknown = { data: { id: 'T-1', rank: 3 }, text: 'x' }
  let isFilled = false
  const { run } = await openCalls(t, async (_, response) => {
    if (isFilled) await fillMetadata()
    sendJson(response, 200, value)
  })
  const caseId = await run('api_caller', drawMetadataCall)
  assert.deepEqual((await readCase(caseId)).metadata, { ticket: 'T-1', rank: 3 })
  assert.deepEqual((await readVars(caseId))?.['call'], { status: 200, id: 'T-1' })
  const { items } = await readCase(caseId, '/history')
  const [entry, ...others] = items.filter((one: { kind: string }) => one.kind === 'change')
  const { key } = await readVisit(caseId)
  assert.deepEqual([entry.actor_kind, entry.cause_id, others.length], ['run', key, 0])

  value = { data: { id: 'y'.repeat(5_000) } }
  const large = await readVisit(await run('api_caller', drawMetadataCall))
  assert.deepEqual([large.path, large.output['failure']], ['error', 'value_failed'])
  // Each member fits, and all of the case together do not.
  value = { data: { id: 'z'.repeat(4_000) } }
  isFilled = true
  const full = await run('api_caller', drawMetadataCall)
  const { path, output } = await readVisit(full)
  assert.deepEqual([path, output['failure']], ['error', 'metadata_too_large'])
  assert.equal(Object.keys((await readCase(full)).metadata).length, 8)
  const problems = listProblems('api_caller', {
    ...drawMetadataCall('https://api.example'),
    metadata: { a: 'b' },
  })
  assert.match(problems.join(), /^metadata\/a must be a JSON pointer/)
})

test('api_caller fills URL, headers and body with values of the case, none of which leaves its place', async (t) => {
  const { run, server } = await openCalls(t, (_, response) => sendJson(response, 200))
  const caseId = await run('api_caller', (origin) => ({
    method: 'POST',
    url: `${origin}/cases/{{ case.id | append: '/../x' }}?why={{ 'a&b' }}`,
    headers: { 'x-case': '{{ case.id }}' },
    body: {
      text: '{{ case.id }}"},{"a":1',
      list: ['{{ case.state }}'],
      n: { cel: 'case.event_count' },
    },
  }))
  const [request] = server.requests
  assert.equal(request?.path, `/cases/${caseId}%2F..%2Fx?why=a%26b`)
  assert.equal(request?.headers['x-case'], caseId)
  assert.deepEqual(JSON.parse(request?.body ?? ''), {
    text: `${caseId}"},{"a":1`,
    list: ['NEW'],
    n: 1,
  })
  for (const broken of [
    { url: '/x/{{ case.contract_id }}/y', headers: {} },
    { url: '/x', headers: { a: "{{ 'a%0D%0Ab' | url_decode }}" } },
  ]) {
    const failed = await run('api_caller', (origin) => ({
      ...broken,
      method: 'GET',
      url: origin + broken.url,
    }))
    const { path, output } = await readVisit(failed)
    assert.deepEqual([path, output['failure']], ['error', 'value_failed'])
  }
  assert.equal(server.requests.length, 1)
  const call = { method: 'GET', url: 'https://api.example/' }
  assert.match(
    listProblems('api_caller', { ...call, body: { a: ['{{ no.x }}'] } }).join(),
    /^body\/a\/0 /,
  )
  assert.match(
    listProblems('api_caller', { ...call, url: 'https://{{ vars.x }}/' }).join(),
    /^url /,
  )
})

test('a call waits until the date that Retry-After names', async (t) => {
  const { run } = await openCalls(t, (_, response) => {
    const at = new Date(Date.now() + 7_200_000).toUTCString()
    response.writeHead(429, { 'retry-after': at }).end()
  })
  const caseId = await run('api_caller', (url) => ({ method: 'GET', url }))
  const [row] = await query<{ isLate: boolean }>(
    app,
    `select wake_at > now() + interval '110 minutes' as "isLate" from run_token where case_id = $1`,
    [caseId],
  )
  assert.equal(row?.isLate, true)
})

const HOOK = { next: 'ok', error: 'sorry' }

test('webhook sends a signed message about the case with the key of the visit as its id, at every attempt', async (t) => {
  const signing = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
  await putSecret('hook-key', signing)
  let count = 0
  const { run, move, server, logged } = await openCalls(t, (_, response) => {
    count += 1
    response.writeHead(count === 1 ? 503 : 204).end()
  })
  const caseId = await run(
    'webhook',
    (origin) => ({
      url: `${origin}/hook`,
      secret: 'hook-key',
      type: 'case.escalated',
      data: { why: 'late', case: '{{ case.id }}', count: { cel: 'case.event_count' } },
    }),
    HOOK,
  )
  await query(app, 'update run_token set wake_at = now() where case_id = $1', [caseId])
  await move()
  const { path, output, key } = await readVisit(caseId)
  assert.deepEqual([path, output], ['next', { status: 204 }])
  assert.deepEqual(
    server.requests.map(({ headers }) => headers['webhook-id']),
    [key, key],
  )
  for (const { headers, body } of server.requests) {
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
    const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
    const message = new Webhook(signing).verify(body, signed)
    assert.ok(typeof message === 'object' && message !== null && 'data' in message)
    const { data } = JSON.parse(body)
    assert.deepEqual(
      [data.tenant_id, data.case.id, data.run.node, data.values],
      ['default', caseId, 'call', { why: 'late', case: caseId, count: 1 }],
    )
  }
  assert.ok(!logged.join('\n').includes(signing.slice(6)))
})

test('webhook refuses a secret that cannot sign and one that is missing, and sends nothing', async (t) => {
  await putSecret('word', 'password')
  const { run, server } = await openCalls(t, (_, response) => response.end())
  for (const [secret, failure] of [
    ['word', 'secret_cannot_sign'],
    ['none', 'secret_missing'],
  ]) {
    const caseId = await run('webhook', (url) => ({ url, secret }), HOOK)
    const visit = await readVisit(caseId)
    assert.deepEqual([visit.path, visit.output['failure']], ['error', failure])
    assert.doesNotMatch(JSON.stringify(visit), /password/)
  }
  assert.equal(server.requests.length, 0)
  const hook = { url: 'https://hooks.example/', secret: 'hook-key' }
  assert.deepEqual(listProblems('webhook', hook), [])
  assert.match(listProblems('webhook', { url: hook.url }).join(), /^secret /)
  assert.match(listProblems('webhook', { ...hook, url: 'ftp://hooks.example/' }).join(), /^url /)
  assert.match(listProblems('webhook', { ...hook, data: { a: { cel: 'no.' } } }).join(), /^data\/a/)
  const failing = await run('webhook', (url) => ({ url, secret: 'word' }), { next: 'ok' })
  const [row] = await query<{ state: string }>(app, 'select state from run where case_id = $1', [
    failing,
  ])
  assert.equal(row?.state, 'failed')
})

test('at most 64 calls are under way, and some that end make room for the next', async (t) => {
  const open: ServerResponse[] = []
  let seen = 0
  const server = await startLoopback(t, (_request, response) => {
    seen += 1
    open.push(response)
  })
  const outbound = createOutbound({ allow: [server.socket], log: silentLog })
  t.after(outbound.close)
  const playbook = await createActivePlaybook(app, app.token, [
    ...graphOf('api_caller', { method: 'GET', url: server.origin }, { success: 'ok' }),
    { id: 'ok', kind: 'end' },
  ])
  const cases = await createCases(app, 'default', playbook, 90)
  const worker = startPlaybookWorker({ ...workerDeps(app), outbound, allowsPlainHttp: () => true })
  const answer = (count: number) => {
    for (const response of open.splice(0, count)) response.end('{}')
  }
  await waitUntil(async () => seen === 64, '64 calls')
  answer(20)
  // A claim for fewer than 16 is not made while others are under way.
  await waitUntil(async () => seen >= 80, 'further calls')
  assert.ok(open.length <= 64)
  answer(open.length)
  await waitUntil(async () => seen === 90, 'the last calls')
  answer(open.length)
  await waitUntil(async () => {
    const [row] = await query<{ ended: number }>(
      app,
      `select count(*)::integer as ended from run where playbook_id = $1 and state = 'ended'`,
      [playbook],
    )
    return row?.ended === cases.length
  }, 'the end of all runs')
  await worker.stop()
})
