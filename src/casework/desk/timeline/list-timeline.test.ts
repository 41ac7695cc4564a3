// The timeline of a case over HTTP: every kind on one axis, in pages, with the rights of the token.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestAnswer, withApp } from '../../../../test/harness.ts'
import { createRecords } from '../../../../test/operation-samples.ts'
import { openPlanReader, writeManyEvents } from '../../../../test/plan-kit.ts'
import { query, runDueSteps } from '../../../../test/playbook-fixtures.ts'
import { walkList } from '../../../../test/walk-list.ts'
import { findListSummaries } from '../../cases/lists/list-summary-store.ts'
import { listTimeline } from './timeline-store.ts'
import { TIMELINE_KINDS } from './timeline-wire.ts'

interface Entry {
  readonly kind: string
  readonly id: string
  readonly at: string
  readonly what: string
}

let path = ''
const app = withApp({}, async (opened) => {
  const records = await createRecords(opened, 'default', opened.token)
  const caseId = records.get('case')?.['caseId'] ?? ''
  path = `/beta/casework/cases/${caseId}`
  await runDueSteps(opened)
  const { pool } = opened.services.foundation.database
  const post = (to: string, json: object) => opened.send('POST', to, { token: opened.token, json })
  await post(`${path}/comments`, { text: 'Called the customer.' })
  // A report whose event joins the case, and attempts that no worker of this test makes.
  const reportId = records.get('report')?.['reportId']
  await pool.query('update event set report_id = $1 where case_id = $2', [reportId, caseId])
  await pool.query(
    `insert into notice_attempt (tenant_id, notice_id, attempt, duration_ms, outcome, failure)
     values ('default', $1, 1, 5, 'postponed', 'No relay.')`,
    [records.get('notice')?.['noticeId']],
  )
  await pool.query(
    `insert into mitigation_attempt (tenant_id, mitigation_id, case_id, attempt, action) values ('default', $1, $2, 1, 'execute')`,
    [records.get('mitigation')?.['mitigationId'], caseId],
  )
})

function read(wish: string, token = app.token): Promise<TestAnswer> {
  return app.send('GET', `${path}/timeline?${wish}`, { token })
}

function walk(wish: string): Promise<readonly Entry[]> {
  return walkList((page) => app.send('GET', page, { token: app.token }), `${path}/timeline?${wish}`)
}

const name = ({ at, kind, id }: Entry): string => `${at} ${kind} ${id}`

test('a timeline has every kind of record of its case on one axis, and pages have each entry once', async () => {
  const answer = await read('limit=1000')
  assert.equal(answer.status, 200, answer.text)
  const { items, kinds } = answer.json()
  assert.deepEqual(kinds, TIMELINE_KINDS)
  const seen = new Set<string>(items.map(({ kind }: Entry) => kind))
  assert.deepEqual(seen, new Set<string>(TIMELINE_KINDS))
  const names: string[] = items.map(name)
  assert.deepEqual(names, names.toSorted().toReversed())
  assert.equal(new Set(names).size, names.length)
  for (const limit of [1, 2, 5]) {
    assert.deepEqual((await walk(`limit=${limit}`)).map(name), names)
    assert.deepEqual((await walk(`limit=${limit}&order=asc`)).map(name), names.toReversed())
  }
  const comment = items.find(({ kind }: Entry) => kind === 'comment')
  assert.equal(comment.text, 'Called the customer.')
  assert.equal(comment.is_foreign, false)
  assert.equal(items.filter(({ what }: Entry) => what === 'comment').length, 1)
  const event = items.find(({ kind }: Entry) => kind === 'event')
  assert.equal(event.data['ip'], '192.0.2.1')
  assert.equal(event.what, 'PortScan')
})

test('kinds narrow a timeline down, and a cursor belongs to its kinds', async () => {
  const { items, kinds, next_cursor: cursor } = (await read('kinds=visit,history&limit=1')).json()
  assert.deepEqual(kinds, ['history', 'visit'])
  assert.equal(items.length, 1)
  assert.equal((await read(`kinds=history,visit&limit=1&cursor=${cursor}`)).status, 200)
  assert.equal((await read(`kinds=history&limit=1&cursor=${cursor}`)).status, 400)
  for (const wish of ['kinds=', 'kinds=x', 'kinds=event,', 'sort=at']) {
    assert.equal((await read(wish)).status, 400, wish)
  }
})

test('events and reports are on a timeline for tokens with events:read only', async () => {
  const token = await app.createToken({ scopes: ['cases:read'] })
  const answer = await read('', token)
  const { items, kinds } = answer.json()
  assert.deepEqual(
    kinds,
    TIMELINE_KINDS.filter((kind) => kind !== 'event' && kind !== 'report'),
  )
  assert.ok(items.every(({ kind }: Entry) => kind !== 'event' && kind !== 'report'))
  assert.equal((await read('kinds=event', token)).status, 403)
  assert.equal((await read('kinds=history', token)).status, 200)
})

test('a page of a timeline and the summaries of a list read no table from end to end', async () => {
  await app.createTenant('many')
  await writeManyEvents(app.connection, 'many', 12_000)
  const caseId = 'C-01900000-0000-7000-8000-000000000007'
  await query(
    app,
    `insert into visit (tenant_id, run_id, token_id, visit, case_id, node, kind, entered_at, left_at)
     select 'many', '01900000-0000-7000-8000-000000000001', n % 3, n, $1, 'a', 'comment', now(),
       timestamptz '2026-01-01' + n / 4 * interval '1 second' from generate_series(1, 6000) as n`,
    [caseId],
  )
  await query(app, 'analyze visit')
  const reader = openPlanReader(app.connection)
  const scope = { tenantId: 'many' }
  try {
    const ids: string[] = []
    let position: readonly string[] | null = null
    for (let page = 0; page < 4; page += 1) {
      const request = { order: 'desc', limit: 10, position } as const
      const rows = await listTimeline(reader.db, scope, caseId, ['event', 'visit'], request)
      assert.equal(rows.length, 11)
      const taken = rows.slice(0, 10)
      ids.push(...taken.map((row) => `${row.at_ms} ${row.kind} ${row.id}`))
      const last = taken.at(-1)
      assert.ok(last !== undefined)
      position = [String(last.at_ms), last.kind, last.id]
    }
    const request = { order: 'desc', limit: 40, position: null } as const
    const all = await listTimeline(reader.db, scope, caseId, ['event', 'visit'], request)
    const whole = all.slice(0, 40).map((row) => `${row.at_ms} ${row.kind} ${row.id}`)
    assert.deepEqual(ids, whole)
    await listTimeline(reader.db, scope, caseId, ['history', 'comment'], request)
    await findListSummaries(reader.db, scope, [caseId])
    const plans = (await reader.readPlans()).join('\n')
    assert.doesNotMatch(plans, /Seq Scan on (?:event|abuse_case|visit)/)
    assert.match(plans, /visit_of_case/)
  } finally {
    await reader.close()
  }
})
