// The decisions of the engine beside plain steps: facts, timers, watched cases, calls.

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { withApp } from '../../../../test/harness.ts'
import {
  type LoopbackServer,
  type SeenRequest,
  startLoopback,
} from '../../../../test/outbound-kit.ts'
import {
  createActivePlaybook,
  createCases,
  type GraphNode,
  query,
  runDueSteps,
  trigger,
  workerDeps,
} from '../../../../test/playbook-fixtures.ts'
import { countLockWaits } from '../../../../test/query.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { inTransaction } from '../../../kernel/db/database.ts'
import { silentLog } from '../../../kernel/log.ts'
import { createOutbound } from '../../../kernel/outbound/outbound.ts'
import { beginAttempts } from './run-attempt-store.ts'
import { claimDueTokens } from './run-token-store.ts'
import { ringTimers, wakeWatchers } from './timer-store.ts'
import { moveDueTokens, startPlaybookWorker, type WorkerDeps } from './worker.ts'

let token: string
const app = withApp({}, async (opened) => {
  token = opened.token
})

async function startCase(nodes: readonly GraphNode[]): Promise<string> {
  const playbook = await createActivePlaybook(app, token, nodes)
  const [caseId] = await createCases(app, 'default', playbook, 1)
  assert.ok(caseId)
  return caseId
}

async function readVisits(caseId: string): Promise<readonly string[]> {
  const visits = await query<{ node: string; path: string | null }>(
    app,
    'select node, path from visit where case_id = $1 order by run_id, token_id, visit',
    [caseId],
  )
  return visits.map(({ node, path }) => `${node} ${path}`)
}

async function readRun(caseId: string): Promise<{ state: string; failure: string | null }> {
  const [run] = await query<{ state: string; failure: string | null }>(
    app,
    'select state, failure from run where case_id = $1',
    [caseId],
  )
  assert.ok(run)
  return run
}

async function readToken(caseId: string) {
  const [row] = await query<{
    state: string
    timer_at: Date | null
    entered_at: Date
    vars: Record<string, unknown>
    later: boolean
  }>(
    app,
    'select state, timer_at, entered_at, vars, wake_at > now() as later from run_token where case_id = $1',
    [caseId],
  )
  assert.ok(row)
  return row
}

async function readWaitingOn(caseId: string): Promise<string> {
  const answer = await app.send('GET', `/beta/casework/cases/${caseId}`, { token })
  return answer.json().waiting_on
}

async function makeTimerDue(caseId: string): Promise<void> {
  await query(app, 'update run_token set timer_at = now() where case_id = $1', [caseId])
}

const END = { id: 'stop', kind: 'end' }

function ask(condition: string, paths: Record<string, string>): readonly GraphNode[] {
  const ends = [...new Set(Object.values(paths))].map((id) => ({ id, kind: 'end' }))
  return [
    { id: 'begin', kind: 'start', paths: { next: 'ask' } },
    { id: 'ask', kind: 'true_false', config: { condition }, paths },
    ...ends,
  ]
}

test('true_false takes its path by the facts of the case, and sees every group of them', async () => {
  const facts = [
    "case.state == 'NEW'",
    'case.event_count == 1',
    "event.event_type == ''",
    'events.newest.size() == 0 && events.count == 1',
    '!customer.is_known',
    '!intel.ip.listed',
    'size(vars) == 0',
    'run.version == 1',
    "now > timestamp('2020-01-01T00:00:00Z') && case.due_at == null",
    "now - case.created_at < duration('1h')",
  ]
  const yes = await startCase(ask(facts.join(' && '), { true: 'yes', false: 'no' }))
  const no = await startCase(ask('case.event_count > 5', { true: 'yes', false: 'no' }))
  await runDueSteps(app)
  assert.deepEqual(await readVisits(yes), ['begin next', 'ask true', 'yes null'])
  assert.deepEqual(await readVisits(no), ['begin next', 'ask false', 'no null'])
})

test('a condition that cannot be answered takes the path error, and fails the run without one', async () => {
  const condition = 'vars.nothing == 1'
  const handled = await startCase(ask(condition, { true: 'yes', error: 'sorry' }))
  const failed = await startCase(ask(condition, { true: 'yes' }))
  await runDueSteps(app)
  assert.deepEqual(await readVisits(handled), ['begin next', 'ask error', 'sorry null'])
  assert.deepEqual(await readRun(failed), { state: 'failed', failure: 'condition_failed' })
  assert.equal(await readWaitingOn(failed), 'agent')
})

test('a condition that may use too much work is refused when the playbook is made', async () => {
  const loop = 'events.newest.exists(e, e.ip == vars.x)'
  const condition = Array.from({ length: 8 }, () => loop).join(' || ')
  const made = await app.send('POST', '/beta/casework/playbooks', {
    token,
    json: { name: 'Hungry', nodes: ask(condition, { true: 'yes' }) },
  })
  assert.equal(made.status, 400, made.text)
  const [problem] = made.json().errors
  assert.match(problem.reason, /the limit is 5000/)
  assert.deepEqual(
    [problem.path, problem.node, problem.field],
    ['/nodes/1/config/condition', 'ask', 'config/condition'],
  )
})

test('a condition that uses up its work takes the path error, and another run its own path', async () => {
  // Eight characters of a text that is searched are a unit of work; a visit has 50,000.
  const search = "string(vars.text).contains('zz')"
  const condition = Array.from({ length: 40 }, () => search).join(' || ')
  const nodes = ask(condition, { true: 'yes', false: 'no', error: 'sorry' })
  const hungry = await startCase(nodes)
  const modest = await startCase(nodes)
  for (const [caseId, length] of [
    [hungry, 16_000],
    [modest, 80],
  ] as const) {
    await query(
      app,
      `update run_token set vars = jsonb_build_object('text', repeat('za', $2)) where case_id = $1`,
      [caseId, length / 2],
    )
  }
  await runDueSteps(app)
  assert.deepEqual(await readVisits(hungry), ['begin next', 'ask error', 'sorry null'])
  assert.deepEqual(await readVisits(modest), ['begin next', 'ask false', 'no null'])
  const [visit] = await query<{ output: Record<string, unknown> }>(
    app,
    `select output from visit where case_id = $1 and node = 'ask'`,
    [hungry],
  )
  assert.match(String(visit?.output['explanation']), /work/)
})

function sort(conditions: readonly string[]): readonly GraphNode[] {
  return [
    { id: 'begin', kind: 'start', paths: { next: 'sort' } },
    {
      id: 'sort',
      kind: 'switch',
      config: { cases: conditions.map((condition, at) => ({ path: `p${at}`, condition })) },
      paths: { p0: 'stop', p1: 'stop', default: 'stop' },
    },
    END,
  ]
}

test('switch takes the first condition that holds, else default', async () => {
  const second = await startCase(sort(['case.event_count > 5', 'case.event_count > 0']))
  const none = await startCase(sort(['case.event_count > 5', 'case.event_count > 6']))
  await runDueSteps(app)
  assert.deepEqual(await readVisits(second), ['begin next', 'sort p1', 'stop null'])
  assert.deepEqual(await readVisits(none), ['begin next', 'sort default', 'stop null'])
})

const DELAYED: readonly GraphNode[] = [
  { id: 'begin', kind: 'start', paths: { next: 'rest' } },
  { id: 'rest', kind: 'delay', config: { duration: 'P2D' }, paths: { next: 'stop' } },
  END,
]

test('a delay waits for its timer, the case shows it, and no trigger is taken at it', async () => {
  const caseId = await startCase(DELAYED)
  await runDueSteps(app)
  const { state, timer_at: timerAt, entered_at: enteredAt } = await readToken(caseId)
  assert.equal(state, 'waiting')
  assert.equal(Number(timerAt) - Number(enteredAt), 172_800_000)
  assert.equal(await readWaitingOn(caseId), 'timer')
  const path = `/beta/casework/cases/${caseId}`
  const triggers = await app.send('GET', `${path}/triggers`, { token })
  assert.deepEqual(triggers.json().items, [])
  const json = { node: 'rest', path: 'next' }
  assert.equal((await app.send('POST', `${path}/trigger-playbook`, { token, json })).status, 409)
  await makeTimerDue(caseId)
  await runDueSteps(app)
  assert.deepEqual(await readVisits(caseId), ['begin next', 'rest next', 'stop null'])
  assert.equal(await readWaitingOn(caseId), 'none')
})

test('a delay until a moment in the past goes on', async () => {
  const past = {
    id: 'rest',
    kind: 'delay',
    config: { until: '2020-01-01T00:00:00Z' },
    paths: { next: 'stop' },
  }
  const caseId = await startCase([
    { id: 'begin', kind: 'start', paths: { next: 'rest' } },
    past,
    END,
  ])
  await runDueSteps(app)
  assert.equal((await readRun(caseId)).state, 'ended')
})

function askWithTimeout(paths: Record<string, string>): readonly GraphNode[] {
  return [
    { id: 'begin', kind: 'start', paths: { next: 'ask' } },
    { id: 'ask', kind: 'manual', config: { paths: ['go'], timeout: 3_600 }, paths },
    { id: 'late', kind: 'end' },
    END,
  ]
}

test('a trigger before the timer wins, and the timer rings no more', async () => {
  const caseId = await startCase(askWithTimeout({ go: 'stop', timeout: 'late' }))
  await runDueSteps(app)
  await trigger(app, token, caseId, { node: 'ask', path: 'go' })
  await makeTimerDue(caseId)
  assert.equal(
    await ringTimers({ db: app.services.foundation.database.kysely, log: silentLog }, 10),
    0,
  )
  await runDueSteps(app)
  assert.deepEqual(await readVisits(caseId), ['begin next', 'ask go', 'stop null'])
})

test('a timer before the trigger wins, and the trigger is refused', async () => {
  const caseId = await startCase(askWithTimeout({ go: 'stop', timeout: 'late' }))
  await runDueSteps(app)
  await makeTimerDue(caseId)
  assert.equal(
    await ringTimers({ db: app.services.foundation.database.kysely, log: silentLog }, 10),
    1,
  )
  const json = { node: 'ask', path: 'go' }
  const path = `/beta/casework/cases/${caseId}/trigger-playbook`
  const refused = await app.send('POST', path, { token, json })
  assert.deepEqual([refused.status, refused.headers['casework-reason']], [409, 'not_waiting'])
  await runDueSteps(app)
  assert.deepEqual(await readVisits(caseId), ['begin next', 'ask timeout', 'late null'])
})

test('of a trigger and a timer at once, the first to commit wins', async () => {
  const caseId = await startCase(askWithTimeout({ go: 'stop', timeout: 'late' }))
  await runDueSteps(app)
  await makeTimerDue(caseId)
  const { kysely } = app.services.foundation.database
  const path = `/beta/casework/cases/${caseId}/trigger-playbook`
  const [answer, rung] = await Promise.all([
    app.send('POST', path, { token, json: { node: 'ask', path: 'go' } }),
    ringTimers({ db: kysely, log: silentLog }, 10),
  ])
  await runDueSteps(app)
  const visits = await readVisits(caseId)
  assert.deepEqual([answer.status, rung], visits.includes('ask go') ? [202, 0] : [409, 1])
  assert.equal(visits.length, 3)
})

test('a timeout that is not connected keeps the run waiting, and no caller may choose it', async () => {
  const nodes = askWithTimeout({ go: 'stop' }).filter(({ id }) => id !== 'late')
  const caseId = await startCase(nodes)
  await runDueSteps(app)
  assert.equal((await readToken(caseId)).timer_at, null)
  const path = `/beta/casework/cases/${caseId}`
  const triggers = await app.send('GET', `${path}/triggers`, { token })
  assert.deepEqual(triggers.json().items[0].paths, ['go'])
  const json = { node: 'ask', path: 'timeout' }
  assert.equal((await app.send('POST', `${path}/trigger-playbook`, { token, json })).status, 400)
})

/** As with a node that watches its case. */
async function watch(caseId: string): Promise<void> {
  await markVersion(caseId)
  await query(app, 'update run_token set watches_case = true where case_id = $1', [caseId])
}

async function markVersion(caseId: string): Promise<void> {
  const ofCase = `from run where run.case_id = $1 and run.tenant_id = playbook_version.tenant_id
    and run.playbook_id = playbook_version.playbook_id and run.version = playbook_version.version`
  await query(app, `update playbook_version set watches_cases = true ${ofCase}`, [caseId])
}

test('a change of a watched case wakes its token, whose wait and timer stay those of its arrival', async () => {
  const caseId = await startCase(askWithTimeout({ go: 'stop', timeout: 'late' }))
  const other = await startCase(askWithTimeout({ go: 'stop', timeout: 'late' }))
  await runDueSteps(app)
  const { kysely } = app.services.foundation.database
  const scope = { tenantId: 'default' }
  const wake = () => inTransaction(kysely, (tx) => wakeWatchers(tx, scope, [caseId, other]))
  assert.equal(await wake(), 0)
  await watch(caseId)
  const before = await readToken(caseId)
  assert.equal(await wake(), 1)
  assert.equal((await readToken(caseId)).state, 'ready')
  await runDueSteps(app)
  const after = await readToken(caseId)
  assert.deepEqual([after.state, after.timer_at], ['waiting', before.timer_at])
  assert.deepEqual(after.entered_at, before.entered_at)
  assert.equal(
    await inTransaction(kysely, (tx) => wakeWatchers(tx, { tenantId: 'other' }, [caseId])),
    0,
  )
})

test('a trigger is taken while a woken token has not decided again', async () => {
  const caseId = await startCase(askWithTimeout({ go: 'stop', timeout: 'late' }))
  await runDueSteps(app)
  await watch(caseId)
  const { kysely } = app.services.foundation.database
  await inTransaction(kysely, (tx) => wakeWatchers(tx, { tenantId: 'default' }, [caseId]))
  await trigger(app, token, caseId, { node: 'ask', path: 'go' })
  await runDueSteps(app)
  assert.deepEqual(await readVisits(caseId), ['begin next', 'ask go', 'stop null'])
})

test('a change that comes while a worker saves that the token waits is not lost', async () => {
  const caseId = await startCase(askWithTimeout({ go: 'stop', timeout: 'late' }))
  await markVersion(caseId)
  const { database } = app.services.foundation
  const mover = await database.pool.connect()
  await mover.query('begin')
  // The token is ready for everybody else, and its mover has read the facts before the change.
  await mover.query(
    `update run_token set state = 'waiting', watches_case = true, node = 'ask', visit = 2 where case_id = $1`,
    [caseId],
  )
  const woken = inTransaction(database.kysely, (tx) =>
    wakeWatchers(tx, { tenantId: 'default' }, [caseId]),
  )
  await waitUntil(
    async () => (await countLockWaits(app.connection, 'run_token')) > 0,
    'the wake-up waits for the mover',
  )
  await mover.query('commit')
  mover.release()
  assert.equal(await woken, 1)
  await runDueSteps(app)
})

test('a change of a case that no version watches waits for no worker', async (t) => {
  const caseId = await startCase(askWithTimeout({ go: 'stop', timeout: 'late' }))
  const { database } = app.services.foundation
  const mover = await database.pool.connect()
  t.after(() => mover.release())
  await mover.query('begin')
  await mover.query(`select from run where tenant_id = 'default' and case_id = $1 for update`, [
    caseId,
  ])
  await mover.query(
    `select from run_token where tenant_id = 'default' and case_id = $1 for update`,
    [caseId],
  )
  const woken = await inTransaction(database.kysely, async (tx) => {
    await sql`set local lock_timeout = '2s'`.execute(tx)
    return await wakeWatchers(tx, { tenantId: 'default' }, [caseId])
  })
  assert.equal(woken, 0)
  await mover.query('rollback')
  await runDueSteps(app)
})

type Answer = (request: SeenRequest, response: ServerResponse, count: number) => void

interface Calls {
  readonly deps: WorkerDeps
  readonly server: LoopbackServer
  readonly move: () => Promise<void>
  readonly start: (members?: Partial<GraphNode> & { retry?: object }) => Promise<string>
}

async function openCalls(t: TestContext, answer: Answer): Promise<Calls> {
  let count = 0
  const server = await startLoopback(t, (request, response) => {
    count += 1
    answer(request, response, count)
  })
  const outbound = createOutbound({ allow: [server.socket], log: silentLog })
  t.after(outbound.close)
  const deps = { ...workerDeps(app), outbound, allowsPlainHttp: () => true }
  return {
    deps,
    server,
    move: () => moveDueTokens(deps),
    start: (members = {}) =>
      startCase([
        { id: 'begin', kind: 'start', paths: { next: 'call' } },
        {
          id: 'call',
          kind: 'api_caller',
          config: { method: 'POST', url: `${server.origin}/suspend`, body: { why: 'abuse' } },
          paths: { success: 'stop' },
          ...members,
        },
        END,
      ]),
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown = {}): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

async function readAttempts(caseId: string): Promise<readonly string[]> {
  const attempts = await query<{ attempt: number; outcome: string | null }>(
    app,
    'select attempt, outcome from run_attempt where case_id = $1 order by visit, attempt',
    [caseId],
  )
  return attempts.map(({ attempt, outcome }) => `${attempt} ${outcome}`)
}

function listKeys({ requests }: LoopbackServer): readonly unknown[] {
  return requests.map(({ headers }) => headers['idempotency-key'])
}

async function readKey(caseId: string): Promise<string> {
  const [run] = await query<{ id: string }>(app, 'select id from run where case_id = $1', [caseId])
  return `${run?.id}:1:2`
}

test('a call sends the key of its visit, keeps the answer in the vars, and is shown with the run', async (t) => {
  const { server, move, start } = await openCalls(t, (_, response) =>
    sendJson(response, 200, { id: 7 }),
  )
  const caseId = await start()
  await move()
  assert.deepEqual(await readVisits(caseId), ['begin next', 'call success', 'stop null'])
  assert.deepEqual(listKeys(server), [await readKey(caseId)])
  assert.equal(server.requests[0]?.body, '{"why":"abuse"}')
  assert.deepEqual((await readToken(caseId)).vars, { call: { status: 200, body: { id: 7 } } })
  const path = `/beta/casework/cases/${caseId}/runs`
  const [{ run_id: runId }] = (await app.send('GET', path, { token })).json().items
  const run = (await app.send('GET', `${path}/${runId}`, { token })).json()
  const [attempt] = run.attempts
  assert.deepEqual(
    [run.attempts.length, attempt.node, attempt.outcome, attempt.detail],
    [1, 'call', 'done', { status: 200 }],
  )
})

test('a call that may pass is repeated later with the same key, and not before the other side asks', async (t) => {
  const { server, move, start } = await openCalls(t, (_, response, count) => {
    if (count > 1) sendJson(response, 204)
    else response.writeHead(503, { 'retry-after': '7200' }).end()
  })
  const caseId = await start()
  await move()
  assert.deepEqual(await readAttempts(caseId), ['1 retry'])
  const [row] = await query<{ isLate: boolean }>(
    app,
    `select wake_at > now() + interval '119 minutes' as "isLate" from run_token where case_id = $1`,
    [caseId],
  )
  assert.equal(row?.isLate, true)
  await query(app, 'update run_token set wake_at = now() where case_id = $1', [caseId])
  await move()
  assert.deepEqual(await readAttempts(caseId), ['1 retry', '2 done'])
  const key = await readKey(caseId)
  assert.deepEqual(listKeys(server), [key, key])
})

test('a refused call takes the path error, and without one the run fails and needs a person', async (t) => {
  const { move, start } = await openCalls(t, (_, response) => sendJson(response, 404))
  const handled = await start({ paths: { success: 'stop', error: 'stop' } })
  const failed = await start()
  await move()
  assert.deepEqual(await readVisits(handled), ['begin next', 'call error', 'stop null'])
  assert.deepEqual(await readAttempts(handled), ['1 refused'])
  assert.deepEqual(await readRun(failed), { state: 'failed', failure: 'status_refused' })
  assert.equal(await readWaitingOn(failed), 'agent')
})

test('the last of its attempts takes the path error, and without one the run fails', async (t) => {
  const { server, move, start } = await openCalls(t, (_, response) => sendJson(response, 500))
  const retry = { attempts: 2, seconds: 1 }
  const handled = await start({ paths: { success: 'stop', error: 'stop' }, retry })
  const failed = await start({ retry })
  await move()
  assert.equal(server.requests.length, 2)
  await query(app, 'update run_token set wake_at = now()')
  await move()
  assert.deepEqual(await readAttempts(handled), ['1 retry', '2 retry'])
  assert.deepEqual(await readVisits(handled), ['begin next', 'call error', 'stop null'])
  assert.deepEqual(await readRun(failed), { state: 'failed', failure: 'status_trouble' })
})

test('the guard refuses a target that is not public', async () => {
  const caseId = await startCase([
    { id: 'begin', kind: 'start', paths: { next: 'call' } },
    { id: 'call', kind: 'api_caller', config: { method: 'GET', url: 'https://192.0.2.1/' } },
  ])
  await runDueSteps(app)
  assert.deepEqual(await readRun(caseId), { state: 'failed', failure: 'request_refused' })
})

test('after a crash between call and outcome the attempt shows interrupted, and the key is the same', async (t) => {
  const { server, move, start } = await openCalls(t, (_, response) => sendJson(response, 200))
  const caseId = await start()
  const { database, ids } = app.services.foundation
  await standAtCall(caseId)
  // The process that claims it is gone after its call.
  const dead = ids.nextUuid()
  const claimed = await claimDueTokens(database.kysely, dead, 10, 'callers')
  assert.equal(claimed.length, 1)
  await inTransaction(database.kysely, (tx) => beginAttempts(tx, claimed))
  assert.deepEqual(await readAttempts(caseId), ['1 null'])
  await move()
  assert.equal(server.requests.length, 0)
  await query(app, 'update run_token set lease_until = now() where case_id = $1', [caseId])
  await move()
  assert.deepEqual(await readAttempts(caseId), ['1 interrupted', '2 done'])
  assert.deepEqual(listKeys(server), [await readKey(caseId)])
  assert.equal((await readRun(caseId)).state, 'ended')
})

/** Puts the token where a mover leaves it for callers. */
async function standAtCall(caseId: string, attempts = 0): Promise<void> {
  await query(
    app,
    `update run_token set node = 'call', visit = 2, calls = true, attempts = $2 where case_id = $1`,
    [caseId, attempts],
  )
}

test('an outcome that comes after the lease was lost moves nothing; the call is repeated with its key', async (t) => {
  let caseId = ''
  const { server, move, start } = await openCalls(t, (_, response, count) => {
    if (count > 1) {
      sendJson(response, 200)
      return
    }
    const thief = app.services.foundation.ids.nextUuid()
    void query(
      app,
      `update run_token set lease_owner = $2, lease_until = now() + interval '1 hour' where case_id = $1`,
      [caseId, thief],
    ).then(() => sendJson(response, 200))
  })
  caseId = await start()
  await move()
  assert.deepEqual(await readVisits(caseId), ['begin next'])
  await query(app, 'update run_token set lease_until = now() where case_id = $1', [caseId])
  await move()
  assert.deepEqual(await readVisits(caseId), ['begin next', 'call success', 'stop null'])
  const key = await readKey(caseId)
  assert.deepEqual(listKeys(server), [key, key])
  assert.deepEqual(await readAttempts(caseId), ['1 done', '2 done'])
})

test('a call whose attempts all ended their process is given up', async (t) => {
  const { server, move, start } = await openCalls(t, (_, response) => sendJson(response, 200))
  const caseId = await start({ retry: { attempts: 3 } })
  await standAtCall(caseId, 3)
  await move()
  assert.deepEqual(await readRun(caseId), { state: 'failed', failure: 'call_interrupted' })
  assert.equal(server.requests.length, 0)
})

test('vars over 64 kB fail the run', async (t) => {
  const { server, move } = await openCalls(t, (_, response) =>
    sendJson(response, 200, { text: 'x'.repeat(16_000) }),
  )
  const calls = Array.from({ length: 5 }, (_, at) => ({
    id: `c${at}`,
    kind: 'api_caller',
    config: { method: 'GET', url: server.origin },
    paths: { success: at === 4 ? 'stop' : `c${at + 1}` },
  }))
  const caseId = await startCase([
    { id: 'begin', kind: 'start', paths: { next: 'c0' } },
    ...calls,
    END,
  ])
  await move()
  assert.deepEqual(await readRun(caseId), { state: 'failed', failure: 'vars_too_large' })
  assert.equal((await readVisits(caseId)).at(-1), 'c4 null')
})

test('a step that fails after a call does not repeat the call', async (t) => {
  const { server, move } = await openCalls(t, (_, response) => sendJson(response, 200))
  const caseId = await startCase([
    { id: 'begin', kind: 'start', paths: { next: 'call' } },
    {
      id: 'call',
      kind: 'api_caller',
      config: { method: 'GET', url: server.origin },
      paths: { success: 'note' },
    },
    { id: 'note', kind: 'comment', config: { text: 'Done.' } },
  ])
  await query(
    app,
    `alter table case_comment add constraint broken check (case_id <> '${caseId}') not valid`,
  )
  await move()
  assert.deepEqual(await readVisits(caseId), ['begin next', 'call success'])
  await query(app, 'alter table case_comment drop constraint broken')
  await query(app, 'update run_token set wake_at = now() where case_id = $1', [caseId])
  await move()
  assert.equal((await readRun(caseId)).state, 'ended')
  assert.equal(server.requests.length, 1)
})

async function readLease(caseId: string): Promise<number> {
  const [row] = await query<{ lease_until: Date | null }>(
    app,
    'select lease_until from run_token where case_id = $1',
    [caseId],
  )
  return row?.lease_until?.getTime() ?? 0
}

test('the lease is renewed while a call is under way', async (t) => {
  const { deps, start } = await openCalls(t, (_, response) => {
    void readLease(caseId)
      .then((first) =>
        waitUntil(async () => (await readLease(caseId)) > first, 'the lease is renewed'),
      )
      .then(() => sendJson(response, 200))
  })
  const caseId = await start()
  const worker = startPlaybookWorker(deps)
  await waitUntil(async () => (await readRun(caseId)).state === 'ended', 'the run ends')
  await worker.stop()
  assert.deepEqual(await readAttempts(caseId), ['1 done'])
})

test('a worker that stops aborts a call that does not end, and leaves the token for the next', async (t) => {
  const asked = Promise.withResolvers<null>()
  const { deps, server, move, start } = await openCalls(t, (_, response, count) => {
    if (count > 1) sendJson(response, 200)
    else asked.resolve(null)
  })
  const caseId = await start()
  const worker = startPlaybookWorker(deps)
  await asked.promise
  await worker.stop()
  assert.deepEqual(await readAttempts(caseId), ['1 retry'])
  await query(app, 'update run_token set wake_at = now() where case_id = $1', [caseId])
  await move()
  assert.equal((await readRun(caseId)).state, 'ended')
  const key = await readKey(caseId)
  assert.deepEqual(listKeys(server), [key, key])
})
