// What a person does to a run: cancel, pause and resume it, and see all of it; with its children,
// its case, and the keys of its effects.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type TestAnswer, withApp } from '../../../../test/harness.ts'
import { startLoopback } from '../../../../test/outbound-kit.ts'
import {
  createActivePlaybook,
  createCases,
  type GraphNode,
  query,
  runDueSteps,
  trigger,
  workerDeps,
} from '../../../../test/playbook-fixtures.ts'
import { silentLog } from '../../../kernel/log.ts'
import { createOutbound } from '../../../kernel/outbound/outbound.ts'
import { keepPlaybooks } from './keep-playbooks.ts'
import { moveDueTokens } from './worker.ts'

const app = withApp()
const RUNS = '/beta/casework/runs'

const ASK: readonly GraphNode[] = [
  { id: 'begin', kind: 'start', paths: { next: 'ask' } },
  { id: 'ask', kind: 'manual', config: { paths: ['go'] }, paths: { go: 'done' } },
  { id: 'done', kind: 'end' },
]

interface Begun {
  readonly caseId: string
  readonly runId: string
  readonly playbookId: string
}

async function begin(nodes: readonly GraphNode[]): Promise<Begun> {
  const playbookId = await createActivePlaybook(app, app.token, nodes)
  const [caseId = ''] = await createCases(app, 'default', playbookId, 1)
  await runDueSteps(app)
  const [run] = await query<{ id: string }>(app, 'select id from run where case_id = $1', [caseId])
  return { caseId, playbookId, runId: run?.id ?? '' }
}

async function send(runId: string, what: string, json: object = {}): Promise<TestAnswer> {
  return await app.send('POST', `${RUNS}/${runId}/${what}`, { token: app.token, json })
}

async function change(runId: string, what: string, json: object = {}) {
  const answer = await send(runId, what, json)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

async function refuse(runId: string, what: string, reason: string): Promise<void> {
  const headers = { accept: 'application/problem+json' }
  const answer = await app.send('POST', `${RUNS}/${runId}/${what}`, {
    token: app.token,
    headers,
    json: {},
  })
  assert.deepEqual(
    [answer.status, answer.json().code, answer.headers['casework-reason']],
    [409, 'CASEWORK_RUN_NOT_CHANGED', reason],
  )
}

async function get(path: string): Promise<ReturnType<TestAnswer['json']>> {
  const answer = await app.send('GET', path, { token: app.token })
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

async function readHistory(caseId: string): Promise<readonly { kind: string; reason?: string }[]> {
  const { items } = await get(`/beta/casework/cases/${caseId}/history`)
  return items.filter(({ kind }: { kind: string }) => kind.startsWith('run_'))
}

async function waitingOn(caseId: string): Promise<string> {
  return (await get(`/beta/casework/cases/${caseId}`)).waiting_on
}

test('a cancelled run ends where it is, with history and visits, and its case waits for nobody; again changes nothing', async () => {
  const { caseId, runId } = await begin(ASK)
  assert.equal(await waitingOn(caseId), 'agent')
  const run = await change(runId, 'cancel', { reason: 'not needed' })
  assert.deepEqual([run.state, run.case_id], ['cancelled', caseId])
  assert.equal((await change(runId, 'cancel')).state, 'cancelled')
  const [entry, ...others] = await readHistory(caseId)
  assert.deepEqual([entry?.kind, entry?.reason, others.length], ['run_cancelled', 'not needed', 0])
  assert.equal(await waitingOn(caseId), 'none')
  const { visits, tokens } = await get(`${RUNS}/${runId}`)
  assert.deepEqual(tokens, [])
  assert.equal(visits.at(-1).node, 'ask')
  assert.match(visits.at(-1).output.cancelled_by, /^token:/)
  for (const what of ['pause', 'resume']) await refuse(runId, what, 'was_cancelled')
  const answer = await app.send('POST', `/beta/casework/cases/${caseId}/trigger-playbook`, {
    token: app.token,
    json: { node: 'ask', path: 'go' },
  })
  assert.equal(answer.status, 409)
})

test('a run that has ended can be changed no more', async () => {
  const { caseId, runId } = await begin(ASK)
  await trigger(app, app.token, caseId, { node: 'ask', path: 'go' })
  await runDueSteps(app)
  for (const what of ['cancel', 'pause', 'resume']) await refuse(runId, what, 'has_ended')
})

test('a paused run takes no trigger, rings no timer, and goes on from its place when it is resumed', async () => {
  const { caseId, runId } = await begin([
    { id: 'begin', kind: 'start', paths: { next: 'wait' } },
    { id: 'wait', kind: 'delay', config: { duration: 'PT1H' }, paths: { next: 'ask' } },
    { id: 'ask', kind: 'manual', config: { paths: ['go'] }, paths: { go: 'done' } },
    { id: 'done', kind: 'end' },
  ])
  const before = await get(`${RUNS}/${runId}`)
  assert.equal(before.next_timer_at, before.tokens[0].timer_at)
  assert.equal((await change(runId, 'pause', { reason: 'let us talk' })).state, 'paused')
  assert.equal((await change(runId, 'pause')).state, 'paused')
  assert.equal(await waitingOn(caseId), 'none')
  await query(
    app,
    "update run_token set timer_at = now(), entered_at = now() - interval '2 hours' where run_id = $1",
    [runId],
  )
  await runDueSteps(app)
  assert.equal((await get(`${RUNS}/${runId}`)).tokens[0].state, 'paused')
  assert.equal((await change(runId, 'resume')).state, 'active')
  assert.equal((await change(runId, 'resume')).state, 'active')
  await runDueSteps(app)
  assert.equal((await get(`${RUNS}/${runId}`)).node, 'ask')
  assert.equal(await waitingOn(caseId), 'agent')
  assert.deepEqual(
    (await readHistory(caseId)).map(({ kind }) => kind),
    ['run_resumed', 'run_paused'],
  )
})

test('a parent and its child are paused, resumed and cancelled together, and the end of a child is the path error', async () => {
  const child = await createActivePlaybook(app, app.token, ASK)
  const { caseId, runId } = await begin([
    { id: 'begin', kind: 'start', paths: { next: 'call' } },
    {
      id: 'call',
      kind: 'sub_playbook',
      config: { playbook: child },
      paths: { next: 'done', error: 'again' },
    },
    { id: 'again', kind: 'sub_playbook', config: { playbook: child }, paths: { next: 'done' } },
    { id: 'done', kind: 'end' },
  ])
  const states = async () => {
    const runs = await query<{ state: string }>(
      app,
      'select state from run where case_id = $1 order by id',
      [caseId],
    )
    return runs.map(({ state }) => state)
  }
  const { tokens } = await get(`${RUNS}/${runId}`)
  const childRun: string = tokens[0].child_run
  assert.equal((await get(`${RUNS}/${childRun}`)).parent_run_id, runId)
  await change(runId, 'pause')
  assert.deepEqual(await states(), ['paused', 'paused'])
  await change(runId, 'resume')
  await runDueSteps(app)
  assert.deepEqual(await states(), ['active', 'active'])
  await change(childRun, 'cancel')
  await runDueSteps(app)
  assert.deepEqual(await states(), ['active', 'cancelled', 'active'])
  await change(runId, 'cancel')
  assert.deepEqual(await states(), ['cancelled', 'cancelled', 'cancelled'])
  const live = "select from run_token where case_id = $1 and state <> 'done'"
  assert.deepEqual(await query(app, live, [caseId]), [])
})

test('a failed run goes on at its node: with the same key, or with a new one when the effect is to be sent anew', async (t) => {
  let status = 400
  const server = await startLoopback(t, (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  const outbound = createOutbound({ allow: [server.socket], log: silentLog })
  t.after(outbound.close)
  const move = () => moveDueTokens({ ...workerDeps(app), outbound, allowsPlainHttp: () => true })
  const playbookId = await createActivePlaybook(app, app.token, [
    { id: 'begin', kind: 'start', paths: { next: 'call' } },
    {
      id: 'call',
      kind: 'api_caller',
      config: { method: 'POST', url: server.origin },
      paths: { success: 'done' },
    },
    { id: 'done', kind: 'end' },
  ])
  const [caseId = ''] = await createCases(app, 'default', playbookId, 1)
  await move()
  const { items } = await get(`${RUNS}?state=failed&case_id=${caseId}`)
  const runId: string = items[0].run_id
  assert.deepEqual([items[0].node, items[0].playbook_id], ['call', playbookId])
  assert.equal(await waitingOn(caseId), 'agent')
  await refuse(runId, 'pause', 'has_failed')
  assert.equal((await change(runId, 'resume')).state, 'active')
  assert.equal(await waitingOn(caseId), 'none')
  await move()
  assert.equal((await get(`${RUNS}/${runId}`)).state, 'failed')
  status = 200
  await change(runId, 'resume', { resend: true, reason: 'their side is mended' })
  await move()
  const keys = server.requests.map(({ headers }) => headers['idempotency-key'])
  assert.deepEqual(keys, [`${runId}:1:2`, `${runId}:1:2`, `${runId}:1:4`])
  const run = await get(`${RUNS}/${runId}`)
  assert.deepEqual([run.state, run.failure], ['ended', undefined])
  assert.deepEqual(
    run.visits.map(({ visit, node, path }: Record<string, unknown>) => [visit, node, path]),
    [
      [1, 'begin', 'next'],
      [2, 'call', undefined],
      [3, 'call', undefined],
      [4, 'call', 'success'],
      [5, 'done', undefined],
    ],
  )
  assert.deepEqual(
    run.attempts.map(({ token, visit, outcome }: Record<string, unknown>) => [
      token,
      visit,
      outcome,
    ]),
    [
      [1, 2, 'refused'],
      [1, 3, 'refused'],
      [1, 4, 'done'],
    ],
  )
  assert.deepEqual(
    (await readHistory(caseId)).map(({ kind }) => kind),
    ['run_resumed', 'run_failed', 'run_resumed', 'run_failed'],
  )
})

async function failRun(): Promise<Begun> {
  const begun = await begin(ASK)
  await query(app, "update run_token set node = 'gone', state = 'ready' where run_id = $1", [
    begun.runId,
  ])
  await runDueSteps(app)
  return begun
}

test('a failed run is not resumed beside another of its playbook; cancelled it needs nobody any more', async () => {
  const { caseId, runId, playbookId } = await failRun()
  assert.equal(await waitingOn(caseId), 'agent')
  const path = `/beta/casework/cases/${caseId}/runs`
  const other = await app.send('POST', path, {
    token: app.token,
    json: { playbook_id: playbookId },
  })
  assert.equal(other.status, 201, other.text)
  await refuse(runId, 'resume', 'runs_already')
  await change(other.json().run_id, 'cancel')
  await change(runId, 'cancel')
  assert.equal(await waitingOn(caseId), 'none')
  assert.equal((await get(`${RUNS}/${runId}`)).failure, undefined)
  assert.deepEqual((await get(`${RUNS}?state=failed&case_id=${caseId}`)).items, [])
})

test('a child that failed is not resumed once its parent was told, and a version without runs drains again', async () => {
  const { runId, playbookId } = await failRun()
  await query(app, 'update run set parent_run_id = id, parent_token_id = 1 where id = $1', [runId])
  await refuse(runId, 'resume', 'parent_went_on')
  await query(app, 'update run set parent_run_id = null where id = $1', [runId])
  const states = "update playbook_version set state = 'inactive' where playbook_id = $1"
  await query(app, states, [playbookId])
  await change(runId, 'resume')
  const [version] = await query<{ state: string }>(
    app,
    'select state from playbook_version where playbook_id = $1',
    [playbookId],
  )
  assert.equal(version?.state, 'draining')
})

test('runs are listed by version, node, party and age, with the names of playbook and case group', async () => {
  const { caseId, runId, playbookId } = await begin(ASK)
  const of = `playbook_id=${playbookId}`
  const found = async (filter: string): Promise<readonly string[]> => {
    const { items } = await get(`${RUNS}?${filter}`)
    return items.map((run: { run_id: string }) => run.run_id)
  }
  assert.deepEqual(await found(`${of}&version=1&node=ask&waits_for=agent`), [runId])
  for (const none of ['version=2', 'node=done', 'waits_for=customer', 'older_than=PT1H']) {
    assert.deepEqual(await found(`${of}&${none}`), [], none)
  }
  await query(
    app,
    "update run_token set entered_at = now() - interval '2 hours' where run_id = $1",
    [runId],
  )
  const { items } = await get(`${RUNS}?${of}&older_than=PT1H`)
  assert.deepEqual(
    [items[0].run_id, items[0].case_id, items[0].case_group, items[0].waits_for],
    [runId, caseId, 'default', 'agent'],
  )
  assert.match(items[0].playbook_name, /^Playbook \d+$/)
  for (const wrong of ['node=ask', 'version=1', 'older_than=soon', `${of}&waits_for=nobody`]) {
    const answer = await app.send('GET', `${RUNS}?${wrong}`, { token: app.token })
    assert.equal(answer.status, 400, wrong)
  }
})

async function refuseTrigger(caseId: string, json: object): Promise<unknown> {
  const path = `/beta/casework/cases/${caseId}/trigger-playbook`
  const answer = await app.send('POST', path, { token: app.token, json })
  return answer.status === 409 ? answer.headers['casework-reason'] : answer.status
}

test('a trigger on a paused run is refused with the reason paused; one that was accepted before is answered again', async () => {
  const nodes = [
    ...ASK.slice(0, 1),
    { id: 'ask', kind: 'manual', config: { paths: ['go'] }, paths: { go: 'again' } },
    { id: 'again', kind: 'manual', config: { paths: ['go'] }, paths: { go: 'done' } },
    { id: 'done', kind: 'end' },
  ]
  const { caseId, runId, playbookId } = await begin(nodes)
  const go = { node: 'ask', path: 'go' }
  await change(runId, 'pause')
  assert.equal(await refuseTrigger(caseId, go), 'paused')
  assert.equal(await refuseTrigger(caseId, { node: `${playbookId}/ask`, path: 'go' }), 'paused')
  assert.equal(await refuseTrigger(caseId, { node: 'nowhere', path: 'go' }), 'paused')
  await change(runId, 'resume')
  await runDueSteps(app)
  await trigger(app, app.token, caseId, go)
  await change(runId, 'pause')
  assert.equal(await refuseTrigger(caseId, go), 202)
  assert.equal(await refuseTrigger(caseId, { node: 'again', path: 'go' }), 'paused')
  await change(runId, 'resume')
  await runDueSteps(app)
  assert.equal((await get(`${RUNS}/${runId}`)).node, 'again')
  await change(runId, 'cancel')
  assert.equal(await refuseTrigger(caseId, { node: 'again', path: 'go' }), 'no_run')
})

async function listOutcomes(runId: string): Promise<readonly unknown[]> {
  const { attempts } = await get(`${RUNS}/${runId}`)
  return attempts.map(({ outcome }: { outcome?: string }) => outcome ?? null)
}

test('the call of a cancelled run whose process died is marked as interrupted, and no other', async () => {
  const cancelled = await begin(ASK)
  const live = await begin(ASK)
  await query(
    app,
    `insert into run_attempt (tenant_id, run_id, token_id, visit, attempt, case_id, node, started_at)
     select tenant_id, run_id, id, visit, nth, case_id, node, now() - make_interval(mins => nth * 7)
     from run_token cross join generate_series(1, 2) as nth where run_id = any($1::uuid[])`,
    [[cancelled.runId, live.runId]],
  )
  await query(app, "update run_token set state = 'ready', calls = true where run_id = $1", [
    live.runId,
  ])
  await change(cancelled.runId, 'cancel')
  const { database, log } = app.services.foundation
  await keepPlaybooks({ db: database.kysely, log }, new AbortController().signal)
  assert.deepEqual(await listOutcomes(cancelled.runId), [null, 'interrupted'])
  assert.deepEqual(await listOutcomes(live.runId), [null, null])
})

/**
 * A run whose first call lasts until `during` has ended; each call is answered with the next of the
 * statuses, and the last one again.
 */
async function beginCall(
  t: TestContext,
  statuses: readonly number[],
  during: (runId: string, move: () => Promise<void>) => Promise<void>,
) {
  const begun = { runId: '' }
  const server = await startLoopback(t, (_request, response) => {
    const calls = server.requests.length
    const status = statuses[Math.min(calls, statuses.length) - 1] ?? 200
    const held = calls === 1 ? during(begun.runId, move) : Promise.resolve()
    void held.finally(() =>
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"ticket": 7}'),
    )
  })
  const outbound = createOutbound({ allow: [server.socket], log: silentLog })
  t.after(outbound.close)
  const move = () => moveDueTokens({ ...workerDeps(app), outbound, allowsPlainHttp: () => true })
  const playbookId = await createActivePlaybook(app, app.token, [
    { id: 'begin', kind: 'start', paths: { next: 'call' } },
    {
      id: 'call',
      kind: 'api_caller',
      config: { method: 'POST', url: server.origin, metadata: { ticket: '/ticket' } },
      paths: { success: 'done' },
    },
    { id: 'done', kind: 'end' },
  ])
  const [caseId = ''] = await createCases(app, 'default', playbookId, 1)
  const [run] = await query<{ id: string }>(app, 'select id from run where case_id = $1', [caseId])
  begun.runId = run?.id ?? ''
  await move()
  return { caseId, runId: begun.runId, server, move }
}

test('a call that ends while its run is paused is recorded, and is not made again when the run is resumed', async (t) => {
  const { caseId, runId, server, move } = await beginCall(t, [200], async (id) => {
    await change(id, 'pause')
  })
  const paused = await get(`${RUNS}/${runId}`)
  assert.deepEqual([paused.state, paused.node], ['paused', 'call'])
  assert.deepEqual(await listOutcomes(runId), ['done'])
  await move()
  assert.equal((await get(`${RUNS}/${runId}`)).state, 'paused')
  await change(runId, 'resume')
  await move()
  const run = await get(`${RUNS}/${runId}`)
  assert.deepEqual([run.state, server.requests.length], ['ended', 1])
  assert.deepEqual(await listOutcomes(runId), ['done'])
  assert.deepEqual(
    run.visits.map(({ node, path }: Record<string, unknown>) => [node, path]),
    [
      ['begin', 'next'],
      ['call', 'success'],
      ['done', undefined],
    ],
  )
  assert.equal((await get(`/beta/casework/cases/${caseId}`)).metadata['ticket'], 7)
})

test('a call that lasts while its run is paused and resumed is not made a second time', async (t) => {
  const { runId, server, move } = await beginCall(t, [200], async (id, moveMeanwhile) => {
    await change(id, 'pause')
    await change(id, 'resume')
    await moveMeanwhile()
  })
  await move()
  assert.equal((await get(`${RUNS}/${runId}`)).state, 'ended')
  assert.equal(server.requests.length, 1)
  assert.deepEqual(await listOutcomes(runId), ['done'])
})

test('a call that fails for a time while its run is paused is made again with its key when the run is resumed', async (t) => {
  const { runId, server, move } = await beginCall(t, [503, 200], async (id) => {
    await change(id, 'pause')
  })
  assert.deepEqual(await listOutcomes(runId), ['retry'])
  await change(runId, 'resume')
  await move()
  assert.equal((await get(`${RUNS}/${runId}`)).state, 'ended')
  const keys = server.requests.map(({ headers }) => headers['idempotency-key'])
  assert.deepEqual(keys, [`${runId}:1:2`, `${runId}:1:2`])
  assert.deepEqual(await listOutcomes(runId), ['retry', 'done'])
})
