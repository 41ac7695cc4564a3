// Answers by mail at nodes that wait for them, and at nodes that do not.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../../../test/harness.ts'
import {
  createActivePlaybook,
  createCases,
  type GraphNode,
  query,
  runDueSteps,
} from '../../../../test/playbook-fixtures.ts'
import { inTransaction } from '../../../kernel/db/database.ts'
import { acceptAnswer, type CaseAnswer } from './accept-answer.ts'
import { startRunsForNewCases } from './run-store.ts'

let token = ''
const app = withApp({}, async (opened) => {
  token = opened.token
})
const scope = { tenantId: 'default' }
const actor = { kind: 'system', id: 'notices', name: 'notices' } as const

function wait(config: Record<string, unknown>): readonly GraphNode[] {
  return [
    { id: 'begin', kind: 'start', paths: { next: 'ask' } },
    { id: 'ask', kind: 'trigger', config, paths: { fixed: 'done', other: 'drop' } },
    { id: 'done', kind: 'resolve' },
    { id: 'drop', kind: 'end' },
  ]
}

const TAKES = { paths: ['fixed', 'other'], answer: { from: 'customer', path: 'fixed' } }

async function openCase(...graphs: (readonly GraphNode[])[]) {
  const [first, ...more] = await Promise.all(
    graphs.map((nodes) => createActivePlaybook(app, token, nodes)),
  )
  const [caseId = ''] = await createCases(app, 'default', first ?? '', 1)
  const { database, ids } = app.services.foundation
  for (const playbookId of more) {
    await inTransaction(database.kysely, (tx) =>
      startRunsForNewCases(tx, ids, scope, [{ caseId, playbookId }]),
    )
  }
  await runDueSteps(app)
  const runs = await query<{ id: string }>(
    app,
    'select id from run where case_id = $1 order by id',
    [caseId],
  )
  return { caseId, runIds: runs.map(({ id }) => id) }
}

async function answer(caseId: string, more: Partial<CaseAnswer> = {}) {
  const { database, ids, clock } = app.services.foundation
  const { graphs } = app.services.casework
  const given = { caseId, party: 'customer', noticeCreatedBy: 't', actor, causeId: 'n', ...more }
  return await inTransaction(database.kysely, (tx) =>
    acceptAnswer(tx, { ids, clock, graphs }, scope, given as CaseAnswer),
  )
}

async function readState(caseId: string): Promise<string> {
  await runDueSteps(app)
  return (await app.send('GET', `/beta/casework/cases/${caseId}`, { token })).json().state
}

test('an answer takes the path of a node that waits for it, once, and says so in the history', async () => {
  const { caseId, runIds } = await openCase(wait(TAKES))
  const taken = await Promise.all([answer(caseId), answer(caseId)])
  assert.deepEqual(taken.map(({ kind }) => kind).toSorted(), ['accepted', 'none'])
  assert.equal(await readState(caseId), 'RESOLVED')
  const path = `/beta/casework/cases/${caseId}/history?order=asc`
  const { items } = (await app.send('GET', path, { token })).json()
  const row = items.find((one: { kind: string }) => one.kind === 'trigger')
  assert.deepEqual(row.changes, { node: 'ask', path: 'fixed', answer_from: 'customer' })
  const signals = await query(app, 'select actor from trigger_signal where run_id = $1', [
    runIds[0],
  ])
  assert.deepEqual(signals, [{ actor: 'system:notices' }])
})

test('an answer takes no path where the node does not wait for this party', async () => {
  const { caseId } = await openCase(wait({ paths: ['fixed', 'other'], waiting_on: 'customer' }))
  assert.deepEqual(await answer(caseId), { kind: 'none' })
  const other = await openCase(wait(TAKES))
  assert.deepEqual(await answer(other.caseId, { party: 'reporter' }), { kind: 'none' })
  assert.deepEqual([await readState(caseId), await readState(other.caseId)], ['NEW', 'NEW'])
})

test('of several runs the one that made the notice takes the answer, else none', async () => {
  const { caseId, runIds } = await openCase(wait(TAKES), wait(TAKES))
  assert.equal(runIds.length, 2)
  assert.deepEqual(await answer(caseId), { kind: 'several_runs' })
  const taken = await answer(caseId, { noticeCreatedBy: `${runIds[1]}:mail` })
  assert.deepEqual(taken, { kind: 'accepted', runId: runIds[1], node: 'ask', path: 'fixed' })
})

test('an answer that names no path of its node, or passes by a role, is refused with the graph', async () => {
  const gone = { from: 'customer', path: 'gone' }
  const manual = { paths: ['fixed', 'other'], role: 'lead', answer: { ...gone, path: 'fixed' } }
  const fields: string[] = []
  for (const [kind, config] of [
    ['trigger', { paths: ['fixed', 'other'], answer: gone }],
    ['manual', manual],
  ] as const) {
    const nodes = wait(config).map((node) => (node.id === 'ask' ? { ...node, kind } : node))
    const path = '/beta/casework/playbooks/validate'
    const refused = (await app.send('POST', path, { token, json: { nodes } })).json()
    const [problem] = refused.errors ?? refused.problems
    fields.push(`${problem.node} ${problem.field}`)
  }
  assert.deepEqual(fields, ['ask config/answer/path', 'ask config/answer'])
})
