// What is past its time goes, what is open stays, and every count says what is left. Time goes on
// by the clock of the program.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Counter } from 'prom-client'
import { type TestAnswer, withApp } from '../../../../test/harness.ts'
import { query } from '../../../../test/playbook-fixtures.ts'
import { inTransaction } from '../../../kernel/db/database.ts'
import { recountCases } from '../../cases/recount/recount-cases.ts'
import { removeCases } from './retention-case-store.ts'
import { claimRetentionTurn } from './retention-store.ts'
import { runRetention } from './run-retention.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const CASEWORK = '/beta/casework'
const clock = { ahead: 0, nowMs: () => Date.now() + clock.ahead }

const app = withApp({ clock })

/** Time goes on only: ids are in the order of time whatever the clock says. */
function wait(days: number): void {
  clock.ahead += days * DAY_MS
}

interface Tenant {
  readonly id: string
  readonly token: string
  readonly send: (method: string, path: string, json?: unknown) => Promise<TestAnswer>
}

async function openTenant(id: string, retention: object | null): Promise<Tenant> {
  await app.createTenant(id)
  const token = await app.createToken({ tenantId: id })
  const send: Tenant['send'] = (method, path, json) =>
    app.send(method, path, { token, ...(json === undefined ? {} : { json }) })
  const set = await send('PATCH', `/beta/admin/tenants/${id}`, { settings: { retention } })
  assert.equal(set.status, 200, set.text)
  return { id, token, send }
}

/** The turn of this tenant; what was removed, by kind. */
async function pass({ id }: Tenant): Promise<Record<string, number>> {
  const { foundation } = app.services
  const { pool } = foundation.database
  await pool.query(`update tenant set retention_at = now() + interval '1 day'`)
  await pool.query('update tenant set retention_at = now() where id = $1', [id])
  const removed = new Counter({ name: 'x', help: 'x', labelNames: ['kind'], registers: [] })
  const db = foundation.database.kysely
  await runRetention({ ...foundation, db, removed }, new AbortController().signal)
  const { values } = await removed.get()
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.kind), value]))
}

async function push({ send }: Tenant, ip: string, count = 1): Promise<string> {
  const at = new Date(clock.nowMs())
  const events = Array.from({ length: count }, (_, index) => ({
    event_type: 'PortScan',
    event_date: at.toISOString(),
    ip,
    event_details: { place: index },
    report_id: `${ip}-${at.getTime()}-${index}`,
  }))
  const answer = await send('POST', `${CASEWORK}/events`, events)
  assert.equal(answer.json().items[0].outcome, 'created', answer.text)
  return answer.json().items[0].case_id
}

async function end({ send }: Tenant, caseId: string): Promise<void> {
  const change = { state: 'CLOSED', close_reason: 'expired', version: 1 }
  const answer = await send('PATCH', `${CASEWORK}/cases/${caseId}`, change)
  assert.equal(answer.status, 200, answer.text)
}

async function countRows(table: string, { id }: Tenant): Promise<number> {
  const { pool } = app.services.foundation.database
  const found = await pool.query(`select count(*) from ${table} where tenant_id = $1`, [id])
  return Number(found.rows[0].count)
}

async function findDifferences({ id }: Tenant): Promise<readonly unknown[]> {
  const found = await recountCases(app.services.foundation.database.kysely, { tenantId: id })
  return found.differences
}

function sendReport({ token }: Tenant, host: string): Promise<TestAnswer> {
  const body = [
    'From: Ana <ana@example.org>',
    `Subject: attack from ${host}`,
    'Date: Wed, 01 Apr 2026 10:00:00 +0000',
    '',
    `Your host ${host} has tried to log in by SSH.`,
    '',
  ].join('\r\n')
  const headers = { 'content-type': 'message/rfc822' }
  return app.send('POST', `${CASEWORK}/reports`, { token, body, headers })
}

describe('raw reports', () => {
  test('go at their age, the reports stay; equal bytes of a younger one and what nobody has read stay too', async () => {
    const tenant = await openTenant('raw', { raw_report_days: 30 })
    const ids: string[] = []
    for (const host of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      ids.push((await sendReport(tenant, host)).json().report_id)
    }
    const [old, equal, unread] = ids
    const { pool } = app.services.foundation.database
    await pool.query(
      `update report set state = 'quarantined', reason = 'The report has not been read yet.' where id = $1`,
      [unread],
    )
    wait(20)
    const younger = (await sendReport(tenant, '192.0.2.2')).json().report_id
    wait(11)
    assert.equal((await pass(tenant))['raw_report'], 2)
    const gone = await tenant.send('GET', `${CASEWORK}/reports/${old}/raw`)
    assert.deepEqual([gone.status, gone.json().code], [410, 'CASEWORK_RAW_REPORT_NOT_KEPT'])
    assert.equal((await tenant.send('GET', `${CASEWORK}/reports/${old}`)).json().raw_removed, true)
    assert.equal((await tenant.send('POST', `${CASEWORK}/reports/${old}/replay`)).status, 404)
    for (const kept of [younger, unread]) {
      assert.equal((await tenant.send('GET', `${CASEWORK}/reports/${kept}/raw`)).status, 200)
    }
    assert.equal((await tenant.send('GET', `${CASEWORK}/reports/${equal}`)).json().event_count, 1)
    assert.equal(await countRows('report_raw', tenant), 2)
  })

  test('that come again while they go are kept', async () => {
    const tenant = await openTenant('again', { raw_report_days: 30 })
    await sendReport(tenant, '192.0.2.1')
    wait(31)
    const [answer] = await Promise.all([sendReport(tenant, '192.0.2.1'), pass(tenant)])
    const path = `${CASEWORK}/reports/${answer.json().report_id}/raw`
    assert.equal((await tenant.send('GET', path)).status, 200)
  })
})

describe('events', () => {
  test('go at their age from ended cases, which say how many; those of open cases stay', async () => {
    const tenant = await openTenant('events', { event_days: 365 })
    const ended = await push(tenant, '192.0.2.1', 3)
    const open = await push(tenant, '192.0.2.2', 2)
    await sendReport(tenant, '192.0.2.1')
    await end(tenant, ended)
    wait(366)
    await push(tenant, '192.0.2.2')
    assert.deepEqual(await pass(tenant), { event: 4, report: 1 })
    assert.equal((await tenant.send('GET', `${CASEWORK}/cases/${open}`)).json().event_count, 3)
    const left = (await tenant.send('GET', `${CASEWORK}/cases/${ended}`)).json()
    assert.deepEqual([left.event_count, left.state], [0, 'CLOSED'])
    const history = (await tenant.send('GET', `${CASEWORK}/cases/${ended}/history`)).json()
    assert.deepEqual(
      [history.items[0].kind, history.items[0].changes],
      ['retention', { events_removed: 4 }],
    )
    assert.deepEqual(await findDifferences(tenant), [])
    assert.equal(await countRows('event_fingerprint', tenant), 3)
    assert.equal(await countRows('event_hour', tenant), 2)
    assert.equal(await countRows('report_raw', tenant), 0)
  })

  test('that are nobody’s go too, and one that comes again is new', async () => {
    const tenant = await openTenant('nobodys', { event_days: 1 })
    await tenant.send('PATCH', '/beta/admin/tenants/nobodys', {
      settings: { unmatched: 'unassigned' },
    })
    const event = {
      event_type: 'PortScan',
      event_date: '2026-04-01T00:00:00Z',
      ip: '192.0.2.1',
    }
    const first = (await tenant.send('POST', `${CASEWORK}/events`, event)).json()
    assert.equal((await tenant.send('POST', `${CASEWORK}/events`, event)).status, 200)
    wait(2)
    assert.equal(await countRows('event_hour', tenant), 1)
    assert.equal((await pass(tenant))['event'], 1)
    assert.equal(await countRows('event_hour', tenant), 0)
    const again = await tenant.send('POST', `${CASEWORK}/events`, event)
    assert.equal(again.status, 201)
    assert.notEqual(again.json().event_id, first.event_id)
  })
})

describe('cases', () => {
  test('go with all that is on them so long after their end; open ones stay', async () => {
    const tenant = await openTenant('cases', { case_days: 30 })
    const ended = await push(tenant, '192.0.2.1', 3)
    const open = await push(tenant, '192.0.2.2')
    await tenant.send('POST', `${CASEWORK}/cases/${ended}/comments`, { text: 'Known.' })
    wait(100)
    await end(tenant, ended)
    assert.deepEqual(await pass(tenant), { case: 0, event: 0 })
    wait(31)
    assert.deepEqual(await pass(tenant), { case: 1, event: 3 })
    assert.equal((await tenant.send('GET', `${CASEWORK}/cases/${ended}`)).status, 404)
    assert.equal((await tenant.send('GET', `${CASEWORK}/cases/${open}`)).status, 200)
    for (const [table, rows] of [
      ['abuse_case', 1],
      ['event', 1],
      ['event_fingerprint', 1],
      ['case_comment', 0],
      ['case_history', 1],
    ] as const) {
      assert.equal(await countRows(table, tenant), rows, table)
    }
    assert.deepEqual(await findDifferences(tenant), [])
    const next = await push(tenant, '192.0.2.1')
    assert.notEqual(next, ended)
  })

  test('that were merged away go with the case they went into, which is when that has ended long enough', async () => {
    const tenant = await openTenant('merged', { case_days: 30 })
    const target = await push(tenant, '192.0.2.1')
    const [source, deeper] = [await push(tenant, '192.0.2.2'), await push(tenant, '192.0.2.3')]
    const merge = (into: string, from: string) =>
      tenant.send('POST', `${CASEWORK}/cases/${into}/merge`, { from: [from] })
    assert.equal((await merge(source, deeper)).status, 200)
    assert.equal((await merge(target, source)).status, 200)
    wait(40)
    const due = async () => (await tenant.send('GET', `${CASEWORK}/retention`)).json().due.cases
    assert.equal(await due(), 0)
    assert.deepEqual(await pass(tenant), { case: 0, event: 0 })
    const back = await tenant.send('POST', `${CASEWORK}/cases/${target}/unmerge`, {
      from: [source],
    })
    assert.equal(back.status, 200, back.text)
    assert.equal((await merge(target, source)).status, 200)
    const { version } = (await tenant.send('GET', `${CASEWORK}/cases/${target}`)).json()
    const close = { state: 'CLOSED', close_reason: 'expired', version }
    assert.equal((await tenant.send('PATCH', `${CASEWORK}/cases/${target}`, close)).status, 200)
    assert.deepEqual(await pass(tenant), { case: 0, event: 0 })
    // Left by whatever it was: it goes with its case.
    await query(
      app,
      `insert into case_slot (tenant_id, case_group_id, key_hash, case_id)
       select tenant_id, case_group_id, key_hash, $2 from abuse_case where tenant_id = $1 and id = $3`,
      [tenant.id, target, source],
    )
    wait(31)
    assert.equal(await due(), 3)
    assert.deepEqual(await pass(tenant), { case: 3, event: 3 })
    for (const table of ['abuse_case', 'event', 'case_slot', 'case_history', 'case_merge']) {
      assert.equal(await countRows(table, tenant), 0, table)
    }
    for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      assert.ok(![target, source, deeper].includes(await push(tenant, ip)))
    }
  })

  test('that are larger than a batch go in several, each of which leaves true counts', async () => {
    const tenant = await openTenant('large', null)
    const ended = await push(tenant, '192.0.2.1', 5)
    await end(tenant, ended)
    const { kysely } = app.services.foundation.database
    const later = new Date(clock.nowMs() + DAY_MS)
    const batches = []
    for (let done = false; !done; ) {
      const batch = await inTransaction(kysely, (tx) =>
        removeCases(tx, { tenantId: tenant.id }, later, { casesMax: 10, eventsMax: 2 }),
      )
      assert.deepEqual(await findDifferences(tenant), [])
      batches.push([batch.cases, batch.events])
      done = batch.isDone
    }
    assert.deepEqual(batches, [
      [0, 2],
      [0, 2],
      [1, 1],
    ])
  })

  test('stay while a mitigation of them, or of a case merged into them, is in force', async () => {
    const tenant = await openTenant('mitigated', { case_days: 1 })
    const target = await push(tenant, '192.0.2.1')
    const source = await push(tenant, '192.0.2.2')
    const path = `${CASEWORK}/cases/${source}/mitigations`
    const body = { kind: 'null_route', target_type: 'ip', target: '192.0.2.2', adapter: 'manual' }
    const { id } = (await tenant.send('POST', path, body)).json()
    const tell = async (verb: string, json?: object) =>
      (await tenant.send('POST', `${CASEWORK}/mitigations/${id}/${verb}`, json)).json().state
    assert.equal(await tell('result', { result: 'done' }), 'active')
    const into = { from: [source], reason: 'x' }
    const merged = await tenant.send('POST', `${CASEWORK}/cases/${target}/merge`, into)
    assert.equal(merged.status, 200, merged.text)
    const { version } = (await tenant.send('GET', `${CASEWORK}/cases/${target}`)).json()
    const close = { state: 'CLOSED', close_reason: 'expired', version }
    assert.equal((await tenant.send('PATCH', `${CASEWORK}/cases/${target}`, close)).status, 200)
    wait(2)
    const due = async () => (await tenant.send('GET', `${CASEWORK}/retention`)).json().due.cases
    assert.deepEqual([await due(), (await pass(tenant))['case']], [0, 0])
    await tell('undo')
    assert.equal(await tell('result', { result: 'done' }), 'removed')
    assert.deepEqual([await due(), (await pass(tenant))['case']], [2, 2])
    assert.equal(await countRows('mitigation', tenant), 0)
  })

  test('go with their runs, whose playbook stays', async () => {
    const tenant = await openTenant('runs', { case_days: 1 })
    const made = await tenant.send('POST', `${CASEWORK}/playbooks`, {
      name: 'waits',
      nodes: [
        { id: 'start', kind: 'start', paths: { next: 'ask' } },
        { id: 'ask', kind: 'trigger', config: { paths: ['done'] }, paths: {} },
      ],
    })
    assert.equal(made.status, 201, made.text)
    const playbook = `${CASEWORK}/playbooks/${made.json().id}`
    assert.equal((await tenant.send('POST', `${playbook}/versions/1/activate`)).status, 200)
    await tenant.send('PATCH', `${CASEWORK}/case-groups/default`, { playbook_id: made.json().id })
    const ended = await push(tenant, '192.0.2.1')
    assert.deepEqual([await countRows('run', tenant), await countRows('run_token', tenant)], [1, 1])
    await end(tenant, ended)
    wait(2)
    assert.equal((await pass(tenant))['case'], 1)
    assert.deepEqual([await countRows('run', tenant), await countRows('run_token', tenant)], [0, 0])
    assert.equal((await tenant.send('GET', playbook)).status, 200)
  })
})

describe('the settings', () => {
  test('keep everything while there are none, and nothing of another tenant is touched', async () => {
    const keeps = await openTenant('keeps', null)
    const short = await openTenant('short', { event_days: 1 })
    for (const tenant of [keeps, short]) await end(tenant, await push(tenant, '192.0.2.1'))
    wait(5_000)
    await pass(keeps)
    await pass(short)
    assert.deepEqual([await countRows('event', keeps), await countRows('event', short)], [1, 0])
  })

  test('200 with what they would remove, before they are set; it removes nothing', async () => {
    const tenant = await openTenant('tried', { raw_report_days: 400 })
    await end(tenant, await push(tenant, '192.0.2.1', 2))
    await push(tenant, '192.0.2.2')
    await sendReport(tenant, '192.0.2.3')
    wait(100)
    const path = `${CASEWORK}/retention`
    const now = (await tenant.send('GET', path)).json()
    assert.deepEqual(now.settings, { raw_report_days: 400 })
    assert.equal(now.due.raw_reports, 0)
    const days = 'raw_report_days=30&event_days=30&case_days=30'
    const tried = (await tenant.send('GET', `${path}?${days}`)).json()
    assert.deepEqual(
      { ...tried.due, raw_bytes: tried.due.raw_bytes > 100 },
      { raw_reports: 1, raw_bytes: true, events: 2, reports: 1, cases: 1, audit: 0 },
    )
    await pass(tenant)
    assert.equal(await countRows('event', tenant), 4)
    for (const wrong of ['event_days=0', 'event_days=x', 'days=1']) {
      assert.equal((await tenant.send('GET', `${path}?${wrong}`)).status, 400)
    }
    const reader = await app.createToken({ tenantId: tenant.id, scopes: ['cases:read'] })
    assert.equal((await app.send('GET', path, { token: reader })).status, 403)
    const wrong = { settings: { retention: { event_days: 0 } } }
    assert.equal((await tenant.send('PATCH', '/beta/admin/tenants/tried', wrong)).status, 400)
  })

  test('are followed by one node at a time', async () => {
    const tenant = await openTenant('turns', { event_days: 1 })
    await pass(tenant)
    const { kysely, pool } = app.services.foundation.database
    assert.equal(await claimRetentionTurn(kysely, 60), null)
    await pool.query('update tenant set retention_at = now() where id = $1', [tenant.id])
    const turns = await Promise.all([1, 2, 3].map(() => claimRetentionTurn(kysely, 60)))
    assert.deepEqual(
      turns.filter((turn) => turn !== null).map((turn) => turn.tenantId),
      ['turns'],
    )
  })
})
