// What begins a run: a new case, a further event after a time of quiet, a change of state, or a
// caller. And a wait for a condition, which a change of the case ends.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { withApp } from '../../../../test/harness.ts'
import {
  createActivePlaybook,
  type GraphNode,
  query,
  runDueSteps,
} from '../../../../test/playbook-fixtures.ts'
import { silentLog } from '../../../kernel/log.ts'
import { createChangeFeed } from '../../changes/feed-changes.ts'
import { findCasesOfEvents } from '../../events/event-store.ts'
import { startPending } from './pending-start-store.ts'
import { createRunWaker } from './wake-runs.ts'

let token: string
const app = withApp({}, async (opened) => {
  token = opened.token
})

/** Hands on what was noted, by which starts are noted. */
async function noteChanges(): Promise<void> {
  const db = app.services.foundation.database.kysely
  const listeners = [createRunWaker({ findCasesOfEvents })]
  await createChangeFeed({ db, log: silentLog, metrics: new Registry(), listeners }).feed(10)
}

/** What the worker does with the changes, until nothing is left. */
async function feedChanges(): Promise<void> {
  const { database, ids } = app.services.foundation
  for (let round = 0; round < 3; round += 1) {
    await noteChanges()
    await startPending({ db: database.kysely, log: silentLog }, ids)
    await runDueSteps(app)
  }
}

let customers = 0

async function usePlaybook(nodes: readonly GraphNode[]): Promise<string> {
  const id = await createActivePlaybook(app, token, nodes)
  // By a request: the shipped groups of a tenant are rows from its first use of them on.
  const json = { playbook_id: id }
  const path = '/beta/casework/case-groups/default'
  const attached = await app.send('PATCH', path, { token, json })
  assert.equal(attached.status, 200, attached.text)
  customers += 1
  return id
}

let events = 0

async function pushEvent(): Promise<string> {
  events += 1
  const answer = await app.send('POST', '/beta/casework/events', {
    token,
    json: {
      event_date: '2026-11-20T10:00:00Z',
      event_type: 'Spam',
      ip: '192.0.2.7',
      customer_id: `starter-${customers}`,
      report_id: `start-report-${events}`,
    },
  })
  return answer.json().case_id
}

async function move(caseId: string, json: object): Promise<void> {
  const path = `/beta/casework/cases/${caseId}`
  const moved = await app.send('PATCH', path, { token, json, headers: { 'if-match': '*' } })
  assert.equal(moved.status, 200, moved.text)
}

async function countRuns(caseId: string): Promise<number> {
  return (await query(app, 'select 1 from run where case_id = $1', [caseId])).length
}

function begin(on: readonly object[], next: string): GraphNode {
  return { id: 'begin', kind: 'start', config: { on }, paths: { next } }
}
const STOP = { id: 'stop', kind: 'end' }

test('a new case begins no run where the start node does not say so', async () => {
  await usePlaybook([begin([], 'stop'), STOP])
  const silent = await pushEvent()
  await feedChanges()
  assert.equal(await countRuns(silent), 0)
  await usePlaybook([{ id: 'begin', kind: 'start', paths: { next: 'stop' } }, STOP])
  const caseId = await pushEvent()
  assert.equal(await countRuns(caseId), 1)
})

test('a further event begins a run, and several within the debounce begin one', async () => {
  await usePlaybook([begin([{ event: 'event_added', debounce: 'PT15M' }], 'stop'), STOP])
  const caseId = await pushEvent()
  await pushEvent()
  await pushEvent()
  await feedChanges()
  assert.equal(await countRuns(caseId), 0)
  await query(app, 'update pending_start set due_at = now()')
  await feedChanges()
  assert.equal(await countRuns(caseId), 1)
})

test('a change of state begins a run, but not one that a playbook has made', async () => {
  await usePlaybook([
    begin([{ event: 'state_changed', to: ['IN_PROGRESS', 'RESOLVED'] }], 'done'),
    { id: 'done', kind: 'resolve' },
  ])
  const caseId = await pushEvent()
  await feedChanges()
  assert.equal(await countRuns(caseId), 0)
  await move(caseId, { state: 'IN_PROGRESS', reason: 'looked at' })
  await feedChanges()
  const [row] = await query<{ state: string }>(app, 'select state from abuse_case where id = $1', [
    caseId,
  ])
  assert.equal(row?.state, 'RESOLVED')
  await feedChanges()
  assert.equal(await countRuns(caseId), 1)
})

test('a start by a change of state is put off by no event that comes before it', async () => {
  const byEvent = { event: 'event_added', debounce: 'PT15M' }
  const byState = { event: 'state_changed', to: ['IN_PROGRESS'] }
  await usePlaybook([begin([byEvent, byState], 'stop'), STOP])
  const caseId = await pushEvent()
  await pushEvent()
  await noteChanges()
  await move(caseId, { state: 'IN_PROGRESS', reason: 'looked at' })
  await noteChanges()
  await pushEvent()
  await noteChanges()
  await feedChanges()
  assert.equal(await countRuns(caseId), 1)
})

test('a change of the case ends a wait for a condition', async () => {
  const condition = "case.severity == 'critical'"
  await usePlaybook([
    { id: 'begin', kind: 'start', paths: { next: 'until' } },
    { id: 'until', kind: 'wait_until', config: { condition }, paths: { met: 'stop' } },
    STOP,
  ])
  const caseId = await pushEvent()
  await feedChanges()
  const readState = async () =>
    (await query<{ state: string }>(app, 'select state from run where case_id = $1', [caseId]))[0]
  assert.equal((await readState())?.state, 'active')
  await move(caseId, { severity: 'critical' })
  await feedChanges()
  assert.equal((await readState())?.state, 'ended')
})

test('POST /cases/{caseId}/runs begins one run on the active version, and says why not', async () => {
  const playbook = await usePlaybook([
    begin([], 'ask'),
    { id: 'ask', kind: 'trigger', config: { paths: ['go'] }, paths: { go: 'stop' } },
    STOP,
  ])
  const caseId = await pushEvent()
  const path = `/beta/casework/cases/${caseId}/runs`
  const post = (id: string) => app.send('POST', path, { token, json: { playbook_id: id } })
  const made = await post(playbook)
  assert.equal(made.status, 201, made.text)
  assert.equal(made.headers['location'], `${path}/${made.json().run_id}`)
  const again = await post(playbook)
  assert.equal(again.status, 409)
  assert.equal(again.json().code, 'CASEWORK_RUN_NOT_STARTED')
  assert.equal(again.headers['casework-reason'], 'runs_already')
  const draft = await app.send('POST', '/beta/casework/playbooks', {
    token,
    json: { name: 'A draft only', nodes: [begin([], 'stop'), STOP] },
  })
  assert.equal((await post(draft.json().id)).headers['casework-reason'], 'not_active')
  assert.equal((await post('01900000-0000-7000-8000-00000000dead')).status, 404)
  const [run] = await query<{ by: string }>(
    app,
    'select started_by as by from run where case_id = $1',
    [caseId],
  )
  assert.match(run?.by ?? '', /^token:/)
})
