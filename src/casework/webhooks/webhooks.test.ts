// Webhooks from the change to the receiver, a real server on loopback, which checks messages with
// the public package of Standard Webhooks.

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { Webhook } from 'standardwebhooks'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { type LoopbackServer, type SeenRequest, startLoopback } from '../../../test/outbound-kit.ts'
import {
  createActivePlaybook,
  createCases,
  type GraphNode,
  runDueSteps,
  trigger,
} from '../../../test/playbook-fixtures.ts'
import { query } from '../../../test/query.ts'
import { silentLog } from '../../kernel/log.ts'
import { parseAllowList } from '../../kernel/outbound/allow-list.ts'
import { createChangeFeed } from '../changes/feed-changes.ts'
import { createWebhookSender } from './deliver-webhooks.ts'
import { createDeliveryMetrics } from './delivery-metrics.ts'
import { claimDeliveries } from './delivery-store.ts'
import { createWebhookListener } from './feed-webhooks.ts'
import { choosePauseMs } from './webhook.ts'

const closers: (() => Promise<void>)[] = []
const AHEAD = { ms: 0 }
let server: LoopbackServer
let app: TestApp
let token: string
let answer: (request: SeenRequest, response: ServerResponse) => void

before(async () => {
  const cleanup = { after: (close: () => Promise<void>) => void closers.push(close) }
  server = await startLoopback(cleanup, (request, response) => answer(request, response))
  app = await openTestApp({
    environment: { CASEWORK_OUTBOUND_ALLOW: server.socket },
    clock: { nowMs: () => Date.now() + AHEAD.ms },
  })
  token = await app.createToken()
})
after(async () => {
  await app.close()
  for (const close of closers) await close()
})

function take(_: SeenRequest, response: ServerResponse): void {
  response.statusCode = 204
  response.end()
}

async function send(method: string, path: string, json?: unknown) {
  return await app.send(method, `/beta/webhooks${path}`, {
    token,
    ...(json === undefined ? {} : { json }),
  })
}

async function openWebhook(path: string, more: object = {}) {
  const made = await send('POST', '', {
    url: `${server.origin}${path}`,
    types: ['case.opened', 'case.moved'],
    ...more,
  })
  assert.equal(made.status, 201, made.text)
  const { id, secret } = made.json()
  return {
    id,
    secret,
    seen: () => server.requests.filter((request) => request.path === path),
    deliveries: async (state = '') =>
      (await send('GET', `/${id}/deliveries${state === '' ? '' : `?state=${state}`}`)).json().items,
  }
}

let pushed = 0
async function pushEvent(more: object = {}): Promise<string> {
  pushed += 1
  const event = {
    event_date: '2026-11-20T10:00:00Z',
    event_type: 'Spam',
    ip: '192.0.2.7',
    customer_id: `customer-${pushed}`,
    sender_email: 'ann@reporter.example',
    report_id: `report-${pushed}`,
    ...more,
  }
  const stored = await app.send('POST', '/beta/casework/events', { token, json: event })
  assert.equal(stored.status, 201, stored.text)
  return stored.json().case_id
}

/** As the worker does: changes become deliveries, and what is due is sent. */
async function work(): Promise<void> {
  const { database, ids, secrets } = app.services.foundation
  const { outbound } = app.services.casework
  const metrics = new Registry()
  const db = database.kysely
  const listeners = [createWebhookListener({ ids })]
  await createChangeFeed({ db, log: silentLog, metrics, listeners }).feed(10)
  const sender = createWebhookSender({
    db,
    ids,
    secrets,
    outbound,
    log: silentLog,
    clock: app.services.foundation.clock,
    allow: parseAllowList([server.socket]),
    count: createDeliveryMetrics(metrics),
  })
  for (;;) {
    // One that waits for its answer must not hold up the others.
    const soon = delay(10).then(() => false)
    const isIdle = await Promise.race([sender.whenIdle().then(() => true), soon])
    if ((await sender.begin()) === 0 && isIdle) return
  }
}

async function makeDue(): Promise<void> {
  await query(app.connection, `update webhook_delivery set wake_at = now() where state = 'waiting'`)
}

function typesOf(requests: readonly SeenRequest[]): readonly string[] {
  return requests.map(({ body }) => (JSON.parse(body) as { type: string }).type).toSorted()
}

describe('a webhook', () => {
  test('tells what happens to runs of playbooks, signed, by the case of the run; without one no change is noted', async () => {
    answer = take
    const nodes: readonly GraphNode[] = [
      { id: 'begin', kind: 'start', paths: { next: 'ask' } },
      { id: 'ask', kind: 'manual', config: { paths: ['go'] }, paths: { go: 'done' } },
      { id: 'done', kind: 'end' },
    ]
    const playbook = await createActivePlaybook(app, token, nodes)
    const createRun = async () => {
      const [caseId = ''] = await createCases(app, 'default', playbook, 1)
      await runDueSteps(app)
      const { items } = (
        await app.send('GET', `/beta/casework/runs?case_id=${caseId}`, { token })
      ).json()
      return { caseId, runId: items[0].run_id }
    }
    await query(app.connection, 'delete from change')
    await createRun()
    const noted = "select from change where kind = 'run'"
    assert.deepEqual(await query(app.connection, noted), [])
    const types = ['started', 'waiting', 'ended', 'failed', 'cancelled', 'paused', 'resumed']
    const webhook = await openWebhook('/runs', { types: types.map((type) => `run.${type}`) })
    const deaf = await openWebhook('/none', { types: ['run.started'], customers: ['nobody'] })
    const { caseId, runId } = await createRun()
    const act = async (what: string) => {
      const path = `/beta/casework/runs/${runId}/${what}`
      assert.equal((await app.send('POST', path, { token, json: {} })).status, 200)
      await runDueSteps(app)
    }
    await act('pause')
    await act('resume')
    await trigger(app, token, caseId, { node: 'ask', path: 'go' })
    await runDueSteps(app)
    const failed = await createRun()
    await query(
      app.connection,
      `update run_token set node = 'gone', state = 'ready' where run_id = '${failed.runId}'`,
    )
    await runDueSteps(app)
    const stopped = await createRun()
    await app.send('POST', `/beta/casework/runs/${stopped.runId}/cancel`, { token, json: {} })
    await work()
    const messages = webhook.seen().map((request) => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
      new Webhook(webhook.secret).verify(request.body, Object.fromEntries(headers))
      return JSON.parse(request.body)
    })
    const of = (id: string): readonly string[] => {
      const own = messages.filter(({ data }) => data.run.id === id)
      return own.map(({ type }) => String(type).slice(4)).toSorted()
    }
    assert.deepEqual(of(runId), ['ended', 'paused', 'resumed', 'started', 'waiting'])
    assert.deepEqual(of(failed.runId), ['failed', 'started', 'waiting'])
    assert.deepEqual(of(stopped.runId), ['cancelled', 'started', 'waiting'])
    const failure = messages.find(({ type }) => type === 'run.failed')
    assert.deepEqual(failure.data.run, {
      id: failed.runId,
      case_id: failed.caseId,
      playbook_id: playbook,
      version: 1,
      node: 'gone',
      failure: 'unknown_node',
    })
    const waits = messages.find(({ type }) => type === 'run.waiting')
    assert.deepEqual([waits.data.run.node, waits.data.run.waits_for], ['ask', 'agent'])
    const paused = messages.find(({ type }) => type === 'run.paused')
    assert.equal(paused.data.actor.kind, 'token')
    assert.deepEqual(deaf.seen(), [])
    for (const { id } of [webhook, deaf]) assert.equal((await send('DELETE', `/${id}`)).status, 204)
  })

  test('tells the changes it subscribed to, signed as Standard Webhooks has it', async () => {
    answer = take
    const webhook = await openWebhook('/told')
    const caseId = await pushEvent()
    await work()
    const [request, second] = webhook.seen()
    assert.ok(request !== undefined)
    assert.equal(second, undefined)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    new Webhook(webhook.secret).verify(request.body, headers)
    const message = JSON.parse(request.body)
    assert.equal(message.type, 'case.opened')
    assert.equal(message.data.case.id, caseId)
    assert.equal(message.data.tenant_id, 'default')
    assert.equal(message.data.change.to_state, 'NEW')
    assert.doesNotMatch(request.body, /ann@reporter/)
    assert.throws(() => new Webhook(webhook.secret).verify(`${request.body} `, headers))
    const [delivery] = await webhook.deliveries()
    assert.equal(delivery.state, 'delivered')
    assert.equal(headers['webhook-id'], `msg_${delivery.id}`)
    await send('DELETE', `/${webhook.id}`)
  })

  test('is told of events, reports and moves, within its filters only', async () => {
    answer = take
    const types = [
      'event.stored',
      'case.moved',
      'report.rejected',
      'case.commented',
      'case.changed',
    ]
    const all = await openWebhook('/all', { types })
    const phishing = await openWebhook('/phishing', { types, event_types: ['Phishing'] })
    const one = await openWebhook('/customer', { types, customers: ['customer-x'] })
    const group = await openWebhook('/group', { types, case_groups: ['none'] })
    await pushEvent()
    const caseId = await pushEvent({ event_type: 'Phishing', customer_id: 'customer-x' })
    await app.send('PATCH', `/beta/casework/cases/${caseId}`, {
      token,
      json: { state: 'IN_PROGRESS', reason: 'Ann said so' },
      headers: { 'if-match': '*' },
    })
    await app.send('POST', `/beta/casework/cases/${caseId}/comments`, {
      token,
      json: { text: 'Ann said so' },
    })
    await app.send('POST', '/beta/casework/reports', {
      token,
      headers: { 'content-type': 'message/rfc822' },
      body: 'From: ann@reporter.example\r\nTo: abuse@provider.example\r\nSubject: Hi\r\n\r\nHi.\r\n',
    })
    await work()
    assert.deepEqual(typesOf(all.seen()), [
      'case.commented',
      'case.moved',
      'event.stored',
      'event.stored',
      'report.rejected',
    ])
    const ofCase = ['case.commented', 'case.moved', 'event.stored']
    assert.deepEqual(typesOf(phishing.seen()), ofCase)
    assert.deepEqual(typesOf(one.seen()), ofCase)
    assert.deepEqual(typesOf(group.seen()), [])
    assert.doesNotMatch(server.requests.map(({ body }) => body).join(), /Ann said so/)
    for (const { id } of [all, phishing, one, group]) await send('DELETE', `/${id}`)
  })

  test('is told of mitigations by id, kind and state, without their target', async () => {
    answer = take
    const webhook = await openWebhook('/mitigated', { types: ['case.mitigated'] })
    const caseId = await pushEvent()
    const json = { kind: 'null_route', target_type: 'ip', target: '192.0.2.7', adapter: 'manual' }
    const path = `/beta/casework/cases/${caseId}/mitigations`
    const made = await app.send('POST', path, { token, json })
    assert.equal(made.status, 202, made.text)
    await work()
    const [request] = webhook.seen()
    assert.ok(request !== undefined)
    const { change } = JSON.parse(request.body).data
    const { id } = made.json()
    assert.deepEqual(change.mitigation, { id, kind: 'null_route', state: 'pending' })
    assert.doesNotMatch(request.body, /192\.0\.2\.7/)
    await send('DELETE', `/${webhook.id}`)
  })

  test('that is disabled is told nothing, and later neither', async () => {
    answer = take
    const webhook = await openWebhook('/off')
    assert.equal((await send('PATCH', `/${webhook.id}`, { enabled: false })).status, 200)
    await pushEvent()
    await work()
    await send('PATCH', `/${webhook.id}`, { enabled: true })
    await work()
    assert.deepEqual(webhook.seen(), [])
    await send('DELETE', `/${webhook.id}`)
  })

  test('of another tenant is neither told nor seen (CASEWORK_WEBHOOK_NOT_FOUND)', async () => {
    answer = take
    const webhook = await openWebhook('/mine')
    await app.createTenant('others')
    const foreign = await app.createToken({ tenantId: 'others' })
    const hidden = await app.send('GET', `/beta/webhooks/${webhook.id}`, { token: foreign })
    assert.deepEqual([hidden.status, hidden.json().code], [404, 'CASEWORK_WEBHOOK_NOT_FOUND'])
    await app.send('POST', '/beta/casework/events', {
      token: foreign,
      json: {
        event_date: '2026-11-20T10:00:00Z',
        event_type: 'Spam',
        ip: '192.0.2.7',
        sender_email: 'a@b.example',
      },
    })
    await work()
    assert.deepEqual(webhook.seen(), [])
    await send('DELETE', `/${webhook.id}`)
  })
})

describe('a delivery', () => {
  test('that fails is sent again with the same id, after the pause that the receiver asks for', async () => {
    let status = 503
    answer = (_, response) => {
      response.statusCode = status
      response.setHeader('retry-after', '3600')
      response.end()
    }
    const webhook = await openWebhook('/again')
    await pushEvent()
    await work()
    await work()
    assert.equal(webhook.seen().length, 1)
    const [waiting] = await webhook.deliveries('waiting')
    assert.equal(waiting.last_failure, 'The receiver answered with status 503.')
    const pauseMs = Date.parse(waiting.next_at) - Date.parse(waiting.created_at)
    assert.ok(pauseMs > 3_500_000, waiting.next_at)
    status = 200
    await makeDue()
    await work()
    const ids = webhook.seen().map(({ headers }) => headers['webhook-id'])
    assert.deepEqual(ids, [ids[0], ids[0]])
    const detail = (await send('GET', `/${webhook.id}/deliveries/${waiting.id}`)).json()
    assert.deepEqual(
      detail.attempt_list.map(({ status: each }: { status: number }) => each),
      [503, 200],
    )
    assert.equal(detail.state, 'delivered')
    assert.equal(detail.body, webhook.seen()[0]?.body)
    await send('DELETE', `/${webhook.id}`)
  })

  test('is dead after ten attempts, and replayed when somebody asks', async () => {
    let status = 500
    answer = (_, response) => {
      response.statusCode = status
      response.end()
    }
    const webhook = await openWebhook('/dead')
    await pushEvent()
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await work()
      await makeDue()
    }
    assert.equal(webhook.seen().length, 10)
    const [dead] = await webhook.deliveries('dead')
    assert.equal(dead.attempts, 10)
    status = 200
    const replayed = await send('POST', `/${webhook.id}/replay`, { since: '2026-01-01T00:00:00Z' })
    assert.deepEqual(replayed.json(), { replayed: 1 })
    const waits = await send('POST', `/${webhook.id}/deliveries/${dead.id}/replay`)
    assert.deepEqual([waits.status, waits.json().code], [409, 'CASEWORK_DELIVERY_WAITS'])
    await work()
    assert.equal((await webhook.deliveries('delivered')).length, 1)
    assert.equal((await send('POST', `/${webhook.id}/deliveries/${dead.id}/replay`)).status, 202)
    await work()
    assert.equal(webhook.seen().length, 12)
    assert.equal(new Set(webhook.seen().map(({ headers }) => headers['webhook-id'])).size, 1)
    await send('DELETE', `/${webhook.id}`)
  })

  test('to a receiver that is gone (410) switches the webhook off, with the reason', async () => {
    answer = (_, response) => {
      response.statusCode = 410
      response.end()
    }
    const webhook = await openWebhook('/gone')
    await pushEvent()
    await work()
    const record = (await send('GET', `/${webhook.id}`)).json()
    assert.equal(record.enabled, false)
    assert.match(record.disabled_reason, /410 Gone/)
    const described = (await send('PATCH', `/${webhook.id}`, { description: 'Old.' })).json()
    assert.deepEqual(described.disabled_reason, record.disabled_reason)
    const tried = await send('POST', `/${webhook.id}/test`)
    assert.deepEqual([tried.status, tried.json().code], [409, 'CASEWORK_WEBHOOK_DISABLED'])
    const replay = await send('POST', `/${webhook.id}/replay`, { since: '2026-01-01T00:00:00Z' })
    assert.equal(replay.status, 409)
    const enabled = (await send('PATCH', `/${webhook.id}`, { enabled: true })).json()
    assert.equal(enabled.disabled_reason, undefined)
    await send('DELETE', `/${webhook.id}`)
  })

  test('that still waits when the webhook is switched off is not sent, until a replay', async () => {
    let status = 500
    answer = (_, response) => {
      response.statusCode = status
      response.end()
    }
    const webhook = await openWebhook('/paused')
    await pushEvent()
    await work()
    await send('PATCH', `/${webhook.id}`, { enabled: false })
    await makeDue()
    await work()
    assert.equal(webhook.seen().length, 1)
    const [dead] = await webhook.deliveries('dead')
    assert.match(dead.last_failure, /switched off/)
    assert.deepEqual(await webhook.deliveries('waiting'), [])
    status = 200
    await send('PATCH', `/${webhook.id}`, { enabled: true })
    const replay = await send('POST', `/${webhook.id}/replay`, { since: '2026-01-01T00:00:00Z' })
    assert.deepEqual(replay.json(), { replayed: 1 })
    await work()
    assert.equal(webhook.seen().length, 2)
    await send('DELETE', `/${webhook.id}`)
  })

  test('follows no redirect', async () => {
    answer = (_, response) => {
      response.statusCode = 302
      response.setHeader('location', `${server.origin}/elsewhere`)
      response.end()
    }
    const webhook = await openWebhook('/redirect')
    await pushEvent()
    await work()
    assert.equal(server.requests.filter(({ path }) => path === '/elsewhere').length, 0)
    const [waiting] = await webhook.deliveries('waiting')
    assert.equal(waiting.last_status, 302)
    await send('DELETE', `/${webhook.id}`)
  })

  test('to a slow receiver holds up no other one', async () => {
    const slow: ServerResponse[] = []
    answer = (request, response) => {
      if (request.path === '/slow') slow.push(response)
      else take(request, response)
    }
    const [held, quick] = [await openWebhook('/slow'), await openWebhook('/quick')]
    for (let index = 0; index < 20; index += 1) await pushEvent()
    const working = work()
    while (quick.seen().length < 20 || slow.length < 8) {
      await delay(20)
    }
    assert.equal(held.seen().length, 8, 'eight at once to one webhook')
    const free = setInterval(() => {
      for (const response of slow.splice(0)) response.end()
    }, 10)
    await working
    clearInterval(free)
    assert.equal(held.seen().length, 20)
    for (const { id } of [held, quick]) await send('DELETE', `/${id}`)
  })

  test('with a long backlog gets eight at once, and others their turn in the same claim, whoever has them', async () => {
    answer = take
    const hooks = [await openWebhook('/backlog'), await openWebhook('/calm')]
    const insert = async (id: string | undefined, count: number, minutes: number) =>
      await query(
        app.connection,
        `insert into webhook_delivery (tenant_id, id, webhook_id, type, body, state, wake_at)
         select tenant_id, gen_random_uuid(), id, 'case.moved', '{}', 'waiting', now() - make_interval(mins => $3, secs => -nth / 100)
         from webhook cross join generate_series(1, $2::integer) as nth where id = $1::uuid`,
        [id, count, minutes],
      )
    await insert(hooks[0]?.id, 1_500, 60)
    await insert(hooks[1]?.id, 2, 1)
    const { database, ids } = app.services.foundation
    const owner = ids.nextUuid()
    const claimed = await claimDeliveries({ db: database.kysely, log: silentLog }, owner, 64, 8)
    const counts = hooks.map(({ id }) => claimed.filter(({ webhookId }) => webhookId === id).length)
    assert.deepEqual(counts, [8, 2])
    assert.deepEqual(
      await claimDeliveries({ db: database.kysely, log: silentLog }, owner, 64, 8),
      [],
    )
    await insert(hooks[1]?.id, 20, 0)
    // Room for three: the webhook that has nothing under way but two, and none of the busy one.
    const more = await claimDeliveries({ db: database.kysely, log: silentLog }, owner, 3, 8)
    assert.deepEqual(
      more.map(({ webhookId }) => webhookId),
      Array.from({ length: 3 }, () => hooks[1]?.id),
    )
    for (const { id } of hooks) await send('DELETE', `/${id}`)
  })

  test('is sent by one of several workers only', async () => {
    answer = take
    const webhook = await openWebhook('/once')
    for (let index = 0; index < 30; index += 1) await pushEvent()
    await Promise.all([work(), work(), work()])
    const ids = webhook.seen().map(({ headers }) => headers['webhook-id'])
    assert.equal(ids.length, 30)
    assert.equal(new Set(ids).size, 30)
    await send('DELETE', `/${webhook.id}`)
  })

  test('for a test is sent at once, whatever the webhook subscribes to', async () => {
    answer = take
    const webhook = await openWebhook('/test')
    const asked = await send('POST', `/${webhook.id}/test`)
    assert.equal(asked.status, 202)
    await work()
    const [delivery] = await webhook.deliveries()
    assert.deepEqual([delivery.id, delivery.type], [asked.json().delivery_id, 'webhook.test'])
    await send('DELETE', `/${webhook.id}`)
  })
})

test('the pauses of a delivery grow, last more than a day together, and end', () => {
  const pauses: number[] = []
  for (let pauseMs = choosePauseMs(1, 0, 0); pauseMs !== null; ) {
    pauses.push(pauseMs)
    pauseMs = choosePauseMs(pauses.length + 1, 0, 0)
  }
  assert.deepEqual(
    pauses,
    pauses.toSorted((a, b) => a - b),
  )
  const sumMs = pauses.reduce((sum, pauseMs) => sum + pauseMs, 0)
  assert.ok(sumMs >= 24 * 3_600_000, `${sumMs} ms`)
  assert.equal(choosePauseMs(1, 3_600_000, 0), 3_600_000)
})

describe('the secret of a webhook', () => {
  test('is replaced twice by two calls at once, and the secrets of both answers sign', async () => {
    answer = take
    const webhook = await openWebhook('/rotated')
    const rotate = async (): Promise<string> =>
      (await send('POST', `/${webhook.id}/rotate-secret`)).json().secret
    const secrets = await Promise.all([rotate(), rotate()])
    await send('POST', `/${webhook.id}/test`)
    await work()
    const request = webhook.seen().at(-1)
    assert.ok(request !== undefined)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    for (const secret of secrets) assert.ok(new Webhook(secret).verify(request.body, headers))
    await send('DELETE', `/${webhook.id}`)
  })

  test('is shown once, and the former one signs beside the new one for a day', async () => {
    answer = take
    const webhook = await openWebhook('/secret')
    assert.doesNotMatch((await send('GET', `/${webhook.id}`)).text, /whsec_/)
    assert.doesNotMatch((await send('GET', '')).text, /whsec_/)
    const rotated = (await send('POST', `/${webhook.id}/rotate-secret`)).json()
    assert.notEqual(rotated.secret, webhook.secret)
    const verify = (secret: string): unknown => {
      const request = webhook.seen().at(-1)
      assert.ok(request !== undefined)
      return new Webhook(secret).verify(
        request.body,
        Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        ),
      )
    }
    await send('POST', `/${webhook.id}/test`)
    await work()
    assert.ok(verify(webhook.secret))
    assert.ok(verify(rotated.secret))
    await query(
      app.connection,
      `update secret set updated_at = now() - interval '25 hours' where name = 'former'`,
    )
    await send('POST', `/${webhook.id}/test`)
    await work()
    assert.ok(verify(rotated.secret))
    assert.throws(() => verify(webhook.secret))
    await send('DELETE', `/${webhook.id}`)
    assert.deepEqual(await query(app.connection, 'select from secret'), [])
  })
})

describe('settings of a webhook', () => {
  const refused: readonly [string, object, RegExp][] = [
    [
      'plain HTTP to a host that the operator has not named',
      { url: 'http://hooks.example/x' },
      /https/,
    ],
    ['an address inside', { url: 'https://127.0.0.1/x' }, /cannot be used/],
    ['a scheme that is no web', { url: 'ftp://hooks.example/x' }, /cannot be used/],
    ['no type', { types: [] }, /types/],
    ['an unknown type', { types: ['case.eaten'] }, /types/],
    ['an unknown member', { secret: 'x' }, /secret/],
  ]
  for (const [what, body, pattern] of refused) {
    test(`400 for ${what} (CASEWORK_WEBHOOK_NOT_VALID where its schema allows it)`, async () => {
      const valid = { url: 'https://hooks.example/x', types: ['case.opened'] }
      const made = await send('POST', '', { ...valid, ...body })
      assert.equal(made.status, 400, made.text)
      assert.match(made.text, pattern)
      const code = 'url' in body ? 'CASEWORK_WEBHOOK_NOT_VALID' : 'KERNEL_REQUEST_NOT_VALID'
      assert.equal(made.json().code, code)
    })
  }

  test('409 beyond fifty (CASEWORK_TOO_MANY_WEBHOOKS)', async () => {
    await app.createTenant('many')
    const many = await app.createToken({ tenantId: 'many' })
    const post = () =>
      app.send('POST', '/beta/webhooks', {
        token: many,
        json: { url: 'https://hooks.example/x', types: ['case.opened'] },
      })
    for (let index = 0; index < 50; index += 1) assert.equal((await post()).status, 201)
    const over = await post()
    assert.deepEqual([over.status, over.json().code], [409, 'CASEWORK_TOO_MANY_WEBHOOKS'])
  })

  test('400 for a replay since no time', async () => {
    const webhook = await openWebhook('/when')
    for (const since of ['x', '', '275760-09-13T00:00:00.000Z', '2026-13-45T99:99:99Z']) {
      const answered = await send('POST', `/${webhook.id}/replay`, { since })
      assert.deepEqual([answered.status, answered.json().code], [400, 'CASEWORK_WEBHOOK_NOT_VALID'])
    }
    await send('DELETE', `/${webhook.id}`)
  })

  test('404 for a delivery that is not there (CASEWORK_DELIVERY_NOT_FOUND)', async () => {
    const webhook = await openWebhook('/none')
    const missing = await send('GET', `/${webhook.id}/deliveries/${webhook.id}`)
    assert.deepEqual([missing.status, missing.json().code], [404, 'CASEWORK_DELIVERY_NOT_FOUND'])
    await send('DELETE', `/${webhook.id}`)
  })
})
