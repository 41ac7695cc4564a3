// Forks, joins, loops over lists, children and waits for conditions. run-model.test.ts walks random
// graphs of them; here is what the model does not know.

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
import { inTransaction } from '../../../kernel/db/database.ts'
import { parsePlaybookGraph } from '../playbook-graph.ts'
import { wakeWatchers } from './timer-store.ts'

let token: string
const app = withApp({}, async (opened) => {
  token = opened.token
})

async function startCase(nodes: readonly GraphNode[]): Promise<string> {
  const playbook = await createActivePlaybook(app, token, nodes)
  const [caseId] = await createCases(app, 'default', playbook, 1)
  assert.ok(caseId)
  await runDueSteps(app)
  return caseId
}

async function readRuns(caseId: string): Promise<readonly string[]> {
  const runs = await query<{ depth: number; state: string; failure: string | null }>(
    app,
    'select depth, state, failure from run where case_id = $1 order by depth, id',
    [caseId],
  )
  return runs.map(({ depth, state, failure }) => `${depth} ${state} ${failure}`)
}

async function readVisits(caseId: string): Promise<readonly string[]> {
  const visits = await query<{ run: string }>(
    app,
    "select concat(node, ' ', path) as run from visit where case_id = $1 order by run_id, token_id, visit",
    [caseId],
  )
  return visits.map(({ run }) => run)
}

async function readTokens(caseId: string): Promise<readonly string[]> {
  const tokens = await query<{ line: string }>(
    app,
    "select concat(node, ' ', state, ' ', fork) as line from run_token where case_id = $1 order by run_id, id",
    [caseId],
  )
  return tokens.map(({ line }) => line.trim())
}

function explain(nodes: readonly GraphNode[]): readonly string[] {
  const result = parsePlaybookGraph({ nodes })
  return result.kind === 'valid'
    ? []
    : result.problems.map(({ path, reason }) => `${path} ${reason}`)
}

const STOP = { id: 'stop', kind: 'end' }
const BEGIN = (next: string): GraphNode => ({ id: 'begin', kind: 'start', paths: { next } })
const ASK = (id: string, next: string): GraphNode => ({
  id,
  kind: 'trigger',
  config: { paths: ['go'] },
  paths: { go: next },
})
const SPLIT = (a: string, b: string): GraphNode => ({
  id: 'split',
  kind: 'fork',
  config: { paths: ['a', 'b'] },
  paths: { a, b },
})

const EACH = (list: string, paths: Record<string, string>): GraphNode => ({
  id: 'each',
  kind: 'for_each',
  config: { list, as: 'address' },
  paths,
})

const LOOP = (list: string): readonly GraphNode[] => [
  BEGIN('each'),
  EACH(list, { each: 'ask', next: 'stop', error: 'sorry' }),
  ASK('ask', 'each'),
  STOP,
  { id: 'sorry', kind: 'end' },
]

test('graphs: what forks, joins and loops over lists need around them is said with the node', () => {
  const join = { id: 'both', kind: 'join', paths: { next: 'stop' } }
  assert.deepEqual(explain([BEGIN('split'), SPLIT('both', 'both'), join, STOP]), [])
  assert.deepEqual(explain([BEGIN('both'), join, STOP]), [
    '/nodes/1 is a join that no fork leads to',
  ])
  const open = { id: 'split', kind: 'fork', config: { paths: ['a', 'b'] }, paths: { a: 'stop' } }
  assert.deepEqual(explain([BEGIN('split'), open, STOP]), ['/nodes/1/paths/b must lead to a node'])
  const note = { id: 'note', kind: 'comment', config: { text: 'x' }, paths: { next: 'each' } }
  assert.deepEqual(
    explain([BEGIN('each'), EACH('case.tags', { each: 'note', next: 'stop' }), note, STOP]),
    [],
  )
  assert.deepEqual(
    explain([BEGIN('each'), EACH('case.tags', { each: 'stop', next: 'stop' }), STOP]),
    ['/nodes/1/paths/each never comes back to this node'],
  )
  assert.match(
    explain([BEGIN('each'), EACH('case.tags', { each: 'note', next: 'each' }), note]).join('\n'),
    /\/nodes\/1 is part of a loop in which no node waits/,
  )
  const again = { id: 'until', kind: 'wait_until', config: { condition: 'true' } }
  assert.match(
    explain([BEGIN('until'), { ...again, paths: { met: 'until' } }]).join('\n'),
    /is part of a loop in which no node waits/,
  )
})

test('a branch that fails stops the others, which keep their places', async () => {
  const caseId = await startCase([
    BEGIN('split'),
    SPLIT('left', 'right'),
    ASK('left', 'broken'),
    ASK('right', 'stop'),
    { id: 'broken', kind: 'true_false', config: { condition: 'vars.none == 1' } },
    STOP,
  ])
  await trigger(app, token, caseId, { node: 'left', path: 'go' })
  await runDueSteps(app)
  assert.deepEqual(await readRuns(caseId), ['0 failed condition_failed'])
  assert.deepEqual(await readTokens(caseId), ['broken dead /1:2', 'right paused /1:2'])
})

test('a fork for which there are too many tokens fails there, and is tried again when the run is resumed', async () => {
  const caseId = await startCase([
    BEGIN('ask'),
    ASK('ask', 'split'),
    SPLIT('left', 'right'),
    ASK('left', 'stop'),
    ASK('right', 'stop'),
    STOP,
  ])
  await query(app, 'update run set next_token = 10000 where case_id = $1', [caseId])
  await trigger(app, token, caseId, { node: 'ask', path: 'go' })
  await runDueSteps(app)
  assert.deepEqual(await readRuns(caseId), ['0 failed too_many_tokens'])
  assert.deepEqual(await readTokens(caseId), ['split dead'])
  await query(app, 'update run set next_token = 2 where case_id = $1', [caseId])
  const [run] = await query<{ id: string }>(app, 'select id from run where case_id = $1', [caseId])
  const path = `/beta/casework/runs/${run?.id}/resume`
  assert.equal((await app.send('POST', path, { token, json: {} })).status, 200)
  await runDueSteps(app)
  assert.deepEqual(await readTokens(caseId), ['left waiting /1:4', 'right waiting /1:4'])
})

test('two triggers at once move both branches, and the join goes on once', async () => {
  const caseId = await startCase([
    BEGIN('split'),
    SPLIT('left', 'right'),
    ASK('left', 'both'),
    ASK('right', 'both'),
    { id: 'both', kind: 'join', paths: { next: 'note' } },
    { id: 'note', kind: 'comment', config: { text: 'Both.' }, paths: { next: 'stop' } },
    STOP,
  ])
  await Promise.all(
    ['left', 'right'].map((node) => trigger(app, token, caseId, { node, path: 'go' })),
  )
  await Promise.all([runDueSteps(app), runDueSteps(app), runDueSteps(app)])
  await runDueSteps(app)
  assert.deepEqual(await readRuns(caseId), ['0 ended null'])
  const visits = await readVisits(caseId)
  assert.equal(visits.filter((visit) => visit === 'note next').length, 1)
  assert.deepEqual(visits.toSorted(), [
    'begin next',
    'both ',
    'both next',
    'left go',
    'note next',
    'right go',
    'split a',
    'stop ',
  ])
})

test('a wait until its condition holds is asked again when the case changes', async () => {
  const until = {
    id: 'until',
    kind: 'wait_until',
    config: { condition: "case.severity == 'high'", timeout: 'P1D' },
    paths: { met: 'stop', timeout: 'late' },
  }
  const late = { id: 'late', kind: 'end' }
  const caseId = await startCase([BEGIN('until'), until, STOP, late])
  const timed = await startCase([BEGIN('until'), until, STOP, late])
  const wake = () =>
    inTransaction(app.services.foundation.database.kysely, (tx) =>
      wakeWatchers(tx, { tenantId: 'default' }, [caseId]),
    )
  const timerOf = async () =>
    (
      await query<{ at: Date }>(app, 'select timer_at as at from run_token where case_id = $1', [
        caseId,
      ])
    )[0]
  const before = await timerOf()
  assert.equal(await wake(), 1)
  await runDueSteps(app)
  assert.deepEqual(await timerOf(), before)
  await query(app, "update abuse_case set severity = 'high' where id = $1", [caseId])
  await wake()
  await query(app, 'update run_token set timer_at = now() where case_id = $1', [timed])
  await runDueSteps(app)
  assert.deepEqual(await readVisits(caseId), ['begin next', 'until met', 'stop '])
  assert.deepEqual(await readVisits(timed), ['begin next', 'until timeout', 'late '])
})

test('for_each shows the element and its loops, and a list that cannot be read takes error', async () => {
  const caseId = await startCase(LOOP("['a', 'b']"))
  const readVars = async () =>
    (
      await query<{ vars: object }>(app, 'select vars from run_token where case_id = $1', [caseId])
    )[0]?.vars
  assert.deepEqual(await readVars(), {
    address: 'a',
    loops: { each: { items: ['a', 'b'], next: 1 } },
  })
  for (const expected of ['b', null]) {
    await trigger(app, token, caseId, { node: 'ask', path: 'go' })
    await runDueSteps(app)
    const vars = await readVars()
    assert.ok(vars !== undefined && 'address' in vars)
    assert.equal(vars.address, expected)
  }
  assert.deepEqual(await readRuns(caseId), ['0 ended null'])
  const failed = await startCase(LOOP('vars.none'))
  assert.deepEqual(await readVisits(failed), ['begin next', 'each error', 'sorry '])
})

function callOf(playbook: string, paths: Record<string, string>): GraphNode {
  return { id: 'call', kind: 'sub_playbook', config: { playbook }, paths }
}

test('a child works the same case, and its end moves the parent', async () => {
  const child = await createActivePlaybook(app, token, [BEGIN('ask'), ASK('ask', 'stop'), STOP])
  const caseId = await startCase([BEGIN('call'), callOf(child, { next: 'stop' }), STOP])
  assert.deepEqual(await readRuns(caseId), ['0 active null', '1 active null'])
  await trigger(app, token, caseId, { node: 'ask', path: 'go' })
  await runDueSteps(app)
  assert.deepEqual(await readRuns(caseId), ['0 ended null', '1 ended null'])
  assert.ok((await readVisits(caseId)).includes('call next'))
})

test('a child that fails, has no active version or stands too deep takes the path error', async () => {
  const broken = await createActivePlaybook(app, token, [
    BEGIN('broken'),
    { id: 'broken', kind: 'true_false', config: { condition: 'vars.none == 1' } },
  ])
  const handled = await startCase([BEGIN('call'), callOf(broken, { error: 'stop' }), STOP])
  assert.deepEqual(await readRuns(handled), ['0 ended null', '1 failed condition_failed'])
  const unhandled = await startCase([BEGIN('call'), callOf(broken, {})])
  assert.deepEqual(await readRuns(unhandled), [
    '0 failed child_failed',
    '1 failed condition_failed',
  ])
  const draft = await app.send('POST', '/beta/casework/playbooks', {
    token,
    json: { name: 'Never active', nodes: [BEGIN('stop'), STOP] },
  })
  const none = await startCase([BEGIN('call'), callOf(draft.json().id, {})])
  assert.deepEqual(await readRuns(none), ['0 failed child_not_active'])
  const itself = await createActivePlaybook(app, token, [BEGIN('call'), callOf(broken, {})])
  await query(
    app,
    `update playbook_version set graph = jsonb_set(graph, '{nodes,1,config,playbook}', to_jsonb($1::text)) where playbook_id = $1::uuid`,
    [itself],
  )
  const [deep] = await createCases(app, 'default', itself, 1)
  await runDueSteps(app)
  assert.equal((await readRuns(deep ?? '')).at(-1), '5 failed too_deep')
  assert.equal((await readRuns(deep ?? '')).length, 6)
})

test('a join that goes on with the first ends the child of another branch', async () => {
  const child = await createActivePlaybook(app, token, [BEGIN('ask'), ASK('ask', 'stop'), STOP])
  const caseId = await startCase([
    BEGIN('split'),
    SPLIT('call', 'quick'),
    callOf(child, { next: 'first' }),
    ASK('quick', 'first'),
    { id: 'first', kind: 'join', config: { mode: 'any' }, paths: { next: 'stop' } },
    STOP,
  ])
  await trigger(app, token, caseId, { node: 'quick', path: 'go' })
  await runDueSteps(app)
  assert.deepEqual(await readRuns(caseId), ['0 ended null', '1 cancelled null'])
})

test('a join that goes on at once ends the child that another branch has just started', async () => {
  const child = await createActivePlaybook(app, token, [BEGIN('ask'), ASK('ask', 'stop'), STOP])
  const caseId = await startCase([
    BEGIN('split'),
    SPLIT('call', 'first'),
    callOf(child, { next: 'first' }),
    { id: 'first', kind: 'join', config: { mode: 'any' }, paths: { next: 'stop' } },
    STOP,
  ])
  assert.deepEqual(await readRuns(caseId), ['0 ended null', '1 cancelled null'])
})
