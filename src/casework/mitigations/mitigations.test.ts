// Mitigations from the request to the adapter, a real server on loopback, and back.

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { Registry } from 'prom-client'
import { Webhook } from 'standardwebhooks'
import { openTestApp, type TestAnswer, type TestApp } from '../../../test/harness.ts'
import {
  answerWith,
  mitigationDeps,
  openCaseOf,
  putAdapter,
  readMessages,
  SIGNING_SECRET,
  workOnMitigations,
} from '../../../test/mitigation-kit.ts'
import { type LoopbackServer, type SeenRequest, startLoopback } from '../../../test/outbound-kit.ts'
import { query } from '../../../test/query.ts'
import { waitUntil } from '../../../test/wait.ts'
import { silentLog } from '../../kernel/log.ts'
import { ROLE_SCOPES } from '../../vocabulary/scopes.ts'
import { choosePauseMs, choosePollMs } from './mitigation.ts'
import { beginAttempt, claimMitigations } from './mitigation-attempt-store.ts'
import { createMitigationMetrics } from './mitigation-metrics.ts'
import { createMitigationWorker, startMitigations } from './run-mitigations.ts'

const PROBLEM = { accept: 'application/problem+json' }
const PATH = '/beta/casework/mitigations'
const closers: (() => Promise<void>)[] = []
let server: LoopbackServer
let app: TestApp
let token: string
let answer: (request: SeenRequest, response: ServerResponse) => void

before(async () => {
  const cleanup = { after: (close: () => Promise<void>) => void closers.push(close) }
  server = await startLoopback(cleanup, (request, response) => answer(request, response))
  app = await openTestApp({ environment: { CASEWORK_OUTBOUND_ALLOW: server.socket } })
  token = await app.createToken()
  await putAdapter(app, token, 'routers', `${server.origin}/routers`, ['null_route', 'block_port'])
})
after(async () => {
  await app.close()
  for (const close of closers) await close()
})

function send(method: string, path: string, json?: unknown, headers = {}): Promise<TestAnswer> {
  const body = json === undefined ? {} : { json }
  return app.send(method, path, { token, headers: { ...PROBLEM, ...headers }, ...body })
}

let last = 0
/** A case and a mitigation of its address, which no other test has. */
async function ask(more: object = {}, headers: object = {}) {
  last += 1
  const ip = `198.51.100.${last}`
  const caseId = await openCaseOf(app, token, ip)
  const body = { kind: 'null_route', target_type: 'ip', target: ip, adapter: 'routers', ...more }
  const made = await send('POST', `/beta/casework/cases/${caseId}/mitigations`, body, headers)
  assert.equal(made.status, 202, made.text)
  const { id } = made.json()
  return {
    id,
    ip,
    caseId,
    body,
    get: async () => (await send('GET', `${PATH}/${id}`)).json(),
    post: (verb: string, json?: object) => send('POST', `${PATH}/${id}/${verb}`, json),
    makeDue: () =>
      query(
        app.connection,
        `update mitigation set wake_at = now() where id = $1 and wake_at is not null`,
        [id],
      ),
    expire: () =>
      query(app.connection, `update mitigation set expires_at = now() where id = $1`, [id]),
    seen: () => readMessages(server.requests).filter(({ data }) => data['mitigation_id'] === id),
    history: async () => {
      const { items } = (
        await send('GET', `/beta/casework/cases/${caseId}/history?order=asc`)
      ).json()
      const own = items.filter(({ kind }: { kind: string }) => kind === 'mitigation')
      return own.map(({ changes }: { changes: { state: string; failure?: string } }) =>
        changes.failure === undefined ? changes.state : `${changes.state} ${changes.failure}`,
      )
    },
  }
}

const work = (): Promise<void> => workOnMitigations(app)

function outcomesOf({
  attempt_list: list,
}: {
  attempt_list: { action: string; outcome: string }[]
}) {
  return list.map(({ action, outcome }) => `${action} ${outcome}`)
}

describe('a mitigation', () => {
  test('is asked of the adapter, signed and with its key, is in force, and undone by a request', async () => {
    answer = answerWith(200, { reference: 'rtbh-1', detail: 'announced' })
    const one = await ask({
      expires_in: 'P7D',
      parameters: { community: '65535:666' },
      note: 'flood',
    })
    assert.equal((await one.get()).state, 'pending')
    await work()
    const active = await one.get()
    assert.deepEqual(
      [active.state, active.reference, active.detail, active.attempts, outcomesOf(active)],
      ['active', 'rtbh-1', 'announced', 1, ['execute done']],
    )
    const days = (Date.parse(active.expires_at) - Date.parse(active.effective_from)) / 86_400_000
    assert.equal(days, 7)
    const [message] = one.seen()
    assert.equal(message?.type, 'mitigation.execute')
    assert.equal(message.key, active.key)
    const { target, kind, parameters, case_id: caseId, duration_seconds: seconds } = message.data
    assert.deepEqual(
      [target, kind, parameters, caseId, seconds],
      [one.ip, 'null_route', { community: '65535:666' }, one.caseId, 604_800],
    )
    const [request] = server.requests.filter(({ body }) => body.includes(one.id))
    assert.ok(request)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    new Webhook(SIGNING_SECRET).verify(request.body, headers)

    const undone = await one.post('undo')
    assert.deepEqual([undone.status, undone.json().state], [202, 'removing'])
    await work()
    const removed = await one.get()
    assert.deepEqual(
      [removed.state, removed.removal_cause, outcomesOf(removed)],
      ['removed', 'request', ['execute done', 'undo done']],
    )
    const [, undo] = one.seen()
    assert.deepEqual(
      [undo?.type, undo?.key, undo?.data['reference']],
      ['mitigation.undo', `${active.key}:undo`, 'rtbh-1'],
    )
    assert.deepEqual((await one.post('undo')).json().state, 'removed')
    await work()
    assert.equal(one.seen().length, 2)
    assert.deepEqual(await one.history(), ['pending', 'active', 'removing', 'removed'])
  })

  test('of one Idempotency-Key is made once; 422 for the same key with another target', async () => {
    answer = answerWith(200)
    const headers = { 'idempotency-key': 'block-1' }
    const one = await ask({}, headers)
    const path = `/beta/casework/cases/${one.caseId}/mitigations`
    const again = await send('POST', path, one.body, headers)
    assert.deepEqual([again.status, again.json().id], [202, one.id])
    const other = await send('POST', path, { ...one.body, adapter: 'manual' }, headers)
    assert.deepEqual([other.status, other.json().code], [422, 'CASEWORK_IDEMPOTENCY_KEY_REUSED'])
    await work()
    assert.equal(one.seen().length, 1)
  })

  test('that the adapter accepts with 202 waits for its result: asked again, or told by a request', async () => {
    answer = answerWith(202, { reference: 'job-7' }, { 'retry-after': '1' })
    const polled = await ask()
    const told = await ask()
    await work()
    const pending = await polled.get()
    assert.deepEqual([pending.state, outcomesOf(pending)], ['pending', ['execute accepted']])
    assert.ok(Date.parse(pending.next_at) > Date.now())
    const result = await told.post('result', { result: 'done' })
    assert.deepEqual([result.status, result.json().state], [200, 'active'])
    assert.equal((await told.post('result', { result: 'done' })).status, 200)
    const other = await told.post('result', { result: 'refused' })
    assert.deepEqual([other.status, other.json().code], [409, 'CASEWORK_MITIGATION_NOT_POSSIBLE'])
    answer = answerWith(200)
    await polled.makeDue()
    await work()
    assert.equal((await polled.get()).state, 'active')
    const keys = polled.seen().map(({ key }) => key)
    assert.deepEqual([keys.length, new Set(keys).size], [2, 1])
    assert.equal(told.seen().length, 1)
  })

  test('that the adapter refuses has failed with its words, and is asked for again by hand with the same key', async () => {
    answer = answerWith(409, { detail: 'not our network' })
    const one = await ask()
    await work()
    const failed = await one.get()
    assert.deepEqual(
      [failed.state, failed.reason, failed.detail, failed.attempt_list[0].status],
      ['failed', 'refused', 'not our network', 409],
    )
    answer = answerWith(200)
    assert.equal((await one.post('execute')).json().state, 'pending')
    await work()
    assert.equal((await one.get()).state, 'active')
    assert.equal(new Set(one.seen().map(({ key }) => key)).size, 1)
    const again = await one.post('execute')
    assert.deepEqual([again.status, again.json().code], [409, 'CASEWORK_MITIGATION_NOT_POSSIBLE'])
    assert.deepEqual(await one.history(), ['pending', 'failed refused', 'pending', 'active'])
  })

  test('is repeated with the same key after trouble, has failed after the last attempt, and may be undone then', async () => {
    answer = answerWith(503, {}, { 'retry-after': '3600' })
    const one = await ask()
    await work()
    const waiting = await one.get()
    assert.deepEqual([waiting.state, outcomesOf(waiting)], ['pending', ['execute postponed']])
    assert.ok(Date.parse(waiting.next_at) > Date.now() + 3_500_000)
    await query(app.connection, `update mitigation set attempts = 8 where id = $1`, [one.id])
    await one.makeDue()
    await work()
    assert.deepEqual((await one.get()).reason, 'all_attempts_failed')
    answer = answerWith(404)
    assert.equal((await one.post('undo')).json().state, 'removing')
    await work()
    assert.equal((await one.get()).state, 'removed')
    assert.deepEqual(
      one.seen().map(({ type }) => type),
      ['mitigation.execute', 'mitigation.execute', 'mitigation.undo'],
    )
  })

  test('ends by itself when its time is over; one that nobody was asked for is removed at once', async () => {
    answer = answerWith(200)
    const one = await ask({ expires_in: 60 })
    await work()
    await one.expire()
    await work()
    const removed = await one.get()
    assert.deepEqual([removed.state, removed.removal_cause], ['removed', 'expired'])
    const waiting = await ask({
      adapter: 'manual',
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    })
    await waiting.expire()
    await work()
    assert.deepEqual((await waiting.get()).reason, 'never_executed')
    const cancelled = await ask()
    assert.deepEqual((await cancelled.post('undo')).json().state, 'removed')
    await work()
    assert.deepEqual(cancelled.seen(), [])
  })

  test('whose removal is refused is stuck, and undone again or confirmed by a person', async () => {
    answer = answerWith(200)
    const one = await ask()
    await work()
    answer = answerWith(403, { detail: 'locked' })
    await one.post('undo')
    await work()
    const stuck = await one.get()
    assert.deepEqual([stuck.state, stuck.is_stuck, stuck.reason], ['removing', true, 'refused'])
    const listed = await send('GET', `${PATH}?stuck=true`)
    assert.deepEqual(
      listed.json().items.map(({ id }: { id: string }) => id),
      [one.id],
    )
    const metrics = new Registry()
    await createMitigationMetrics(metrics).refresh(app.services.foundation.database.kysely)
    assert.match(await metrics.metrics(), /casework_mitigations\{state="stuck"\} 1/)
    await one.post('undo')
    await work()
    assert.equal((await one.get()).is_stuck, true)
    assert.equal(
      (await one.post('result', { result: 'done', detail: 'by hand' })).json().state,
      'removed',
    )
    assert.equal((await send('GET', `${PATH}?stuck=true`)).json().items.length, 0)
  })

  test('of a target that another one holds too is removed without asking; the last one is undone', async () => {
    answer = answerWith(200)
    const one = await ask()
    const other = await ask({ target: one.ip, allow_other: true })
    await work()
    assert.deepEqual([(await one.get()).state, (await other.get()).state], ['active', 'active'])
    await one.post('undo')
    await work()
    assert.deepEqual(
      [(await one.get()).state, (await one.get()).reason],
      ['removed', 'held_by_other'],
    )
    await other.post('undo')
    await work()
    assert.deepEqual((await other.get()).state, 'removed')
    assert.deepEqual([one.seen().length, other.seen().length], [1, 2])
    // The worker of a removal died, and by then another one holds the target.
    const lost = await ask()
    await work()
    await lost.post('undo')
    const { database, ids } = app.services.foundation
    const pass = { db: database.kysely, log: silentLog }
    await claimMitigations(pass, { owner: ids.nextUuid(), limit: 10, perAdapter: 8 }, beginAttempt)
    await query(app.connection, `update mitigation set lease_until = now() where id = $1`, [
      lost.id,
    ])
    const holder = await ask({ target: lost.ip, allow_other: true })
    await query(
      app.connection,
      `update mitigation set state = 'active', wake_at = null where id = $1`,
      [holder.id],
    )
    await work()
    const released = await lost.get()
    assert.deepEqual(
      [released.reason, outcomesOf(released)],
      ['held_by_other', ['execute done', 'undo interrupted']],
    )
    // A new one waits for a removal that is under way.
    answer = answerWith(503)
    const old = await ask()
    answer = answerWith(200)
    await work()
    answer = answerWith(503)
    await old.post('undo')
    await work()
    const next = await ask({ target: old.ip, allow_other: true })
    answer = answerWith(200)
    await work()
    assert.deepEqual([(await next.get()).state, next.seen().length], ['pending', 0])
    await old.makeDue()
    await work()
    assert.deepEqual([(await old.get()).state, (await next.get()).state], ['removed', 'active'])
  })

  test('whose worker died between the request and its commit is asked for again with the same key', async () => {
    answer = answerWith(200)
    const one = await ask()
    const { database, ids } = app.services.foundation
    const pass = { db: database.kysely, log: silentLog }
    const request = { owner: ids.nextUuid(), limit: 10, perAdapter: 8 }
    const claimed = await claimMitigations(pass, request, async (tx, due) => {
      await beginAttempt(tx, due)
      return due.id
    })
    assert.deepEqual(claimed, [one.id])
    await work()
    assert.equal(one.seen().length, 0, 'another process has it')
    await query(app.connection, `update mitigation set lease_until = now() where id = $1`, [one.id])
    await work()
    const active = await one.get()
    assert.deepEqual(outcomesOf(active), ['execute interrupted', 'execute done'])
    assert.equal(active.state, 'active')
  })

  test('is asked for once by two workers, and a removal that comes meanwhile waits for the answer', async () => {
    const waiting: (() => void)[] = []
    answer = (_, response) => {
      waiting.push(() => answerWith(200)(_, response))
    }
    const one = await ask()
    const workers = [1, 2].map(() => createMitigationWorker(mitigationDeps(app)))
    for (const { begin } of workers) await begin()
    await waitUntil(async () => waiting.length > 0, 'the request')
    assert.equal((await one.post('undo')).json().state, 'removing')
    assert.equal(await createMitigationWorker(mitigationDeps(app)).begin(), 0)
    assert.equal(one.seen().length, 1)
    for (const release of waiting) release()
    await Promise.all(workers.map(({ whenIdle }) => whenIdle()))
    answer = answerWith(200)
    await work()
    assert.deepEqual(outcomesOf(await one.get()), ['execute done', 'undo done'])
    assert.equal((await one.get()).state, 'removed')
  })

  test('by a person (manual) waits for the confirmation of each step', async () => {
    const one = await ask({
      adapter: 'manual',
      kind: 'takedown',
      target_type: 'url',
      target: 'https://pages.example/x',
      allow_other: true,
    })
    await work()
    assert.equal((await one.get()).state, 'pending')
    assert.equal(
      (await one.post('result', { result: 'done', reference: 'T-1' })).json().state,
      'active',
    )
    assert.equal((await one.post('undo')).json().state, 'removing')
    await work()
    assert.equal((await one.post('result', { result: 'done' })).json().state, 'removed')
    const refused = await ask({ adapter: 'manual' })
    const failed = await refused.post('result', { result: 'refused', detail: 'not ours' })
    assert.deepEqual([failed.json().state, failed.json().detail], ['failed', 'not ours'])
    assert.equal((await refused.post('execute')).json().state, 'pending')
  })

  test('is worked on by the running worker, which stops', async () => {
    answer = answerWith(200)
    const one = await ask()
    const stop = startMitigations(mitigationDeps(app))
    await waitUntil(async () => (await one.get()).state === 'active', 'the answer')
    await stop()
  })
})

describe('a request for a mitigation', () => {
  test('409 for a target that is not of the case (CASEWORK_TARGET_NOT_OF_CASE), unless allow_other says so', async () => {
    const caseId = await openCaseOf(app, token, '198.51.100.250')
    const path = `/beta/casework/cases/${caseId}/mitigations`
    const body = { kind: 'null_route', target_type: 'ip', target: '203.0.113.9', adapter: 'manual' }
    const refused = await send('POST', path, body)
    assert.deepEqual([refused.status, refused.json().code], [409, 'CASEWORK_TARGET_NOT_OF_CASE'])
    assert.equal((await send('POST', path, { ...body, allow_other: true })).status, 202)
    const row = (await send('GET', `/beta/casework/cases/${caseId}`)).json()
    const own = {
      kind: 'suspend',
      target_type: 'customer',
      target: row.customer_id,
      adapter: 'manual',
    }
    assert.equal((await send('POST', path, own)).status, 202)
    assert.equal((await send('POST', path, { ...own, target: 'somebody-else' })).status, 409)
  })

  test('400 names the member that is not valid, and nothing is stored', async () => {
    const caseId = await openCaseOf(app, token, '198.51.100.251')
    const path = `/beta/casework/cases/${caseId}/mitigations`
    const body = {
      kind: 'null_route',
      target_type: 'ip',
      target: '198.51.100.251',
      adapter: 'routers',
    }
    const wrong: readonly (readonly [object, string])[] = [
      [{ target: 'nonsense' }, '/target'],
      [{ target_type: 'domain', target: 'a.example' }, '/target_type'],
      [{ port: 25 }, '/port'],
      [{ kind: 'block_port' }, '/port'],
      [{ kind: 'block_port', port: 70_000 }, '/port'],
      [{ adapter: 'nowhere' }, '/adapter'],
      [
        { kind: 'dns_hold', target_type: 'domain', target: 'a.example', allow_other: true },
        '/adapter',
      ],
      [{ expires_in: 'P1Y' }, '/expires_in'],
      [{ expires_at: '2001-01-01T00:00:00Z' }, '/expires_at'],
      [{ expires_in: 60, expires_at: '2030-01-01T00:00:00Z' }, '/expires_at'],
    ]
    for (const [more, member] of wrong) {
      const refused = await send('POST', path, { ...body, ...more })
      assert.equal(refused.status, 400, refused.text)
      assert.equal(refused.json().code, 'CASEWORK_MITIGATION_NOT_VALID')
      assert.equal(refused.json().errors[0].path ?? refused.json().errors[0].pointer, member)
    }
    const listed = await send('GET', path)
    assert.deepEqual(listed.json().items, [])
  })

  test('needs mitigations:execute, the removal mitigations:undo; leads have both, agents neither', async () => {
    const one = await ask({ adapter: 'manual' })
    const agent = await app.createToken({ scopes: ROLE_SCOPES.agent })
    const lead = await app.createToken({ scopes: ROLE_SCOPES.lead })
    const path = `/beta/casework/cases/${one.caseId}/mitigations`
    assert.equal((await app.send('POST', path, { token: agent, json: one.body })).status, 403)
    assert.equal((await app.send('GET', path, { token: agent })).status, 200)
    const executor = await app.createToken({ scopes: ['mitigations:execute'] })
    const undo = `${PATH}/${one.id}/undo`
    assert.equal((await app.send('POST', undo, { token: executor })).status, 403)
    assert.equal((await app.send('POST', undo, { token: lead })).status, 202)
  })

  test('is not seen by another tenant (CASEWORK_MITIGATION_NOT_FOUND)', async () => {
    const one = await ask({ adapter: 'manual' })
    await app.createTenant('foreign')
    const foreign = await app.createToken({ tenantId: 'foreign' })
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/undo'],
      ['POST', '/execute'],
    ] as const) {
      const refused = await app.send(method, `${PATH}/${one.id}${path}`, {
        token: foreign,
        headers: PROBLEM,
      })
      assert.deepEqual(
        [refused.status, refused.json().code],
        [404, 'CASEWORK_MITIGATION_NOT_FOUND'],
      )
    }
    assert.deepEqual((await app.send('GET', PATH, { token: foreign })).json().items, [])
    assert.equal((await one.get()).state, 'pending')
  })
})

test('lists of mitigations go by case, state, kind, target and adapter, page by page', async () => {
  answer = answerWith(200)
  const one = await ask({ kind: 'block_port', port: 25 })
  await work()
  const ids = async (filter: string) =>
    (await send('GET', `${PATH}?${filter}`)).json().items.map(({ id }: { id: string }) => id)
  for (const filter of [
    `case_id=${one.caseId}`,
    `target=${one.ip}`,
    'kind=block_port',
    `state=active&target=${one.ip}`,
  ]) {
    assert.deepEqual(await ids(filter), [one.id], filter)
  }
  assert.deepEqual(await ids(`state=failed&target=${one.ip}`), [])
  assert.deepEqual(await ids('case_id=nonsense'), [])
  const first = (await send('GET', `${PATH}?limit=2&adapter=routers`)).json()
  const second = (
    await send('GET', `${PATH}?limit=2&adapter=routers&cursor=${first.next_cursor}`)
  ).json()
  assert.equal(
    new Set([...first.items, ...second.items].map(({ id }: { id: string }) => id)).size,
    4,
  )
})

describe('an adapter of mitigations', () => {
  const ADAPTERS = '/beta/casework/mitigation-adapters'

  test('is set, shown without its secret, replaced and deleted, but not while it is needed (CASEWORK_ADAPTER_IN_USE)', async () => {
    await putAdapter(app, token, 'registry', `${server.origin}/registry`, ['dns_hold'])
    const shown = (await send('GET', `${ADAPTERS}/registry`)).json()
    assert.deepEqual([shown.secret, shown.kinds, shown.enabled], ['blocks', ['dns_hold'], true])
    await putAdapter(app, token, 'registry', `${server.origin}/registry`, ['null_route'])
    const names = (await send('GET', ADAPTERS))
      .json()
      .items.map(({ name }: { name: string }) => name)
    assert.deepEqual(names, ['registry', 'routers'])
    answer = answerWith(200)
    const one = await ask({ adapter: 'registry' })
    const used = await send('DELETE', `${ADAPTERS}/registry`)
    assert.deepEqual([used.status, used.json().code], [409, 'CASEWORK_ADAPTER_IN_USE'])
    await one.post('undo')
    assert.equal((await send('DELETE', `${ADAPTERS}/registry`)).status, 204)
    const gone = await send('DELETE', `${ADAPTERS}/registry`)
    assert.deepEqual([gone.status, gone.json().code], [404, 'CASEWORK_ADAPTER_NOT_FOUND'])
  })

  test('that is switched off is asked nothing, and what is due waits', async () => {
    answer = answerWith(200)
    const settings = { url: `${server.origin}/off`, secret: 'blocks', kinds: ['null_route'] }
    await send('PUT', `${ADAPTERS}/off`, { ...settings, enabled: false })
    const one = await ask({ adapter: 'off' })
    await work()
    assert.deepEqual([(await one.get()).state, one.seen().length], ['pending', 0])
    await send('PUT', `${ADAPTERS}/off`, settings)
    await work()
    assert.equal((await one.get()).state, 'active')
  })

  test('with a long queue gets eight at once, and another one its turn in the same claim', async () => {
    answer = answerWith(200)
    const settings = { url: `${server.origin}/busy`, secret: 'blocks', kinds: ['null_route'] }
    await send('PUT', `${ADAPTERS}/busy`, settings)
    await send('PUT', `${ADAPTERS}/calm`, settings)
    for (let at = 0; at < 10; at += 1) await ask({ adapter: 'busy' })
    const late = await ask({ adapter: 'calm' })
    const { database, ids } = app.services.foundation
    const pass = { db: database.kysely, log: silentLog }
    const request = { owner: ids.nextUuid(), limit: 64, perAdapter: 8 }
    const claim = () => claimMitigations(pass, request, async (_, due) => due)
    const claimed = await claim()
    assert.equal(claimed.filter(({ adapter }) => adapter === 'busy').length, 8)
    assert.equal(claimed.filter(({ id }) => id === late.id).length, 1)
    assert.deepEqual(await claim(), [])
    await query(
      app.connection,
      'update mitigation set lease_until = now() where lease_owner is not null',
    )
    await work()
  })

  test('whose secret is gone sends nothing, and its mitigations wait', async () => {
    const value = { value: SIGNING_SECRET }
    await send('PUT', '/beta/casework/secrets/short-lived', value)
    const settings = { url: `${server.origin}/gone`, secret: 'short-lived', kinds: ['null_route'] }
    await send('PUT', `${ADAPTERS}/gone`, settings)
    await send('DELETE', '/beta/casework/secrets/short-lived')
    const one = await ask({ adapter: 'gone' })
    await work()
    const waiting = await one.get()
    assert.deepEqual([waiting.state, one.seen().length], ['pending', 0])
    assert.match(waiting.attempt_list[0].failure, /short-lived is missing/)
    await send('PUT', '/beta/casework/secrets/short-lived', value)
    await one.makeDue()
    await work()
    assert.equal((await one.get()).state, 'active')
  })

  test('400 for a URL, secret or name that cannot be used (CASEWORK_ADAPTER_NOT_VALID); 409 beyond fifty (CASEWORK_TOO_MANY_ADAPTERS)', async () => {
    await send('PUT', '/beta/casework/secrets/word', { value: 'open sesame' })
    const good = { url: `${server.origin}/x`, secret: 'blocks', kinds: ['custom'] }
    for (const [name, more] of [
      ['manual', {}],
      ['x', { url: 'http://192.0.2.1/x' }],
      ['x', { secret: 'nowhere' }],
      ['x', { secret: 'word' }],
    ] as const) {
      const refused = await send('PUT', `${ADAPTERS}/${name}`, { ...good, ...more })
      assert.deepEqual([refused.status, refused.json().code], [400, 'CASEWORK_ADAPTER_NOT_VALID'])
    }
    assert.equal((await send('PUT', `${ADAPTERS}/x`, { ...good, kinds: ['fly'] })).status, 400)
    const { length } = (await send('GET', ADAPTERS)).json().items
    for (let at = length; at < 50; at += 1) await send('PUT', `${ADAPTERS}/many-${at}`, good)
    const refused = await send('PUT', `${ADAPTERS}/too-many`, good)
    assert.deepEqual([refused.status, refused.json().code], [409, 'CASEWORK_TOO_MANY_ADAPTERS'])
  })
})

test('pauses grow to an end, a removal is tried for longer, and a result is waited for a week', () => {
  assert.equal(choosePauseMs('execute', 1, 0, 0), 10_000)
  assert.equal(choosePauseMs('execute', 1, 60_000, 0), 60_000)
  assert.equal(choosePauseMs('execute', 9, 0, 0), null)
  assert.equal(choosePauseMs('undo', 9, 0, 0), 86_400_000)
  assert.equal(choosePauseMs('undo', 19, 0, 0), null)
  assert.equal(choosePollMs(0, 1, 0), 10_000)
  assert.equal(choosePollMs(0, 30, 0), 3_600_000)
  assert.equal(choosePollMs(7 * 86_400_000, 30, 0), null)
})
