// Cases that are reopened while events arrive for them, on two instances over one database: nobody
// waits for ever.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { buildTestConfig, openTestApp, type TestApp } from '../../../test/harness.ts'
import { query } from '../../../test/playbook-fixtures.ts'
import { countLockWaits } from '../../../test/query.ts'
import { waitUntil } from '../../../test/wait.ts'
import { compose, type Services } from '../../app/compose.ts'
import { buildHttp, createHttpParts } from '../../app/http.ts'
import { buildRoutes } from '../../app/routes.ts'
import { systemClock } from '../../kernel/clock.ts'
import { inTransaction } from '../../kernel/db/database.ts'
import { silentLog } from '../../kernel/log.ts'
import { markEventsResolved } from '../events/event-moves-store.ts'
import { noteItemsOfCases } from '../sightings/sighting-change-store.ts'
import { moveCases } from './case-batch-store.ts'

const CASES = '/beta/casework/cases'
const EVENTS = '/beta/casework/events'

let app: TestApp
let token: string
let services: Services
let second: ReturnType<typeof buildHttp>
let dataDir: string

before(async () => {
  app = await openTestApp()
  token = await app.createToken()
  dataDir = await mkdtemp(join(tmpdir(), 'casework-test-'))
  services = await compose({
    config: buildTestConfig({ CASEWORK_DATA_DIR: dataDir }),
    connection: app.connection,
    log: silentLog,
    clock: systemClock,
  })
  second = buildHttp(services, { routes: buildRoutes(services), parts: createHttpParts(services) })
})
after(async () => {
  await second.close()
  await services.close()
  await app.close()
  await rm(dataDir, { recursive: true, force: true })
})

function sendSecond(method: 'POST' | 'PATCH', url: string, json: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return second.inject({ method, url, headers, payload: JSON.stringify(json) })
}

function buildEvent(customer: string, at: number): object {
  return {
    event_date: new Date(Date.UTC(2026, 0, 1) + at * 1_000).toISOString(),
    event_type: 'PortScan',
    customer_id: customer,
    report_id: `${customer}-${at}`,
  }
}

/** A case of the customer that was resolved after every event of these tests had happened. */
async function openResolvedCase(customer: string): Promise<string> {
  const pushed = await app.send('POST', EVENTS, { token, json: buildEvent(customer, 0) })
  const caseId: string = pushed.json().case_id
  const json = { version: 1, state: 'RESOLVED', resolution: 'handled' }
  assert.equal((await app.send('PATCH', `${CASES}/${caseId}`, { token, json })).status, 200)
  return caseId
}

async function pushMany(customers: readonly string[], from: number): Promise<void> {
  for (let at = from; at < from + 30; at += 1) {
    const json = customers.map((customer) => buildEvent(customer, at))
    assert.equal((await app.send('POST', EVENTS, { token, json })).status, 200)
  }
}

async function countDeadlocks(): Promise<number> {
  // What this session has read of the counters before would be shown again.
  await query(app, 'select pg_stat_clear_snapshot()')
  const [row] = await query<{ deadlocks: number }>(
    app,
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  return row?.deadlocks ?? 0
}

const LOOPS = 6
const PUSHES = 30

test('a case is reopened and resolved while its late events arrive, without a deadlock or a 500', async () => {
  const caseId = await openResolvedCase('race')
  const deadlocksBefore = await countDeadlocks()
  const pushing = { count: LOOPS }
  const statuses = new Map<number, number>()
  const count = (status: number): void => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  const pushes = Array.from({ length: LOOPS }, async (_, loop) => {
    for (let at = 0; at < PUSHES; at += 1) {
      const event = buildEvent('race', 1 + loop * PUSHES + at)
      const isFirst = loop % 2 === 0
      if (isFirst) count((await app.send('POST', EVENTS, { token, json: event })).status)
      else count((await sendSecond('POST', EVENTS, event)).statusCode)
    }
    pushing.count -= 1
  })
  const moves = async (): Promise<number> => {
    let version = 2
    while (pushing.count > 0) {
      const json = version % 2 === 0 ? { state: 'IN_PROGRESS' } : RESOLVED
      const answer = await sendSecond('PATCH', `${CASES}/${caseId}`, { version, ...json })
      count(answer.statusCode)
      if (answer.statusCode !== 200) break
      version += 1
    }
    return version
  }
  const [version] = await Promise.all([moves(), ...pushes])
  assert.deepEqual(
    [...statuses.keys()].toSorted((a, b) => a - b),
    [200, 201],
    JSON.stringify([...statuses]),
  )
  assert.ok(version > 4, 'the case moved while events arrived')
  assert.equal((await countDeadlocks()) - deadlocksBefore, 0)
  const [row] = await query<{ event_count: number; slots: number; is_open: boolean }>(
    app,
    `select event_count, ended_at is null as is_open, (select count(*) from case_slot where case_id = $1) as slots
     from abuse_case where id = $1`,
    [caseId],
  )
  assert.equal(row?.event_count, 1 + LOOPS * PUSHES)
  assert.equal(row?.slots, row?.is_open ? 1 : 0)
})

const RESOLVED = { state: 'RESOLVED', resolution: 'handled' }

test('many cases are reopened together while their events arrive together, in one order of locks', async () => {
  const customers = Array.from({ length: 12 }, (_, at) => `many-${at}`)
  const caseIds: string[] = []
  for (const customer of customers) caseIds.push(await openResolvedCase(customer))
  const deadlocksBefore = await countDeadlocks()
  const { database, ids } = services.foundation
  const origin = { actor: { kind: 'run', id: 'r:n', name: 'P' }, causeId: 'r:1:2' } as const
  const reopen = async (order: readonly string[]): Promise<void> => {
    for (let round = 0; round < 30; round += 1) {
      const target = round % 2 === 0 ? ('IN_PROGRESS' as const) : ('RESOLVED' as const)
      await inTransaction(database.kysely, (tx) =>
        moveCases(
          tx,
          { ids, markEventsResolved, noteWithdrawals: noteItemsOfCases },
          { tenantId: 'default' },
          order.map((caseId) => ({
            ...origin,
            caseId,
            target,
            resolution: 'handled' as const,
            at: new Date(),
          })),
        ),
      )
    }
  }
  await Promise.all([
    reopen(caseIds),
    reopen(caseIds.toReversed()),
    pushMany(customers, 1),
    pushMany(customers.toReversed(), 101),
  ])
  assert.equal((await countDeadlocks()) - deadlocksBefore, 0)
})

test('an event that waits for its case while that is being resolved comes to it as a late one', async () => {
  const pushed = await app.send('POST', EVENTS, { token, json: buildEvent('meanwhile', 0) })
  const caseId: string = pushed.json().case_id
  const { database, ids } = services.foundation
  const origin = { actor: { kind: 'run', id: 'r:n', name: 'P' }, causeId: 'r:1:2' } as const
  const { pushing } = await inTransaction(database.kysely, async (tx) => {
    const move = { target: 'RESOLVED', resolution: 'handled', at: new Date() } as const
    await moveCases(
      tx,
      { ids, markEventsResolved, noteWithdrawals: noteItemsOfCases },
      { tenantId: 'default' },
      [{ ...origin, caseId, ...move }],
    )
    // It has seen that the case is open, and stored the event as one of it.
    const answer = app.send('POST', EVENTS, { token, json: buildEvent('meanwhile', 1) })
    await waitUntil(
      async () => (await countLockWaits(app.connection, 'correlation_lock')) > 0,
      'a push that waits for the correlation lock',
    )
    return { pushing: answer }
  })
  const late = await pushing
  assert.equal(late.status, 201, late.text)
  assert.equal(late.json().case_id, caseId)
  const rows = await query(
    app,
    `select resolved, event.tags, event_count, state, (select count(*) from case_slot where tenant_id = 'default' and case_slot.case_id = $1) as slots
     from event join abuse_case on abuse_case.tenant_id = event.tenant_id and abuse_case.id = event.case_id
     where event.tenant_id = 'default' and event_id = $2`,
    [caseId, late.json().event_id],
  )
  const state = { event_count: 2, state: 'RESOLVED', slots: 0 }
  assert.deepEqual(rows, [{ resolved: true, tags: ['late'], ...state }])
})

test('a slot that was claimed for a move that does not happen is free again', async () => {
  const caseId = await openResolvedCase('stale')
  const { database, ids } = services.foundation
  await query(
    app,
    `update abuse_case set state = 'CLOSED', close_reason = 'merged' where id = $1`,
    [caseId],
  )
  const request = {
    actor: { kind: 'run', id: 'r:n', name: 'P' },
    at: new Date(),
    caseId,
    target: 'IN_PROGRESS',
  } as const
  const outcomes = await inTransaction(database.kysely, (tx) =>
    moveCases(
      tx,
      { ids, markEventsResolved, noteWithdrawals: noteItemsOfCases },
      { tenantId: 'default' },
      [request, request],
    ),
  )
  assert.deepEqual(
    outcomes.map((outcome) => outcome.kind),
    ['illegal', 'illegal'],
  )
  const slots = await query(app, 'select 1 from case_slot where case_id = $1', [caseId])
  assert.deepEqual(slots, [])
})

test('503 with Retry-After when every attempt is undone by the database (KERNEL_DATABASE_BUSY)', async () => {
  const caseId = await openResolvedCase('busy')
  await query(
    app,
    `create function refuse_for_test() returns trigger language plpgsql as
     $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$`,
  )
  await query(
    app,
    'create trigger refuse_for_test before update on abuse_case execute function refuse_for_test()',
  )
  try {
    const answer = await app.send('PATCH', `${CASES}/${caseId}`, {
      token,
      json: { version: 2, state: 'IN_PROGRESS' },
    })
    assert.equal(answer.status, 503, answer.text)
    assert.equal(answer.json().code, 'KERNEL_DATABASE_BUSY')
    assert.equal(answer.headers['retry-after'], '1')
  } finally {
    await query(app, 'drop trigger refuse_for_test on abuse_case')
  }
})
