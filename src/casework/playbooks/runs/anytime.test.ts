// Triggers at any time: a node that takes them while the run is elsewhere.

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

const CASES = '/beta/casework/cases'
// No path leads to `fixed`.
const GRAPH: readonly GraphNode[] = [
  { id: 'begin', kind: 'start', paths: { next: 'ask' } },
  { id: 'ask', kind: 'trigger', config: { paths: ['go'] }, paths: { go: 'done' } },
  {
    id: 'fixed',
    kind: 'trigger',
    config: { paths: ['yes', 'no'], anytime: true },
    paths: { yes: 'thank', no: 'pause' },
  },
  { id: 'thank', kind: 'comment', config: { text: 'Thank you.' } },
  { id: 'pause', kind: 'trigger', config: { paths: ['on'] }, paths: { on: 'thank' } },
  { id: 'done', kind: 'end' },
]

const app = withApp()

async function createRunningCase(nodes: readonly GraphNode[] = GRAPH): Promise<string> {
  const playbook = await createActivePlaybook(app, app.token, nodes)
  const [caseId = ''] = await createCases(app, 'default', playbook, 1)
  await runDueSteps(app)
  return caseId
}

async function fire(caseId: string, path: string, key?: string, node = 'fixed'): Promise<number> {
  const answer = await app.send('POST', `${CASES}/${caseId}/trigger-playbook`, {
    token: app.token,
    json: { node, path },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  })
  return answer.status
}

async function get(path: string) {
  return (await app.send('GET', path, { token: app.token })).json()
}

async function countTokens(caseId: string): Promise<number> {
  return (await query(app, 'select from run_token where case_id = $1', [caseId])).length
}

async function countComments(caseId: string): Promise<number> {
  return (await get(`${CASES}/${caseId}/comments`)).items.length
}

test('a trigger at any time begins one further token, however often it is sent', async () => {
  const caseId = await createRunningCase()
  const { items } = await get(`${CASES}/${caseId}/triggers`)
  assert.deepEqual(
    items.map(({ node, anytime }: { node: string; anytime?: boolean }) => [node, anytime]),
    [
      ['ask', undefined],
      ['fixed', true],
    ],
  )
  const answers = await Promise.all([fire(caseId, 'yes'), fire(caseId, 'yes'), fire(caseId, 'yes')])
  assert.deepEqual(answers, [202, 202, 202])
  assert.equal(await countTokens(caseId), 2)
  await runDueSteps(app)
  assert.deepEqual([await fire(caseId, 'yes'), await countTokens(caseId)], [202, 2])
  assert.equal(await countComments(caseId), 1)
  const [run] = (await get(`${CASES}/${caseId}/runs`)).items
  assert.deepEqual([run.state, run.node], ['active', 'ask'])
  const { visits } = await get(`${CASES}/${caseId}/runs/${run.run_id}`)
  assert.deepEqual(
    visits.map(({ node, path }: { node: string; path?: string }) => [node, path]),
    [
      ['begin', 'next'],
      ['fixed', 'yes'],
      ['thank', 'next'],
    ],
  )
  // The first token still waits, and ends the run.
  assert.equal(await fire(caseId, 'go', undefined, 'ask'), 202)
  await runDueSteps(app)
  assert.equal((await get(`${CASES}/${caseId}/runs`)).items[0].state, 'ended')
  assert.equal(await fire(caseId, 'no'), 409)
})

test('a trigger at any time that is marked as a new one begins another when the first has ended', async () => {
  const caseId = await createRunningCase()
  assert.equal(await fire(caseId, 'no', 'a'), 202)
  await runDueSteps(app)
  // The first is on its way: it waits at `pause`.
  assert.deepEqual([await fire(caseId, 'no', 'b'), await countTokens(caseId)], [202, 2])
  // Another path is another matter.
  assert.deepEqual([await fire(caseId, 'yes', 'c'), await countTokens(caseId)], [202, 3])
  await runDueSteps(app)
  assert.deepEqual([await fire(caseId, 'yes', 'd'), await countTokens(caseId)], [202, 4])
  assert.deepEqual([await fire(caseId, 'yes', 'c'), await countTokens(caseId)], [202, 4])
  await runDueSteps(app)
  assert.equal(await countComments(caseId), 2)
})

test('a token that waits at such a node is moved before another begins', async () => {
  const nodes = GRAPH.map((node) =>
    node.id === 'begin' ? { ...node, paths: { next: 'fixed' } } : node,
  )
  const caseId = await createRunningCase(nodes.filter(({ id }) => id !== 'ask' && id !== 'done'))
  const { items } = await get(`${CASES}/${caseId}/triggers`)
  assert.equal(items.length, 1)
  assert.equal(await fire(caseId, 'no'), 202)
  assert.equal(await fire(caseId, 'no'), 202)
  assert.equal(await countTokens(caseId), 1)
  await runDueSteps(app)
  assert.equal(await fire(caseId, 'yes'), 202)
  assert.equal(await countTokens(caseId), 2)
})

test('409 for a node of two playbooks, until one is named, and for a run with too many tokens', async () => {
  const first = await createActivePlaybook(app, app.token, GRAPH)
  const second = await createActivePlaybook(app, app.token, GRAPH)
  const [caseId = ''] = await createCases(app, 'default', first, 1)
  const begun = await app.send('POST', `${CASES}/${caseId}/runs`, {
    token: app.token,
    json: { playbook_id: second },
  })
  assert.equal(begun.status, 201, begun.text)
  await runDueSteps(app)
  assert.equal(await fire(caseId, 'yes'), 409)
  assert.equal(await fire(caseId, 'yes', undefined, `${second}/fixed`), 202)
  await query(app, 'update run set next_token = 10000 where playbook_id = $1', [first])
  const refused = await app.send('POST', `${CASES}/${caseId}/trigger-playbook`, {
    token: app.token,
    json: { node: `${first}/fixed`, path: 'yes' },
  })
  assert.deepEqual([refused.status, refused.headers['casework-reason']], [409, 'too_many_tokens'])
})
