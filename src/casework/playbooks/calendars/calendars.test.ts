// Calendars of a tenant: their routes, and the nodes that count by them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { withApp } from '../../../../test/harness.ts'
import {
  createActivePlaybook,
  createCases,
  type GraphNode,
  query,
  runDueSteps,
} from '../../../../test/playbook-fixtures.ts'
import { countLockWaits } from '../../../../test/query.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { inTransaction } from '../../../kernel/db/database.ts'
import { deleteCalendar, keepCalendars, lockCalendar } from './calendar-store.ts'

const PATH = '/beta/casework/calendars'
const PROBLEM = { accept: 'application/problem+json' }
const ALWAYS = { from: '00:00', to: '24:00' }
// Never closed, so that hours of it are hours.
const AROUND_THE_CLOCK = {
  time_zone: 'Europe/Berlin',
  hours: Object.fromEntries(
    ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [
      day,
      [ALWAYS],
    ]),
  ),
}
// Open for a minute a week.
const RARE = { time_zone: 'UTC', hours: { monday: [{ from: '00:00', to: '00:01' }] } }

let strangerToken: string
const app = withApp({}, async (opened) => {
  await opened.createTenant('other')
  strangerToken = await opened.createToken({ tenantId: 'other' })
})

function send(method: string, path: string, json?: unknown, token = app.token) {
  return app.send(method, path, {
    token,
    headers: PROBLEM,
    ...(json === undefined ? {} : { json }),
  })
}

async function createRunningCase(nodes: readonly GraphNode[]): Promise<string> {
  const playbook = await createActivePlaybook(app, app.token, nodes)
  const [caseId = ''] = await createCases(app, 'default', playbook, 1)
  await runDueSteps(app)
  return caseId
}

async function readTimer(caseId: string) {
  const [row] = await query<{ entered_at: Date; timer_at: Date }>(
    app,
    'select entered_at, timer_at from run_token where case_id = $1',
    [caseId],
  )
  assert.ok(row)
  return { enteredMs: row.entered_at.getTime(), timerMs: row.timer_at.getTime() }
}

test('a calendar is set, replaced, listed, read and deleted, and another tenant sees none', async () => {
  assert.equal((await send('PUT', `${PATH}/shop`, RARE)).status, 200)
  const put = await send('PUT', `${PATH}/shop`, { ...RARE, holidays: ['2027-01-01'] })
  assert.deepEqual(
    [put.status, put.json().name, put.json().holidays],
    [200, 'shop', ['2027-01-01']],
  )
  assert.deepEqual((await send('GET', `${PATH}/shop`)).json(), put.json())
  assert.deepEqual((await send('GET', PATH)).json().items, [put.json()])
  assert.deepEqual((await send('GET', PATH, undefined, strangerToken)).json().items, [])
  for (const method of ['GET', 'DELETE']) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const answer = await send(method, `${PATH}/shop`, undefined, strangerToken)
    assert.deepEqual([answer.status, answer.json().code], [404, 'CASEWORK_CALENDAR_NOT_FOUND'])
  }
  assert.equal((await send('DELETE', `${PATH}/shop`)).status, 204)
  assert.equal((await send('GET', `${PATH}/shop`)).status, 404)
  const wrong = await send('PUT', `${PATH}/shop`, { time_zone: 'UTC', hours: {} })
  assert.deepEqual(
    [wrong.status, wrong.json().code, wrong.json().errors[0].path],
    [400, 'CASEWORK_CALENDAR_NOT_VALID', '/hours'],
  )
})

test('409 beyond fifty (CASEWORK_TOO_MANY_CALENDARS), which stores nothing', async () => {
  await query(
    app,
    `insert into calendar (tenant_id, name, settings) select 'other', 'c' || n, '{}' from generate_series(1, 50) as n on conflict do nothing`,
  )
  const refused = await send('PUT', `${PATH}/more`, RARE, strangerToken)
  assert.deepEqual([refused.status, refused.json().code], [409, 'CASEWORK_TOO_MANY_CALENDARS'])
  assert.equal((await send('GET', `${PATH}/more`, undefined, strangerToken)).status, 404)
  await query(app, `delete from calendar where tenant_id = 'other'`)
})

test('nodes count by the calendar: delay, until an opening, a deadline, a timeout', async () => {
  await send('PUT', `${PATH}/office`, AROUND_THE_CLOCK)
  await send('PUT', `${PATH}/rare`, RARE)
  const eight = { business: 'PT8H', calendar: 'office' }
  const delayed = await createRunningCase([
    { id: 'begin', kind: 'start', paths: { next: 'deadline' } },
    { id: 'deadline', kind: 'set_deadline', config: eight, paths: { next: 'wait' } },
    { id: 'wait', kind: 'delay', config: { business: 'PT30M', calendar: 'office' } },
  ])
  const delay = await readTimer(delayed)
  assert.equal(delay.timerMs - delay.enteredMs, 1_800_000)
  const [row] = await query<{ deadline_at: Date }>(
    app,
    'select deadline_at from abuse_case where id = $1',
    [delayed],
  )
  const deadlineMs = row?.deadline_at.getTime() ?? 0
  assert.ok(Math.abs(deadlineMs - delay.enteredMs - 8 * 3_600_000) < 60_000)

  const opening = await createRunningCase([
    { id: 'begin', kind: 'start', paths: { next: 'wait' } },
    { id: 'wait', kind: 'delay', config: { until: 'opening', calendar: 'rare' } },
  ])
  const opens = new Date((await readTimer(opening)).timerMs)
  assert.deepEqual([opens.getUTCDay(), opens.getUTCHours(), opens.getUTCMinutes()], [1, 0, 0])

  const asked = await createRunningCase([
    { id: 'begin', kind: 'start', paths: { next: 'ask' } },
    {
      id: 'ask',
      kind: 'manual',
      config: { paths: ['yes'], deadline: eight, timeout: { ...eight, business: 'PT9H' } },
      paths: { timeout: 'late' },
    },
    { id: 'late', kind: 'end' },
  ])
  const [shown] = (await send('GET', `/beta/casework/cases/${asked}/triggers`)).json().items
  const sinceMs = Date.parse(shown.since)
  assert.equal(Date.parse(shown.deadline_at) - sinceMs, 8 * 3_600_000)
  assert.equal(Date.parse(shown.timeout_at) - sinceMs, 9 * 3_600_000)
})

function countsBy(calendar: string): readonly GraphNode[] {
  return [
    { id: 'begin', kind: 'start', paths: { next: 'wait' } },
    { id: 'wait', kind: 'manual', config: { paths: ['x'], deadline: { business: 60, calendar } } },
  ]
}

test('a calendar of an active playbook stays, and a playbook that names none that there is, is not activated', async () => {
  await send('PUT', `${PATH}/used`, RARE)
  const playbook = await createActivePlaybook(app, app.token, countsBy('used'))
  const refused = await send('DELETE', `${PATH}/used`)
  assert.deepEqual([refused.status, refused.json().code], [409, 'CASEWORK_CALENDAR_IN_USE'])
  const versions = `/beta/casework/playbooks/${playbook}/versions`
  assert.equal((await send('POST', versions, { nodes: countsBy('none') })).status, 201)
  const missing = await send('POST', `${versions}/2/activate`)
  assert.deepEqual([missing.status, missing.json().code], [400, 'CASEWORK_PLAYBOOK_NOT_VALID'])
  assert.deepEqual(missing.json().errors, [
    {
      path: '/nodes/1/config',
      reason: 'names the calendar none, which there is not',
      node: 'wait',
      field: 'config',
    },
  ])
  // Gone by another way than the API: the run says so.
  await query(app, `delete from calendar where name = 'used'`)
  const [caseId = ''] = await createCases(app, 'default', playbook, 1)
  await runDueSteps(app)
  const [run] = (await send('GET', `/beta/casework/cases/${caseId}/runs`)).json().items
  assert.deepEqual([run.state, run.failure], ['failed', 'calendar_not_found'])
})

test('409 for the resume of a failed run whose calendar is gone, and no deletion below a run that was resumed', async () => {
  await send('PUT', `${PATH}/failing`, RARE)
  const nodes = [
    { id: 'begin', kind: 'start', paths: { next: 'wait' } },
    { id: 'wait', kind: 'manual', config: { paths: ['x'] }, paths: { x: 'late' } },
    { id: 'late', kind: 'delay', config: { business: 60, calendar: 'failing' } },
  ]
  const playbook = await createActivePlaybook(app, app.token, nodes)
  const [caseId = ''] = await createCases(app, 'default', playbook, 1)
  await runDueSteps(app)
  const [{ run_id: runId }] = (await send('GET', `/beta/casework/cases/${caseId}/runs`)).json()
    .items
  await query(app, "update run set state = 'failed', failure = 'test' where id = $1", [runId])
  await query(app, "update run_token set state = 'dead' where run_id = $1", [runId])
  // Its last run has failed, so nothing keeps the version or its calendar.
  await send('POST', `/beta/casework/playbooks/${playbook}/retire`)
  await query(app, "update playbook_version set state = 'inactive' where playbook_id = $1", [
    playbook,
  ])
  assert.equal((await send('DELETE', `${PATH}/failing`)).status, 204)
  const resume = () => send('POST', `/beta/casework/runs/${runId}/resume`, {})
  const refused = await resume()
  assert.deepEqual([refused.status, refused.headers['casework-reason']], [409, 'calendar_gone'])
  assert.match(refused.text, /Its name is failing\./)
  await send('PUT', `${PATH}/failing`, RARE)
  const resumed = await resume()
  assert.deepEqual([resumed.status, resumed.json().state], [200, 'active'], resumed.text)
  assert.equal((await send('DELETE', `${PATH}/failing`)).status, 409)
})

test('two calendars at once do not pass the bound', async () => {
  await query(
    app,
    `insert into calendar (tenant_id, name, settings)
     select 'other', 'full-' || nth, $1::jsonb from generate_series(1, 49) as nth`,
    [JSON.stringify(RARE)],
  )
  const puts = await Promise.all(
    ['one', 'two', 'three', 'four', 'five'].map((name) =>
      send('PUT', `${PATH}/${name}`, RARE, strangerToken),
    ),
  )
  const statuses = puts.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(statuses, [200, 409, 409, 409, 409])
  const { items } = (await send('GET', PATH, undefined, strangerToken)).json()
  assert.equal(items.length, 50)
  await query(app, `delete from calendar where tenant_id = 'other'`)
})

test('of a deletion and an activation at once the later one is refused', async () => {
  const { kysely } = app.services.foundation.database
  const scope = { tenantId: 'default' }
  const waitForOther = (): Promise<void> =>
    waitUntil(
      async () => (await countLockWaits(app.connection, 'calendar')) > 0,
      'the other one waits',
    )
  await send('PUT', `${PATH}/going`, RARE)
  const json = { name: 'Counts by what goes', nodes: countsBy('going') }
  const draft = (await send('POST', '/beta/casework/playbooks', json)).json()
  const { activating } = await inTransaction(kysely, async (tx) => {
    await lockCalendar(tx, scope, 'going')
    await deleteCalendar(tx, scope, 'going')
    const answer = send('POST', `/beta/casework/playbooks/${draft.id}/versions/1/activate`)
    await waitForOther()
    return { activating: answer }
  })
  assert.equal((await activating).status, 400, 'the calendar is gone')
  await send('PUT', `${PATH}/going`, RARE)
  const { deleting } = await inTransaction(kysely, async (tx) => {
    await keepCalendars(tx, scope, ['going'])
    await sql`update playbook_version set state = 'active'
      where tenant_id = 'default' and graph::text like '%"going"%'`.execute(tx)
    const answer = send('DELETE', `${PATH}/going`)
    await waitForOther()
    return { deleting: answer }
  })
  assert.equal((await deleting).status, 409)
})
