// A tenant's own service that says whose something was, as a real server on loopback: what it is
// asked, what it may answer, and what becomes of events when it does not.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import type { AnswerFields, AnswerList } from '../../../test/answer-fields.ts'
import { openTestApp, type TestAnswer, type TestApp } from '../../../test/harness.ts'
import { type LoopbackServer, type SeenRequest, startLoopback } from '../../../test/outbound-kit.ts'
import { countLockWaits } from '../../../test/query.ts'
import { waitUntil } from '../../../test/wait.ts'
import { inTransaction } from '../../kernel/db/database.ts'
import { buildUuidFloor } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { parseAllowList } from '../../kernel/outbound/allow-list.ts'
import { createOutbound } from '../../kernel/outbound/outbound.ts'
import { retryUnanswered } from '../events/retry-unanswered.ts'
import { readUnreadReports } from '../reports/read-unread-reports.ts'
import { keepReport } from '../reports/submit-report.ts'
import { storeAnswers } from './owner-answer-store.ts'
import { createOwnerResolver } from './prepare-owners.ts'

const EVENTS = '/beta/casework/events'
const SECRET = 'Bearer made-up-secret-of-a-test'
const AHEAD = { ms: 0 }

interface Question {
  readonly id: string
  readonly at: string
  readonly ip?: string
  readonly domain?: string
  readonly account?: string
}

type Handle = (questions: readonly Question[], response: ServerResponse) => void

const closers: (() => Promise<void>)[] = []
const handlers = new Map<string, Handle>()
let server: LoopbackServer
let secondServer: LoopbackServer
let app: TestApp
before(async () => {
  const cleanup = { after: (work: () => Promise<void>) => void closers.push(work) }
  server = await startLoopback(cleanup, (request, response) => {
    handlers.get(request.path)?.(readQuestions(request), response)
  })
  secondServer = await startLoopback(cleanup, (_, response) => void response.end('{}'))
  app = await openTestApp({
    environment: { CASEWORK_OUTBOUND_ALLOW: server.socket },
    clock: { nowMs: () => Date.now() + AHEAD.ms },
  })
})
after(async () => {
  await app.close()
  for (const close of closers) await close()
})

function readQuestions(request: SeenRequest): readonly Question[] {
  return (JSON.parse(request.body) as { questions: Question[] }).questions
}

function answerJson(response: ServerResponse, json: unknown): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(json))
}

/** Says of everything that it is this customer's, without any bound in time. */
function ownedBy(customerId: string | null, more: object = {}): Handle {
  return (questions, response) => {
    const bounds = { valid_from: null, valid_until: null }
    const answers = questions.map(({ id }) => ({ id, customer_id: customerId, ...bounds, ...more }))
    answerJson(response, { answers })
  }
}

interface Tenant {
  readonly id: string
  readonly resolver: string
  readonly send: (method: string, path: string, json?: unknown) => Promise<TestAnswer>
  /** Questions that its resolver was asked so far, request by request. */
  readonly asked: () => readonly (readonly Question[])[]
}

async function openTenant(id: string, handle: Handle, settings: object = {}): Promise<Tenant> {
  await app.createTenant(id)
  handlers.set(`/${id}`, handle)
  const token = await app.createToken({ tenantId: id })
  const send: Tenant['send'] = (method, path, json) =>
    app.send(method, path, { token, ...(json === undefined ? {} : { json }) })
  const resolver = `/beta/admin/tenants/${id}/owner-resolver`
  const made = await send('PUT', resolver, {
    url: `${server.origin}/${id}`,
    // The longest there is: a machine may be slow.
    timeout_ms: 5_000,
    ...settings,
  })
  assert.equal(made.status, 200, made.text)
  const asked = () => server.requests.filter(({ path }) => path === `/${id}`).map(readQuestions)
  return { id, resolver, send, asked }
}

function event(more: object, at = '2026-04-01T10:00:00.000Z'): object {
  return { event_type: 'PortScan', event_date: at, ...more }
}

/** The events as they are stored, in the order they were pushed. */
async function push({ send }: Tenant, events: readonly object[]) {
  const answer = await send('POST', EVENTS, events)
  assert.equal(answer.status, 200, answer.text)
  const stored = []
  for (const { event_id: id } of answer.json().items) {
    stored.push((await send('GET', `${EVENTS}/${id}`)).json())
  }
  return stored as AnswerList<AnswerFields>
}

async function countUnanswered({ send }: Tenant): Promise<number> {
  const list = await send('GET', `${EVENTS}?unassigned_cause=resolver_failed&limit=1000`)
  return list.json().items.length
}

async function run(statement: string, values: readonly unknown[]): Promise<void> {
  await app.services.foundation.database.pool.query(statement, [...values])
}

async function retryNow({ id }: Tenant): Promise<number> {
  await run(`update owner_resolver set retry_at = now() + interval '1 day'`, [])
  await run('update owner_resolver set retry_at = now() where tenant_id = $1', [id])
  const { foundation, casework } = app.services
  return await retryUnanswered({
    ...foundation,
    db: foundation.database.kysely,
    wakeWorkers: casework.wakeWorkers,
    owners: casework.owners,
    ...casework.conditions,
  })
}

describe('who owns an event', () => {
  test('is what the resolver says where no resource of the tenant does', async () => {
    const tenant = await openTenant('asked', ownedBy('r-1', { contract_id: 'line-7' }), {
      header_name: 'Authorization',
      header_value: SECRET,
    })
    await tenant.send('POST', '/beta/casework/customers/bulk', [{ id: 'k-1' }, { id: 'told' }])
    const resource = { kind: 'ip_range', value: '203.0.113.0/28', customer_id: 'k-1' }
    await tenant.send('POST', '/beta/casework/resources', resource)
    const [own, foreign, named, nothing] = await push(tenant, [
      event({ ip: '203.0.113.1' }),
      event({ ip: '198.51.100.1', event_details: { account: 'ana' } }),
      event({ ip: '198.51.100.2', customer_id: 'told' }),
      event({}),
    ])
    assert.equal(own.customer_id, 'k-1')
    assert.deepEqual([foreign.customer_id, foreign.contract_id], ['r-1', 'line-7'])
    assert.equal(named.customer_id, 'told')
    assert.equal(nothing.customer_id, undefined)
    const question = { id: '0', at: '2026-04-01T10:00:00.000Z', account: 'ana', ip: '198.51.100.1' }
    assert.deepEqual(tenant.asked(), [[question]])
    const request = server.requests.find(({ path }) => path === '/asked')
    assert.equal(request?.headers.authorization, SECRET)
    const made = await tenant.send('GET', '/beta/casework/contracts/line-7')
    assert.equal(made.json().customer_id, 'r-1')
  })

  test('is asked once for what is pushed at once and later, on all nodes, and again when the answer has expired', async () => {
    const tenant = await openTenant('shared', ownedBy('r-1'))
    const singles = Array.from({ length: 20 }, (_, index) =>
      tenant.send(
        'POST',
        EVENTS,
        event(
          { ip: '198.51.100.1', event_details: { place: index } },
          `2026-04-01T10:00:${index + 10}Z`,
        ),
      ),
    )
    for (const answer of await Promise.all(singles)) assert.equal(answer.json().outcome, 'created')
    await push(tenant, [event({ ip: '198.51.100.1' }, '2025-01-01T00:00:00Z')])
    assert.equal(tenant.asked().flat().length, 1)
    const { foundation } = app.services
    const outbound = createOutbound({ allow: [server.socket], log: silentLog })
    const node = createOwnerResolver({
      ...foundation,
      db: foundation.database.kysely,
      outbound,
      allow: parseAllowList([server.socket]),
      metrics: new Registry(),
    })
    const unowned = { customerId: null, contractId: null, domain: null, details: null }
    const known = { ...unowned, ip: '198.51.100.1', eventDate: '2026-04-01T12:00:00.000Z' }
    await node.prepare({ tenantId: tenant.id }, [known])
    assert.equal(tenant.asked().flat().length, 1)
    await node.prepare({ tenantId: tenant.id }, [{ ...known, ip: '198.51.100.2' }])
    assert.equal(tenant.asked().flat().length, 2)
    await run(
      `update owner_answer set expires_at = now() - interval '1 hour' where tenant_id = $1`,
      [tenant.id],
    )
    handlers.set('/shared', ownedBy('r-2'))
    const [later] = await push(tenant, [event({ ip: '198.51.100.1' }, '2026-04-02T00:00:00Z')])
    assert.deepEqual([later.customer_id, tenant.asked().length], ['r-2', 3])
  })

  test('holds from and until what the answer says, and else for the day', async () => {
    const tenant = await openTenant('timed', (questions, response) => {
      const answers = questions.map(({ id, at, ip }) => {
        if (ip === '198.51.100.9') return { id, customer_id: 'day' }
        return at < '2026-04-01T12:00:00.000Z'
          ? { id, customer_id: 'old', valid_from: null, valid_until: '2026-04-01T14:00:00+02:00' }
          : { id, customer_id: 'new', valid_from: '2026-04-01T12:00:00Z', valid_until: null }
      })
      answerJson(response, { answers })
    })
    const owners = await push(tenant, [
      event({ ip: '198.51.100.1' }, '2026-04-01T11:59:59.999Z'),
      event({ ip: '198.51.100.1' }, '2026-04-01T12:00:00.000Z'),
      event({ ip: '198.51.100.9' }, '2026-04-01T00:00:00.000Z'),
      event({ ip: '198.51.100.9' }, '2026-04-01T23:59:59.999Z'),
    ])
    assert.deepEqual(
      owners.map((one) => one.customer_id),
      ['old', 'new', 'day', 'day'],
    )
    // One a target and day, and one more for the customer who had it from noon on.
    assert.deepEqual(
      tenant.asked().map((questions) => questions.length),
      [2, 1],
    )
    await push(tenant, [event({ ip: '198.51.100.9' }, '2026-04-02T00:00:00.000Z')])
    assert.equal(tenant.asked().length, 3)
  })

  test('is nobody when the resolver says so, and then the rule of the tenant holds', async () => {
    const tenant = await openTenant('nobodys', ownedBy(null))
    const [first] = await push(tenant, [event({ ip: '198.51.100.1' })])
    assert.equal(first.customer_id, undefined)
    assert.equal(await countUnanswered(tenant), 0)
    await tenant.send('PATCH', `/beta/admin/tenants/${tenant.id}`, {
      settings: { unmatched: 'item_is_customer' },
    })
    const [second] = await push(tenant, [event({ ip: '198.51.100.1', domain: 'a.example.org' })])
    assert.equal(second.customer_id, '198.51.100.1')
  })

  test('is asked for reports too, kept ones and dry runs included, and for a reassignment', async () => {
    const tenant = await openTenant('reported', ownedBy('r-1'))
    const mail = [
      'From: Ana <ana@example.org>',
      'To: abuse@example.net',
      'Subject: attack from 198.51.100.7',
      'Date: Wed, 01 Apr 2026 10:00:00 +0000',
      'Message-ID: <one@example.org>',
      '',
      'Your host 198.51.100.7 has tried to log in by SSH on 2026-04-01 09:59:00 UTC.',
      '',
    ].join('\r\n')
    const token = await app.createToken({ tenantId: tenant.id })
    for (const query of ['?dry_run=true', '']) {
      const taken = await app.send('POST', `/beta/casework/reports${query}`, {
        token,
        body: mail,
        headers: { 'content-type': 'message/rfc822' },
      })
      assert.equal(taken.json().events[0].customer_id, 'r-1', taken.text)
    }
    assert.equal(tenant.asked().length, 1)
    const bytes = Buffer.from(mail.replaceAll('198.51.100.7', '198.51.100.6'))
    const actor = { kind: 'system', id: 'test', name: 'test' } as const
    const arriving = { bytes, mediaType: 'message/rfc822', fallbackReporter: null, actor }
    const { reports } = app.services.casework
    // Long enough ago for the sweep of those that nobody reads.
    const longAgo = new Date(Date.now() + AHEAD.ms - 120_000)
    await keepReport(reports, [{ tenantId: tenant.id }], { ...arriving, via: 'smtp' }, longAgo)
    await readUnreadReports(reports)
    const kept = await tenant.send('GET', `${EVENTS}?ip=198.51.100.6&customer_id=r-1`)
    assert.equal(kept.json().items.length, 1)
    await tenant.send('POST', '/beta/casework/customers', { id: 'wrong' })
    const [moved] = await push(tenant, [event({ ip: '198.51.100.8', customer_id: 'wrong' })])
    const again = await tenant.send('POST', `${EVENTS}/${moved.event_id}/reassign`, {})
    assert.deepEqual([again.json().outcome, again.json().customer_id], ['reassigned', 'r-1'])
  })
})

const FAILURES: Readonly<Record<string, Handle>> = {
  absent: (_, response) => void response.writeHead(404).end(),
  broken: (_, response) => void response.writeHead(500).end('{"answers":[]}'),
  silent: () => undefined,
  huge: (_, response) => void response.end(`{"answers":["${'x'.repeat(3_000_000)}"]}`),
  damaged: (_, response) => void response.end('{"answers":['),
  other: (_, response) => answerJson(response, { customer_id: 'r-1' }),
  redirected: (_, response) => {
    response.writeHead(307, { location: `${secondServer.origin}/private` }).end()
  },
  forgotten: (questions, response) =>
    answerJson(response, { answers: questions.map(({ id }) => ({ id })) }),
  elsewhen: ownedBy('r-1', { valid_until: '2026-04-01T10:00:00.000Z' }),
  turned: ownedBy('r-1', { valid_from: '2026-05-01T00:00:00Z' }),
  endless: ownedBy('x'.repeat(257)),
  unstorable: ownedBy('r\u0000'),
  unowned: ownedBy(null, { contract_id: 'line-1' }),
  twice: ({ length }, response) =>
    answerJson(response, { answers: Array.from({ length: length + 1 }, () => ({ id: '0' })) }),
}

describe('a resolver that gives no answer', () => {
  for (const [name, handle] of Object.entries(FAILURES)) {
    test(`costs no event: it stays unassigned and says why (${name})`, async () => {
      const tenant = await openTenant(`no-${name}`, handle, { timeout_ms: 100 })
      // Whatever the rule for what nobody has: this one may be somebody's.
      await tenant.send('PATCH', `/beta/admin/tenants/${tenant.id}`, {
        settings: { unmatched: 'item_is_customer' },
      })
      const [stored] = await push(tenant, [event({ ip: '198.51.100.1' })])
      assert.deepEqual([stored.customer_id, stored.case_id], [undefined, undefined])
      assert.equal(await countUnanswered(tenant), 1)
      const told = (await tenant.send('GET', tenant.resolver)).json()
      assert.equal(told.failures, 1)
      assert.match(told.failure, /^[A-Z].*\.$/)
      assert.equal(secondServer.requests.length, 0)
    })
  }

  test('is left alone for half a minute on this node, then asked again', async () => {
    const tenant = await openTenant('paused', FAILURES['broken'] as Handle)
    for (const ip of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) {
      await push(tenant, [event({ ip })])
    }
    assert.equal(tenant.asked().length, 1)
    AHEAD.ms += 31_000
    handlers.set('/paused', ownedBy('r-1'))
    const [stored] = await push(tenant, [event({ ip: '198.51.100.4' })])
    assert.deepEqual([stored.customer_id, tenant.asked().length], ['r-1', 2])
    assert.equal((await tenant.send('GET', tenant.resolver)).json().failures, 0)
  })

  test('to one question alone goes on with the others, and is asked again by a replay by hand', async () => {
    const tenant = await openTenant('one-bad', (questions, response) => {
      const answers = questions.map(({ id, ip }) => ({
        id,
        customer_id: ip === '198.51.100.2' ? '' : 'r-1',
      }))
      answerJson(response, { answers })
    })
    const owners = []
    for (const ip of ['198.51.100.2', '198.51.100.3', '198.51.100.2']) {
      // One after the other, as they come.
      const [stored] = await push(tenant, [event({ ip }, `2026-04-01T10:00:0${owners.length}Z`)])
      owners.push(stored.customer_id)
    }
    assert.deepEqual(owners, [undefined, 'r-1', undefined])
    assert.equal(tenant.asked().length, 2)
    handlers.set('/one-bad', ownedBy('r-2'))
    const replayed = await tenant.send('POST', `${EVENTS}/replay`, {})
    assert.deepEqual([replayed.json().assigned, replayed.json().unassigned], [2, 0])
  })

  test('gets its events back when it answers again, and ever longer pauses until then', async () => {
    const tenant = await openTenant('mended', FAILURES['broken'] as Handle)
    await push(tenant, [event({ ip: '198.51.100.1' }), event({ ip: '198.51.100.2' })])
    for (const failures of [1, 2]) {
      assert.equal(await retryNow(tenant), 0)
      const { pool } = app.services.foundation.database
      const turn = await pool.query(
        'select retry_failures, retry_at > now() as later from owner_resolver where tenant_id = $1',
        [tenant.id],
      )
      assert.deepEqual(turn.rows, [{ retry_failures: failures, later: true }])
    }
    AHEAD.ms += 31_000
    handlers.set('/mended', ownedBy('r-1'))
    const passes = await Promise.all([retryNow(tenant), retryNow(tenant)])
    assert.equal(passes[0] + passes[1], 2)
    assert.equal(await countUnanswered(tenant), 0)
    const cases = await tenant.send('GET', '/beta/casework/cases')
    assert.deepEqual(
      cases.json().items.map((one: { customer_id: string }) => one.customer_id),
      ['r-1'],
    )
  })

  test('for more events than a turn has leaves the later ones their turn', async () => {
    const tenant = await openTenant('many', (questions, response) => {
      const answers = questions.map(({ id, ip }) => ({
        id,
        customer_id: ip === '198.51.100.2' ? '' : 'r-1',
      }))
      answerJson(response, { answers })
    })
    // A turn has ten batches of a thousand. The last event alone has an owner.
    const beginning = buildUuidFloor(Date.now() - 60_000).slice(0, 24)
    await run(
      `insert into event (tenant_id, event_id, create_date, event_date, event_type, sender_email, ip, unassigned_cause,
         event_subtypes, tags)
       select $1, ($2 || lpad(to_hex(n), 12, '0'))::uuid, now(), timestamptz '2026-04-01T10:00:00Z', 'PortScan', 'a@reporter.example',
         case when n > 10000 then '198.51.100.1' else '198.51.100.2' end, 'resolver_failed', '{}', '{}'
       from generate_series(1, 10001) as n returning 1 as inserted`,
      [tenant.id, beginning],
    )
    assert.equal(await retryNow(tenant), 0)
    assert.equal(await retryNow(tenant), 1)
  })

  test('for one question of several costs that event alone; a contract of somebody else is no answer', async () => {
    const tenant = await openTenant('partly', (questions, response) => {
      const bounds = { valid_from: null, valid_until: null }
      const answers = questions.flatMap(({ id, ip }) => {
        if (ip === '198.51.100.2') return []
        return [{ id, customer_id: ip ?? null, contract_id: 'line-1', ...bounds }]
      })
      answerJson(response, { answers })
    })
    await tenant.send('POST', '/beta/casework/customers', { id: '198.51.100.1' })
    const contract = { id: 'line-1', customer_id: '198.51.100.1' }
    await tenant.send('POST', '/beta/casework/contracts', contract)
    const stored = await push(
      tenant,
      [1, 2, 3].map((last) => event({ ip: `198.51.100.${last}` })),
    )
    assert.deepEqual(
      stored.map((one) => one.customer_id),
      ['198.51.100.1', undefined, undefined],
    )
    assert.equal(await countUnanswered(tenant), 2)
  })
})

function untilWaiting(count: number): Promise<void> {
  const isReached = async () => (await countLockWaits(app.connection)) === count
  return waitUntil(isReached, `${count} requests wait for a lock`)
}

/** An answer about one target, for one year. */
function ownedIn(year: number) {
  return {
    target: '[null,"198.51.100.1",null]',
    customerId: 'r-1',
    contractId: null,
    validFrom: `${year}-01-01T00:00:00.000Z`,
    validUntil: `${year + 1}-01-01T00:00:00.000Z`,
  }
}

describe('the settings of a resolver', () => {
  test('200 without its secret, which stays for the same origin and header only', async () => {
    const tenant = await openTenant('kept', ownedBy('r-1'), {
      header_name: 'x-key',
      header_value: SECRET,
    })
    const url = `${server.origin}/kept?again`
    const kept = await tenant.send('PUT', tenant.resolver, { url, header_name: 'X-Key' })
    assert.deepEqual([kept.status, kept.json().has_header_value], [200, true])
    for (const change of [
      { url: 'https://other.example/', header_name: 'x-key' },
      { url, header_name: 'x-other' },
    ]) {
      const refused = await tenant.send('PUT', tenant.resolver, change)
      assert.deepEqual(
        [refused.status, refused.json().code, refused.json().errors[0].path],
        [400, 'APP_OWNER_RESOLVER_NOT_VALID', '/header_value'],
      )
    }
    for (const path of [
      tenant.resolver,
      `/beta/admin/tenants/${tenant.id}`,
      '/beta/admin/tenants',
    ]) {
      assert.equal((await tenant.send('GET', path)).text.includes('made-up-secret'), false)
    }
    assert.equal((await tenant.send('DELETE', tenant.resolver)).status, 204)
    const gone = await tenant.send('GET', tenant.resolver)
    assert.deepEqual([gone.status, gone.json().code], [404, 'APP_OWNER_RESOLVER_NOT_FOUND'])
    assert.equal((await tenant.send('DELETE', tenant.resolver)).status, 404)
  })

  test('400 for what the service may not reach, http in the open, and a header it cannot send', async () => {
    const tenant = await openTenant('refused', ownedBy('r-1'))
    for (const [change, path] of [
      [{ url: 'http://resolver.example/' }, '/url'],
      [{ url: `${secondServer.origin}/` }, '/url'],
      [{ url: 'https://169.254.169.254/' }, '/url'],
      [
        { url: 'https://resolver.example/', header_name: 'host', header_value: 'x' },
        '/header_name',
      ],
      [
        { url: 'https://resolver.example/', header_name: 'accept', header_value: 'x' },
        '/header_name',
      ],
      [
        { url: 'https://resolver.example/', header_name: 'x-key', header_value: 'Bearer …' },
        '/header_value',
      ],
      [{ url: 'https://resolver.example/', header_value: 'x' }, '/header_name'],
    ] as const) {
      const answer = await tenant.send('PUT', tenant.resolver, change)
      assert.equal(answer.status, 400, JSON.stringify(change))
      assert.equal(answer.json().errors[0].path, path)
    }
    const short = { url: 'https://resolver.example/', timeout_ms: 99 }
    assert.equal((await tenant.send('PUT', tenant.resolver, short)).status, 400)
  })

  test('what was answered under other settings does not count', async () => {
    const tenant = await openTenant('changed', ownedBy('r-1'))
    await push(tenant, [event({ ip: '198.51.100.1' })])
    handlers.set('/changed', ownedBy('r-2'))
    await tenant.send('PUT', tenant.resolver, { url: `${server.origin}/changed` })
    const [stored] = await push(tenant, [event({ ip: '198.51.100.1', domain: 'x.example.org' })])
    assert.equal(stored.customer_id, 'r-2')
    const [same] = await push(tenant, [event({ ip: '198.51.100.1' }, '2026-04-01T11:00:00Z')])
    assert.equal(same.customer_id, 'r-2')
  })

  test('an answer to a question under other settings takes the place of no newer one', async () => {
    const tenant = await openTenant('overtaken', ownedBy('r-1'))
    const [other] = await push(tenant, [event({ ip: '198.51.100.1' })])
    assert.equal(other.customer_id, 'r-1')
    const { kysely } = app.services.foundation.database
    const answer = { target: '[null,"198.51.100.1",null]', customerId: 'r-0', contractId: null }
    const life = { ownedSeconds: 3_600, nobodySeconds: 300, generation: randomUUID() }
    const always = { validFrom: null, validUntil: null }
    await storeAnswers(kysely, { tenantId: tenant.id }, [{ ...answer, ...always }], life)
    const [same] = await push(tenant, [event({ ip: '198.51.100.1' }, '2026-04-01T11:00:00Z')])
    assert.deepEqual([same.customer_id, tenant.asked().length], ['r-1', 1])
  })

  test('answers are stored in the order of their whole keys, so that two transactions do not deadlock', async () => {
    const tenant = await openTenant('ordered', ownedBy('r-1'))
    const scope = { tenantId: tenant.id }
    const { kysely } = app.services.foundation.database
    const found = await sql<{ generation: string }>`
      select generation from owner_resolver where tenant_id = ${tenant.id}`.execute(kysely)
    const generation = found.rows[0]?.generation ?? ''
    const life = { ownedSeconds: 3_600, nobodySeconds: 300, generation }
    const answers = [ownedIn(2026), ownedIn(2025)]
    await storeAnswers(kysely, scope, answers, life)
    const lockYear = (tx: typeof kysely, year: number) =>
      sql`select from owner_answer where tenant_id = ${tenant.id}
        and valid_from = ${ownedIn(year).validFrom}::timestamptz for update skip locked`.execute(tx)
    const { storing } = await inTransaction(kysely, async (tx) => {
      assert.equal((await lockYear(tx, 2025)).rows.length, 1)
      const under = storeAnswers(kysely, scope, answers, life)
      await untilWaiting(1)
      assert.equal((await lockYear(tx, 2026)).rows.length, 1, 'it waits before it has locked more')
      return { storing: under }
    })
    assert.deepEqual(await storing, [])
  })

  test('its secret goes with it, also where it is set and removed at the same time', async () => {
    const tenant = await openTenant('at-once', ownedBy('r-1'))
    const url = `${server.origin}/at-once`
    const { kysely } = app.services.foundation.database
    const { changing } = await inTransaction(kysely, async (tx) => {
      await sql`select from owner_resolver where tenant_id = ${tenant.id} for update`.execute(tx)
      const set = { url, header_name: 'x-key', header_value: SECRET }
      const setting = tenant.send('PUT', tenant.resolver, set)
      await untilWaiting(1)
      const removing = tenant.send('DELETE', tenant.resolver)
      await untilWaiting(2)
      return { changing: Promise.all([setting, removing]) }
    })
    const [set, removed] = await changing
    assert.deepEqual([set.status, removed.status], [200, 204])
    const { pool } = app.services.foundation.database
    const left = await pool.query('select name from secret where tenant_id = $1', [tenant.id])
    assert.deepEqual(left.rows, [])
  })

  test('404 for the tenant of somebody else, whose events another resolver never hears of', async () => {
    const one = await openTenant('wall-one', ownedBy('r-1'))
    const other = await openTenant('wall-other', ownedBy('r-2'))
    const token = await app.createToken({ tenantId: one.id, scopes: ['tenant:admin'] })
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const json = method === 'PUT' ? { json: { url: 'https://resolver.example/' } } : {}
      const answer = await app.send(method, other.resolver, { token, ...json })
      assert.deepEqual([answer.status, answer.json().code], [404, 'APP_TENANT_NOT_FOUND'], method)
    }
    const reader = await app.createToken({ tenantId: one.id, scopes: ['customers:write'] })
    assert.equal((await app.send('GET', one.resolver, { token: reader })).status, 403)
    const [stored] = await push(one, [event({ ip: '198.51.100.1' })])
    assert.deepEqual([stored.customer_id, other.asked().length], ['r-1', 0])
  })
})
