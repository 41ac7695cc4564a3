import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Counter } from 'prom-client'
import { withApp } from '../../../../test/harness.ts'
import { removeMonths } from './remove-months.ts'

const CASEWORK = '/beta/casework'
const DAY_MS = 24 * 60 * 60 * 1_000
const clock = { ahead: 0, nowMs: () => Date.now() + clock.ahead }
const app = withApp({ clock })

async function openTenant(id: string, eventDays: number) {
  await app.createTenant(id)
  const token = await app.createToken({ tenantId: id })
  const send = async (method: string, path: string, json?: unknown) => {
    const answer = await app.send(method, path, {
      token,
      ...(json === undefined ? {} : { json }),
    })
    assert.ok(answer.status < 300, answer.text)
    return answer
  }
  const settings = { retention: { event_days: eventDays } }
  await send('PATCH', `/beta/admin/tenants/${id}`, { settings })
  const push = async (ip: string, count: number): Promise<string> => {
    const events = Array.from({ length: count }, (_, place) => ({
      event_type: 'PortScan',
      event_date: '2026-11-01T00:00:00Z',
      ip,
      event_details: { place },
      report_id: `${ip}-${place}`,
    }))
    return (await send('POST', `${CASEWORK}/events`, events)).json().items[0].case_id
  }
  const end = async (caseId: string): Promise<void> => {
    const { version } = (await send('GET', `${CASEWORK}/cases/${caseId}`)).json()
    const change = { state: 'CLOSED', close_reason: 'expired', version }
    await send('PATCH', `${CASEWORK}/cases/${caseId}`, change)
  }
  const count = async (caseId: string): Promise<number> =>
    (await send('GET', `${CASEWORK}/cases/${caseId}`)).json().event_count
  return { id, send, push, end, count }
}

async function query<Row extends object>(text: string): Promise<readonly Row[]> {
  return (await app.services.foundation.database.pool.query<Row>(text)).rows
}

/** What one run removed, by kind. */
async function run(): Promise<Record<string, number>> {
  const { foundation } = app.services
  const removed = new Counter({ name: 'x', help: 'x', labelNames: ['kind'], registers: [] })
  const { pool, kysely: db } = foundation.database
  await removeMonths({ ...foundation, pool, db, removed }, new AbortController().signal)
  const { values } = await removed.get()
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.kind), value]))
}

async function hasMonth(): Promise<boolean> {
  const rows = await query(
    `select from pg_class where relname ~ '^event_until_[0-9_]+$' and relkind = 'r'`,
  )
  return rows.length === 1
}

test('a month goes as a whole when no setting, open case, unread report or legal hold of any tenant keeps a row of it', async () => {
  const short = await openTenant('short', 30)
  const long = await openTenant('long', 400)
  const held = await short.push('192.0.2.1', 3)
  const open = await short.push('192.0.2.2', 2)
  const other = await long.push('192.0.2.1', 4)
  for (const id of [held]) await short.end(id)
  await long.end(other)
  const reason = { reason: 'A court asked.' }
  await short.send('POST', `${CASEWORK}/cases/${held}/hold`, reason)
  const kept = async (by: string): Promise<void> => {
    assert.equal((await run())['event'] ?? 0, 0, by)
    assert.equal(await hasMonth(), true, by)
    assert.deepEqual([await short.count(held), await long.count(other)], [3, 4], by)
  }

  clock.ahead = 100 * DAY_MS
  await kept('the setting of the other tenant')
  clock.ahead = 500 * DAY_MS
  await kept('a legal hold and an open case')
  await short.send('POST', `${CASEWORK}/cases/${held}/hold/lift`, reason)
  await kept('an open case')
  await short.end(open)
  const [report] = await query<{ id: string }>(
    `insert into report (tenant_id, id, received_at, media_type, byte_length, sha256, state, reason, received_by)
     select 'short', '01900000-0000-7000-8000-000000000001', now(), 'text/plain', 1, '\\x00', 'quarantined', 'The report has not been read yet.', 'a'
     returning id`,
  )
  await query(
    `update event set report_id = '${report?.id}' where tenant_id = 'short' and case_id = '${open}'`,
  )
  await kept('an unread report')
  await query(`update report set reason = 'It is spam.' where id = '${report?.id}'`)

  assert.deepEqual(await run(), { event: 9, month: 1 })
  assert.equal(await hasMonth(), false)
  for (const [tenant, id, count] of [
    [short, held, 3],
    [short, open, 2],
    [long, other, 4],
  ] as const) {
    assert.equal(await tenant.count(id), 0)
    const history = (await tenant.send('GET', `${CASEWORK}/cases/${id}/history`)).json().items
    const changes = history.filter(({ kind }: { kind: string }) => kind === 'retention')
    assert.deepEqual(
      changes.map((one: { changes: object }) => one.changes),
      [{ events_removed: count }],
    )
  }
  for (const table of ['event', 'event_fingerprint', 'held_event']) {
    assert.deepEqual(await query(`select from ${table}`), [], table)
  }
  // What comes again is new, and is stored.
  await long.push('192.0.2.1', 1)
  assert.equal((await query('select from event')).length, 1)
})

test('a month that was taken out when its process died is settled by the next run', async () => {
  // A month without an event: on Citus one is made for such only.
  clock.ahead += 40 * DAY_MS
  await query(
    `select add_month('event', 'event_id', date_trunc('month', to_timestamp(${clock.nowMs() / 1_000}))::date)`,
  )
  const tenant = await openTenant('died', 30)
  const id = await tenant.push('192.0.2.9', 5)
  await tenant.end(id)
  await (await openTenant('beside', 30)).push('192.0.2.1', 1)
  const [{ shard } = { shard: '' }] = await query<{ shard: string }>(
    `select tableoid::regclass::text as shard from event where tenant_id = 'died' limit 1`,
  )
  // On Citus the number of the shard stands behind the month.
  const name = shard.replace(/(?<=_\d{2})_\d{6}$/, '')
  assert.match(name, /^event_\d{4}_\d{2}$/)
  await query(`alter table event detach partition ${name}`)
  assert.equal(await tenant.count(id), 5)
  assert.equal((await run())['event'], 6)
  assert.equal(await tenant.count(id), 0)
  assert.deepEqual(await query(`select from pg_class where relname = '${name}'`), [])
})
