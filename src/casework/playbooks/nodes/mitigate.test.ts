// The node Mitigate: from the run to the adapter, and back to the path of the run.

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { Registry } from 'prom-client'
import { openTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  answerWith,
  openCaseOf,
  putAdapter,
  readMessages,
  workOnMitigations,
} from '../../../../test/mitigation-kit.ts'
import {
  type LoopbackServer,
  type SeenRequest,
  startLoopback,
} from '../../../../test/outbound-kit.ts'
import {
  createActivePlaybook,
  type GraphNode,
  query,
  runDueSteps,
} from '../../../../test/playbook-fixtures.ts'
import { silentLog } from '../../../kernel/log.ts'
import { createChangeFeed } from '../../changes/feed-changes.ts'
import { findCasesOfEvents } from '../../events/event-store.ts'
import { parsePlaybookGraph } from '../playbook-graph.ts'
import { createRunWaker } from '../runs/wake-runs.ts'

const closers: (() => Promise<void>)[] = []
let server: LoopbackServer
let app: TestApp
let token: string
let answer: (request: SeenRequest, response: ServerResponse) => void

before(async () => {
  const cleanup = { after: (close: () => Promise<void>) => void closers.push(close) }
  server = await startLoopback(cleanup, (request, response) => answer(request, response))
  app = await openTestApp({ environment: { CASEWORK_OUTBOUND_ALLOW: server.socket } })
  token = await app.createToken()
  await putAdapter(app, token, 'routers', `${server.origin}/routers`, ['null_route', 'suspend'])
})
after(async () => {
  await app.close()
  for (const close of closers) await close()
})

/** start → act (done | error) → yes | no. */
function graphOf(config: object, undo: object | null = null): readonly GraphNode[] {
  return [
    { id: 'begin', kind: 'start', paths: { next: 'act' } },
    {
      id: 'act',
      kind: 'mitigate',
      config: { ...config },
      paths: { done: undo === null ? 'yes' : 'ask', error: 'no' },
    },
    ...(undo === null
      ? []
      : [
          { id: 'ask', kind: 'trigger', config: { paths: ['go'] }, paths: { go: 'back' } },
          {
            id: 'back',
            kind: 'mitigate',
            config: { action: 'undo', ...undo },
            paths: { done: 'yes', error: 'no' },
          },
        ]),
    { id: 'yes', kind: 'end' },
    { id: 'no', kind: 'end' },
  ]
}

let last = 0
async function begin(nodes: readonly GraphNode[]) {
  last += 1
  const ip = `203.0.113.${last}`
  const caseId = await openCaseOf(app, token, ip)
  const playbookId = await createActivePlaybook(app, token, nodes)
  const path = `/beta/casework/cases/${caseId}`
  const started = await app.send('POST', `${path}/runs`, {
    token,
    json: { playbook_id: playbookId },
  })
  assert.equal(started.status, 201, started.text)
  await move()
  const get = async (rest: string) => (await app.send('GET', `${path}${rest}`, { token })).json()
  const visits = async () =>
    await query<{ node: string; path: string | null; output: Record<string, unknown> | null }>(
      app,
      `select node, path, output from visit where case_id = $1 order by visit`,
      [caseId],
    )
  return {
    ip,
    caseId,
    runId: started.json().run_id,
    get,
    mitigations: async () => (await get('/mitigations?order=asc')).items,
    end: async () => (await visits()).at(-1)?.node,
    visit: async (node: string) => (await visits()).find((one) => one.node === node),
    seen: () => readMessages(server.requests).filter(({ data }) => data['case_id'] === caseId),
  }
}

/** As a worker does: changes wake runs, and what is due is moved. */
async function move(): Promise<void> {
  const { kysely: db } = app.services.foundation.database
  const listeners = [createRunWaker({ findCasesOfEvents })]
  await createChangeFeed({ db, log: silentLog, metrics: new Registry(), listeners }).feed(10)
  await runDueSteps(app)
}

async function work(): Promise<void> {
  await workOnMitigations(app)
  await move()
}

const BLOCK = { kind: 'null_route', adapter: 'routers', expires_in: 'P7D' }

test('a run waits until its mitigation is in force, with the key of its visit, and undoes it later', async () => {
  answer = answerWith(202)
  const run = await begin(graphOf(BLOCK, {}))
  const [pending] = await run.mitigations()
  assert.deepEqual(
    [pending.state, pending.target, pending.run_id, pending.key],
    ['pending', run.ip, run.runId, `${run.runId}:1:2`],
  )
  assert.equal((await run.get('')).waiting_on, 'third_party')
  await work()
  assert.equal(await run.visit('act'), undefined, 'accepted is not in force')
  answer = answerWith(200)
  await query(app, `update mitigation set wake_at = now() where id = $1`, [pending.id])
  await work()
  assert.equal((await run.visit('act'))?.path, 'done')
  const trigger = { token, json: { node: 'ask', path: 'go' } }
  const path = `/beta/casework/cases/${run.caseId}/trigger-playbook`
  assert.equal((await app.send('POST', path, trigger)).status, 202)
  await move()
  assert.equal((await run.mitigations())[0].state, 'removing')
  assert.equal(await run.visit('back'), undefined)
  await work()
  assert.equal(await run.end(), 'yes')
  const [removed] = await run.mitigations()
  assert.deepEqual([removed.state, removed.removal_cause], ['removed', 'playbook'])
  assert.deepEqual(
    run.seen().map(({ type }) => type),
    ['mitigation.execute', 'mitigation.execute', 'mitigation.undo'],
  )
  assert.deepEqual(
    new Set(run.seen().map(({ key }) => key)),
    new Set([pending.key, `${pending.key}:undo`]),
  )
})

test('a refusal takes the path error with its reason, and so does a removal that is refused', async () => {
  answer = answerWith(422)
  const refused = await begin(graphOf(BLOCK))
  await work()
  assert.equal(await refused.end(), 'no')
  assert.equal((await refused.visit('act'))?.output?.['failure'], 'refused')
  answer = answerWith(200)
  const run = await begin(graphOf({ ...BLOCK, kind: 'suspend' }, { of: 'case', kind: 'suspend' }))
  await work()
  answer = answerWith(403)
  const trigger = { token, json: { node: 'ask', path: 'go' } }
  await app.send('POST', `/beta/casework/cases/${run.caseId}/trigger-playbook`, trigger)
  await move()
  await work()
  assert.equal((await run.visit('back'))?.output?.['failure'], 'undo_failed')
  assert.equal((await run.mitigations())[0].is_stuck, true)
})

test('a target that is not of the case is refused, and nothing is asked', async () => {
  answer = answerWith(200)
  const run = await begin(graphOf({ ...BLOCK, target: '198.51.100.77' }))
  assert.equal(await run.end(), 'no')
  assert.equal((await run.visit('act'))?.output?.['failure'], 'target_not_of_case')
  const unknown = await begin(graphOf({ ...BLOCK, adapter: 'nowhere' }))
  assert.equal((await unknown.visit('act'))?.output?.['failure'], 'adapter_not_found')
  const allowed = await begin(
    graphOf({ ...BLOCK, target: { cel: '"198.51.100.77"' }, allow_other: true }),
  )
  await work()
  assert.equal(await allowed.end(), 'yes')
  assert.deepEqual([...run.seen(), ...unknown.seen()], [])
})

test('a manual one waits for an agent, and after its timeout it is taken back and the path error taken', async () => {
  const run = await begin(graphOf({ ...BLOCK, adapter: 'manual', timeout: 'PT1H' }))
  assert.equal((await run.get('')).waiting_on, 'agent')
  const [pending] = await run.mitigations()
  const result = `/beta/casework/mitigations/${pending.id}/result`
  const told = await app.send('POST', result, { token, json: { result: 'done' } })
  assert.equal(told.status, 200, told.text)
  await move()
  assert.equal(await run.end(), 'yes')
  const late = await begin(graphOf({ ...BLOCK, adapter: 'manual', timeout: 'PT1H' }))
  await query(
    app,
    `update run_token set state = 'ready', timer_rang = true, entered_at = now() - interval '2 hours', wake_at = now() where run_id = $1`,
    [late.runId],
  )
  await move()
  assert.equal((await late.visit('act'))?.output?.['failure'], 'timed_out')
  const [removed] = await late.mitigations()
  assert.deepEqual([removed.state, removed.removal_cause], ['removed', 'timeout'])
  const rung = await begin(graphOf({ ...BLOCK, adapter: 'manual', timeout: 'PT1H' }))
  await query(
    app,
    `update run_token set state = 'ready', timer_rang = true, wake_at = now() where run_id = $1`,
    [rung.runId],
  )
  await move()
  assert.equal((await rung.visit('act'))?.output?.['failure'], 'timed_out', 'the timer counts')
})

test('what no case can have is refused when the graph is written', () => {
  const wrong: readonly (readonly [object, string])[] = [
    [{ adapter: 'routers' }, 'kind'],
    [{ kind: 'null_route' }, 'adapter'],
    [{ ...BLOCK, target_type: 'domain' }, 'target_type'],
    [{ ...BLOCK, port: 25 }, 'port'],
    [{ ...BLOCK, kind: 'block_port' }, 'port'],
    [{ ...BLOCK, expires_in: 'P1Y' }, 'expires_in'],
    [{ ...BLOCK, timeout: 0 }, 'timeout'],
    [{ ...BLOCK, of: 'run' }, 'of'],
    [{ ...BLOCK, target: { cel: 'nonsense(' } }, 'target/cel'],
    [{ kind: 'custom', adapter: 'routers', target_type: 'other', target: 'x' }, 'allow_other'],
    [{ action: 'undo', adapter: 'routers' }, 'adapter'],
  ]
  for (const [config, field] of wrong) {
    const result = parsePlaybookGraph({ nodes: graphOf(config) })
    assert.ok(result.kind === 'invalid', field)
    assert.deepEqual(
      result.problems.map(({ path }) => path),
      [`/nodes/1/config/${field}`],
    )
  }
})
