// Statistics over HTTP, against counts by hand; what is too wide or too much at once is refused.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pool } from 'pg'
import { asObserver, type TestAnswer, withApp } from '../../../../test/harness.ts'
import { openPlanReader, writeManyEvents } from '../../../../test/plan-kit.ts'
import { getStatsRoute } from './get-stats.ts'
import { countStats } from './stats-store.ts'

const MAY = { from: '2026-05-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z' }
const DATES = ['05-01T00:00', '05-01T23:59', '05-02T12:00', '05-31T23:59', '06-01T00:00']

const app = withApp({}, async ({ send, token, createTenant, createToken }) => {
  await createTenant('other')
  const stranger = await createToken({ tenantId: 'other' })
  for (const as of [token, stranger]) {
    const json = DATES.map((date, at) => ({
      event_date: `2026-${date}:00Z`,
      event_type: at < 3 ? 'Spam' : 'PortScan',
      customer_id: `k-${at % 2}`,
      report_id: `r-${at}`,
    }))
    assert.equal((await send('POST', '/beta/casework/events', { token: as, json })).status, 200)
  }
})

function read(query: Record<string, string>, token = app.token): Promise<TestAnswer> {
  return app.send('GET', `/beta/casework/stats?${new URLSearchParams(query).toString()}`, { token })
}

test('events of a time are counted by intervals and values, those of the tenant alone', async () => {
  const answer = await read({ metric: 'events', interval: 'day', by: 'event_type', ...MAY })
  assert.equal(answer.status, 200, answer.text)
  const { series, top, ...rest } = answer.json()
  assert.deepEqual(rest, {
    metric: 'events',
    ...MAY,
    total: 4,
  })
  assert.deepEqual(
    top.map((one: { value: string; count: number; series: number[] }) => ({
      value: one.value,
      count: one.count,
      days: one.series.flatMap((count, day) => (count > 0 ? [[day, count]] : [])),
    })),
    [
      {
        value: 'Spam',
        count: 3,
        days: [
          [0, 2],
          [1, 1],
        ],
      },
      { value: 'PortScan', count: 1, days: [[30, 1]] },
    ],
  )
  assert.equal(series.length, 31)
  const counted = series.filter(({ count }: { count: number }) => count > 0)
  assert.deepEqual(counted, [
    { at: '2026-05-01T00:00:00.000Z', count: 2 },
    { at: '2026-05-02T00:00:00.000Z', count: 1 },
    { at: '2026-05-31T00:00:00.000Z', count: 1 },
  ])
  const weeks = (await read({ metric: 'events', interval: 'week', ...MAY })).json().series
  assert.deepEqual(
    weeks.map(({ at, count }: { at: string; count: number }) => [at.slice(0, 10), count]),
    [
      ['2026-04-27', 3],
      ['2026-05-04', 0],
      ['2026-05-11', 0],
      ['2026-05-18', 0],
      ['2026-05-25', 1],
    ],
  )
  const months = { metric: 'events', interval: 'month', ...MAY, to: '2026-07-01T00:00:00Z' }
  assert.deepEqual((await read(months)).json().series, [
    { at: '2026-05-01T00:00:00.000Z', count: 4 },
    { at: '2026-06-01T00:00:00.000Z', count: 1 },
  ])
  const narrowed = { metric: 'events', customer_id: 'k-1', event_type: 'Spam', by: 'ip', ...MAY }
  const one = (await read(narrowed)).json()
  assert.deepEqual([one.total, one.top], [1, [{ count: 1 }]])
  const first = (await read({ metric: 'events', by: 'customer_id', limit: '1', ...MAY })).json()
  assert.deepEqual(first.top, [{ value: 'k-0', count: 2 }])
})

test('events are counted for one case, an unknown one has none', async () => {
  const { items } = (await app.send('GET', '/beta/casework/cases', { token: app.token })).json()
  const counts: number[] = []
  for (const { id } of [...items, { id: 'C-none' }]) {
    counts.push((await read({ metric: 'events', case_id: id, ...MAY })).json().total)
  }
  assert.equal(counts.at(-1), 0)
  assert.ok(counts[0] !== undefined && counts[0] > 0 && counts[0] < 4)
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    4,
  )
  assert.equal((await read({ case_id: 'C-1' })).status, 400)
})

test('cases are counted by their opening and their end, reports by their arrival, thirty days when nothing is said', async () => {
  const groups = (await read({ by: 'case_group' })).json()
  assert.deepEqual([groups.metric, groups.total], ['cases_opened', 2])
  assert.deepEqual(groups.top, [{ value: 'default', count: 2 }])
  assert.equal(Date.parse(groups.to) - Date.parse(groups.from), 30 * 86_400_000)
  assert.equal((await read({ metric: 'cases_ended' })).json().total, 0)
  const { items } = (await app.send('GET', '/beta/casework/cases', { token: app.token })).json()
  const json = { version: 1, state: 'CLOSED', close_reason: 'expired' }
  await app.send('PATCH', `/beta/casework/cases/${items[0].id}`, { token: app.token, json })
  const ended = (await read({ metric: 'cases_ended', by: 'close_reason' })).json()
  assert.deepEqual(ended.top, [{ value: 'expired', count: 1 }])
  const report = { token: app.token, json: { x: 1 } }
  await app.send('POST', '/beta/casework/reports', report)
  const reports = (await read({ metric: 'reports', by: 'state', interval: 'hour' })).json()
  assert.equal(reports.total, 1)
  assert.equal(reports.series.at(-1).count + reports.series.at(-2).count, 1)
})

test('how long ended cases took: the median and nine of ten, of all and of each interval', async () => {
  const tenantId = 'times'
  await app.createTenant(tenantId)
  const token = await app.createToken({ tenantId })
  for (const at of [1, 2, 3, 4]) {
    const event = { event_date: MAY.from, event_type: 'Spam', report_id: `t-${at}` }
    const json = [{ ...event, customer_id: `t-${at}` }]
    await app.send('POST', '/beta/casework/events', { token, json })
  }
  const { items } = (await app.send('GET', '/beta/casework/cases', { token })).json()
  for (const { id } of items) {
    const json = { version: 1, state: 'CLOSED', close_reason: 'expired' }
    const changed = await app.send('PATCH', `/beta/casework/cases/${id}`, { token, json })
    assert.equal(changed.status, 200, changed.text)
  }
  // One, two, three and four hours in May; the program gives no time but its own.
  const pool = new Pool({ ...asObserver(app.connection), max: 1 })
  const updated = await pool.query(
    `update abuse_case set created_at = $2::timestamptz,
       ended_at = ($2::timestamptz at time zone 'UTC' + substr(customer_id, 3)::int * interval '1 hour') at time zone 'UTC'
     where tenant_id = $1`,
    [tenantId, MAY.from],
  )
  await pool.end()
  assert.equal(updated.rowCount, 4)
  const times = (await read({ metric: 'cases_ended', interval: 'week', ...MAY }, token)).json()
  assert.deepEqual([times.median_seconds, times.p90_seconds], [9_000, 13_320])
  assert.deepEqual(times.series.slice(0, 2), [
    { at: '2026-04-27T00:00:00.000Z', count: 4, median_seconds: 9_000, p90_seconds: 13_320 },
    { at: '2026-05-04T00:00:00.000Z', count: 0 },
  ])
  const opened = (await read({ metric: 'cases_opened', interval: 'week', ...MAY }, token)).json()
  assert.equal(opened.median_seconds, undefined)
})

test('400 for what is no statistic or too wide, with the parameter, and 403 without events:read', async () => {
  const wrong: [Record<string, string>, string][] = [
    [{ metric: 'notices' }, '/metric'],
    [{ by: 'colour' }, '/by'],
    [{ by: 'case_group_id' }, '/by'],
    [{ metric: 'events', by: 'severity' }, '/by'],
    [{ event_type: 'Spam' }, '/event_type'],
    [{ metric: 'reports', customer_id: 'x' }, '/customer_id'],
    [{ from: 'May' }, '/from'],
    [{ from: MAY.to, to: MAY.from }, '/from'],
    [{ from: '2020-01-01T00:00:00Z', to: MAY.to }, '/from'],
    [{ interval: 'hour', from: '2026-01-01T00:00:00Z', to: MAY.to }, '/interval'],
    [{ interval: 'minute' }, '/interval'],
    [{ limit: '101' }, '/limit'],
  ]
  for (const [query, path] of wrong) {
    const answer = await read(query)
    assert.equal(answer.status, 400, JSON.stringify(query))
    assert.ok(
      answer.json().errors.some((problem: { path: string }) => problem.path === path),
      answer.text,
    )
  }
  const reader = await app.createToken({ scopes: ['cases:read'] })
  assert.equal((await read({ metric: 'events' }, reader)).status, 403)
  assert.equal((await read({ metric: 'reports' }, reader)).status, 403)
  assert.equal((await read({}, reader)).status, 200)
})

test('503 when too many statistics are counted at once', async () => {
  const answers = await Promise.all(Array.from({ length: 30 }, () => read({})))
  const busy = answers.filter(({ status }) => status === 503)
  assert.ok(busy.length > 0)
  for (const answer of busy) {
    assert.equal(answer.json().code, 'CASEWORK_STATS_BUSY')
    assert.equal(answer.headers['retry-after'], '2')
  }
  assert.ok(answers.some(({ status }) => status === 200))
})

test('400 for a time with more records than are counted', async () => {
  const { database, clock } = app.services.foundation
  const caller = { tenantId: 'default', scopes: new Set(['cases:read', 'events:read']) }
  const ask = async (rowsMax: number): Promise<unknown> => {
    const route = getStatsRoute({ db: database.kysely, clock, rowsMax })
    return await route.handle({ caller, query: { metric: 'events', ...MAY } } as never)
  }
  await ask(4)
  await assert.rejects(ask(3), { code: 'CASEWORK_STATS_TOO_WIDE', status: 400 })
})

const MANY = 'many'

test('statistics read the time they count by an index', async () => {
  await app.createTenant(MANY)
  await writeManyEvents(app.connection, MANY, 12_000)
  const reader = openPlanReader(app.connection)
  try {
    const [from, to] = [new Date('2026-01-01T01:00:00Z'), new Date('2026-01-01T01:10:00Z')]
    const rest = { from, to, interval: 'hour', limit: 10, filters: {} } as const
    for (const metric of ['events', 'cases_opened', 'cases_ended'] as const) {
      const by = metric === 'events' ? 'event_type' : 'state'
      const request = { ...rest, metric, by }
      const bounds = { rowsMax: 500_000, statementMsMax: 5_000 }
      await countStats(reader.db, { tenantId: MANY }, request, bounds)
      const plans = (await reader.readPlans()).join('\n')
      assert.match(plans, /Index/, metric)
      assert.doesNotMatch(plans, /Seq Scan/, metric)
    }
  } finally {
    await reader.close()
  }
})

test('503 for statistics that are not counted in time', async () => {
  const { database, clock } = app.services.foundation
  const caller = { tenantId: MANY, scopes: new Set(['cases:read', 'events:read']) }
  const query = { metric: 'events', by: 'ip', from: '2026-01-01T00:00:00Z' }
  const to = '2026-01-02T00:00:00Z'
  const route = getStatsRoute({ db: database.kysely, clock, statementMsMax: 1 })
  const asked = route.handle({ caller, query: { ...query, to } } as never)
  await assert.rejects(Promise.resolve(asked), { code: 'CASEWORK_STATS_TOO_SLOW', status: 503 })
})
