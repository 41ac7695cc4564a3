// Runs that wait are put on another version of their playbook: where their tokens stand there, what
// they keep, and what is refused.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../../../test/harness.ts'
import {
  createActivePlaybook,
  createCases,
  type GraphNode,
  query,
  runDueSteps,
  trigger,
} from '../../../../test/playbook-fixtures.ts'
import { countLockWaits } from '../../../../test/query.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { inTransaction } from '../../../kernel/db/database.ts'
import { keepPlaybooks } from './keep-playbooks.ts'
import { lockRunFamily } from './locked-run-store.ts'

const app = withApp()
const PLAYBOOKS = '/beta/casework/playbooks'
const RUNS = '/beta/casework/runs'
const BEGIN = (next: string): GraphNode => ({ id: 'begin', kind: 'start', paths: { next } })
const DONE: GraphNode = { id: 'done', kind: 'end' }
const ask = (id: string, kind = 'trigger'): GraphNode => ({
  id,
  kind,
  config: { paths: ['go'] },
  paths: { go: 'done' },
})
const delay = (id: string, duration: string): GraphNode => ({
  id,
  kind: 'delay',
  config: { duration },
  paths: { next: 'done' },
})

async function send(path: string, json?: object) {
  return await app.send('POST', path, { token: app.token, ...(json === undefined ? {} : { json }) })
}

async function addVersion(playbookId: string, version: number, nodes: readonly GraphNode[]) {
  const made = await send(`${PLAYBOOKS}/${playbookId}/versions`, { nodes })
  assert.equal(made.status, 201, made.text)
  const activated = await send(`${PLAYBOOKS}/${playbookId}/versions/${version}/activate`)
  assert.equal(activated.status, 200, activated.text)
}

async function migrate(path: string, json: object) {
  const answer = await send(`${path}/migrate`, json)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

async function refuse(runId: string, json: object): Promise<unknown> {
  const answer = await send(`${RUNS}/${runId}/migrate`, json)
  assert.equal(answer.status, 409, answer.text)
  return answer.headers['casework-reason']
}

async function startRun(nodes: readonly GraphNode[]) {
  const playbookId = await createActivePlaybook(app, app.token, nodes)
  const [caseId = ''] = await createCases(app, 'default', playbookId, 1)
  await runDueSteps(app)
  const [run] = await query<{ id: string }>(app, 'select id from run where case_id = $1', [caseId])
  return { playbookId, caseId, runId: run?.id ?? '' }
}

async function readRun(runId: string) {
  const answer = await app.send('GET', `${RUNS}/${runId}`, { token: app.token })
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

test('a waiting run goes on at the node of the new version, with its vars, the time it has waited and visits that say so', async () => {
  const { playbookId, caseId, runId } = await startRun([BEGIN('nap'), delay('nap', 'P2D'), DONE])
  await query(
    app,
    `update run_token set vars = '{"kept": 1}', entered_at = now() - interval '1 day' where run_id = $1`,
    [runId],
  )
  await addVersion(playbookId, 2, [BEGIN('rest'), delay('rest', 'P3D'), DONE])
  const before = await readRun(runId)
  assert.equal(await refuse(runId, { version: 2 }), 'node_not_mapped')
  const plan = await migrate(`${RUNS}/${runId}`, {
    version: 2,
    nodes: { nap: 'rest' },
    preview: true,
  })
  assert.deepEqual(
    [plan.result, plan.tokens],
    ['migrated', [{ token: 1, from: 'nap', to: 'rest' }]],
  )
  assert.deepEqual(await readRun(runId), before)
  await migrate(`${RUNS}/${runId}`, { version: 2, nodes: { nap: 'rest' }, reason: 'longer' })
  await runDueSteps(app)
  const run = await readRun(runId)
  const [token] = run.tokens
  assert.deepEqual([run.version, token.node, token.state], [2, 'rest', 'waiting'])
  assert.deepEqual(token.vars, { kept: 1 })
  const waitsMs = Date.parse(token.timer_at) - Date.parse(token.entered_at)
  assert.equal(waitsMs, 3 * 86_400_000)
  assert.deepEqual(run.visits.at(-1).output, { migrated_to: { version: 2, node: 'rest' } })
  assert.equal((await migrate(`${RUNS}/${runId}`, { version: 2, nodes: {} })).result, 'unchanged')
  const history = await app.send('GET', `/beta/casework/cases/${caseId}/history`, {
    token: app.token,
  })
  const [entry] = history.json().items
  assert.deepEqual(
    [entry.kind, entry.reason, entry.changes.version, entry.changes.moved],
    ['run_migrated', 'longer', { from: 1, to: 2 }, { nap: 'rest' }],
  )
})

test('the runs of a version are migrated together, the others are named with their reasons, and the version is empty', async () => {
  const playbookId = await createActivePlaybook(app, app.token, [BEGIN('ask'), ask('ask'), DONE])
  const caseIds = await createCases(app, 'default', playbookId, 3)
  await runDueSteps(app)
  await addVersion(playbookId, 2, [BEGIN('ask'), ask('ask'), DONE])
  // A trigger that no worker has taken up yet.
  await trigger(app, app.token, caseIds[0] ?? '', { node: 'ask', path: 'go' })
  const path = `${PLAYBOOKS}/${playbookId}/versions/1`
  const { runs, next } = await migrate(path, { version: 2 })
  assert.equal(next, undefined)
  assert.deepEqual(
    runs.map((run: Record<string, unknown>) => [run['result'], run['reason'], run['node']]),
    [
      ['refused', 'under_way', 'ask'],
      ['migrated', undefined, undefined],
      ['migrated', undefined, undefined],
    ],
  )
  await runDueSteps(app)
  assert.deepEqual((await migrate(path, { version: 2 })).runs, [])
  const { database, log } = app.services.foundation
  await keepPlaybooks({ db: database.kysely, log }, new AbortController().signal)
  const [version] = await query<{ state: string }>(
    app,
    'select state from playbook_version where playbook_id = $1 and version = 1',
    [playbookId],
  )
  assert.equal(version?.state, 'inactive')
  await trigger(app, app.token, caseIds[1] ?? '', { node: 'ask', path: 'go' })
  await runDueSteps(app)
  const [run] = await query<{ state: string }>(app, 'select state from run where case_id = $1', [
    caseIds[1],
  ])
  assert.equal(run?.state, 'ended')
})

test('a run of the version that is removed meanwhile is left out of the answer', async () => {
  const playbookId = await createActivePlaybook(app, app.token, [BEGIN('ask'), ask('ask'), DONE])
  await createCases(app, 'default', playbookId, 3)
  await runDueSteps(app)
  await addVersion(playbookId, 2, [BEGIN('ask'), ask('ask'), DONE])
  const ids = (
    await query<{ id: string }>(app, 'select id from run where playbook_id = $1 order by id', [
      playbookId,
    ])
  ).map(({ id }) => id)
  const [first = '', second = '', third = ''] = ids
  const { kysely } = app.services.foundation.database
  const { migrating } = await inTransaction(kysely, async (tx) => {
    await lockRunFamily(tx, { tenantId: 'default' }, first)
    const answer = migrate(`${PLAYBOOKS}/${playbookId}/versions/1`, { version: 2 })
    await waitUntil(
      async () => (await countLockWaits(app.connection, 'from run')) > 0,
      'the migration waits for the first run',
    )
    for (const table of ['run_token', 'visit']) {
      await query(app, `delete from ${table} where run_id = $1`, [second])
    }
    await query(app, 'delete from run where id = $1', [second])
    return { migrating: answer }
  })
  const { runs } = await migrating
  assert.deepEqual(
    runs.map((run: Record<string, unknown>) => [run['run_id'], run['result']]),
    [
      [first, 'migrated'],
      [third, 'migrated'],
    ],
  )
})

test('a token stays where other tokens or a child are waited for, and a kind changes only by the map', async () => {
  const fork: GraphNode = {
    id: 'split',
    kind: 'fork',
    config: { paths: ['a', 'b'] },
    paths: { a: 'ask', b: 'join' },
  }
  const join: GraphNode = { id: 'join', kind: 'join', paths: { next: 'done' } }
  const first: GraphNode = { ...ask('ask'), paths: { go: 'join' } }
  const { playbookId, caseId, runId } = await startRun([BEGIN('split'), fork, first, join, DONE])
  const manual: GraphNode = { ...ask('ask', 'manual'), paths: { go: 'join' } }
  await addVersion(playbookId, 2, [BEGIN('split'), fork, manual, join, DONE])
  assert.equal(await refuse(runId, { version: 2 }), 'node_not_compatible')
  assert.equal(
    await refuse(runId, { version: 2, nodes: { ask: 'ask', join: 'ask' } }),
    'node_not_compatible',
  )
  const wrong = await send(`${RUNS}/${runId}/migrate`, { version: 2, nodes: { ask: 'nowhere' } })
  assert.equal(wrong.status, 400)
  // A slip in the old id would leave its node out.
  for (const path of [`${RUNS}/${runId}`, `${PLAYBOOKS}/${playbookId}/versions/1`]) {
    const answer = await app.send('POST', `${path}/migrate`, {
      token: app.token,
      headers: { accept: 'application/problem+json' },
      json: { version: 2, nodes: { ask: 'ask', 'as/k': 'ask' }, preview: true },
    })
    assert.equal(answer.status, 400, answer.text)
    assert.deepEqual(
      answer.json().errors.map((one: { path: string }) => one.path),
      ['/nodes/as~1k'],
    )
  }
  assert.equal((await send(`${RUNS}/${runId}/migrate`, { version: 9 })).status, 404)
  const draft = await send(`${PLAYBOOKS}/${playbookId}/versions`, { nodes: [BEGIN('done'), DONE] })
  assert.equal(draft.status, 201, draft.text)
  assert.equal(await refuse(runId, { version: 3 }), 'version_not_active')
  await migrate(`${RUNS}/${runId}`, { version: 2, nodes: { ask: 'ask' } })
  await runDueSteps(app)
  await trigger(app, app.token, caseId, { node: 'ask', path: 'go' })
  await runDueSteps(app)
  assert.equal((await readRun(runId)).state, 'ended')
  assert.equal(await refuse(runId, { version: 1 }), 'has_ended')
})

test('a failed run is mended by a version that has its node, and goes on there when it is resumed', async () => {
  const { playbookId, runId } = await startRun([BEGIN('ask'), ask('ask'), DONE])
  await query(app, "update run_token set node = 'gone', state = 'ready' where run_id = $1", [runId])
  await runDueSteps(app)
  assert.equal((await readRun(runId)).state, 'failed')
  await addVersion(playbookId, 2, [BEGIN('ask'), ask('ask'), DONE])
  await migrate(`${RUNS}/${runId}`, { version: 2, nodes: { gone: 'ask' } })
  assert.equal((await readRun(runId)).state, 'failed')
  assert.equal((await send(`${RUNS}/${runId}/resume`, {})).status, 200)
  await runDueSteps(app)
  const run = await readRun(runId)
  assert.deepEqual([run.state, run.node, run.tokens[0].state], ['active', 'ask', 'waiting'])
})
