import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as fc from 'fast-check'
import { withApp } from '../../../../test/harness.ts'
import {
  APPROVAL,
  createActivePlaybook,
  createCases,
  type GraphNode,
  query,
  runDueSteps,
  trigger,
  workerDeps,
} from '../../../../test/playbook-fixtures.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { inTransaction } from '../../../kernel/db/database.ts'
import { silentLog } from '../../../kernel/log.ts'
import { retireDrainedVersions } from '../playbook-store.ts'
import { claimDueTokens, fenceTokens, postponeToken } from './run-token-store.ts'
import { moveDueTokens, startPlaybookWorker } from './worker.ts'

let token: string
const app = withApp({}, async (opened) => {
  token = opened.token
})

/** start → work → note → done, without a stop. */
const STRAIGHT: readonly GraphNode[] = [
  { id: 'begin', kind: 'start', paths: { next: 'work' } },
  { id: 'work', kind: 'set_state', config: { state: 'IN_PROGRESS' }, paths: { next: 'note' } },
  { id: 'note', kind: 'comment', config: { text: 'Customer told.' }, paths: { next: 'done' } },
  { id: 'done', kind: 'resolve', config: { resolution: 'notified' } },
]

async function readVisits(caseId: string | undefined) {
  return await query<{ visit: number; node: string; path: string | null; output: object | null }>(
    app,
    'select visit, node, path, output from visit where case_id = $1 order by run_id, token_id, visit',
    [caseId],
  )
}

async function readRun(caseId: string | undefined) {
  const [run] = await query<{ state: string; failure: string | null; visits: number }>(
    app,
    'select state, failure, visits from run where case_id = $1 order by id desc limit 1',
    [caseId],
  )
  return run
}

test('a run goes to its waiting node by itself, and a trigger brings it to its end', async () => {
  const playbook = await createActivePlaybook(app, token, APPROVAL)
  const [caseId] = await createCases(app, 'default', playbook, 1)
  await runDueSteps(app)
  assert.deepEqual(
    (await readVisits(caseId)).map((visit) => visit.node),
    ['begin'],
  )
  assert.ok(caseId)
  await trigger(app, token, caseId, { node: 'ask', path: 'approve' })
  await runDueSteps(app)
  assert.deepEqual(
    (await readVisits(caseId)).map((visit) => `${visit.visit} ${visit.node} ${visit.path}`),
    ['1 begin next', '2 ask approve', '3 work next', '4 note next', '5 done null'],
  )
  assert.deepEqual(await readRun(caseId), { state: 'ended', failure: null, visits: 5 })
})

test('what a run writes carries the run, the node and the visit', async () => {
  const playbook = await createActivePlaybook(app, token, STRAIGHT)
  const [caseId] = await createCases(app, 'default', playbook, 1)
  await runDueSteps(app)
  const [run] = await query<{ id: string }>(app, 'select id from run where case_id = $1', [caseId])
  const history = await query(
    app,
    `select kind, actor_kind, actor, from_state, to_state, cause_id from case_history
     where case_id = $1 order by id`,
    [caseId],
  )
  const byRun = (kind: string, node: string, visit: number, from: unknown, to: unknown) => ({
    kind,
    actor_kind: 'run',
    actor: `${run?.id}:${node}`,
    from_state: from,
    to_state: to,
    cause_id: `${run?.id}:1:${visit}`,
  })
  assert.deepEqual(history, [
    byRun('move', 'work', 2, 'NEW', 'IN_PROGRESS'),
    byRun('comment', 'note', 3, null, null),
    byRun('move', 'done', 4, 'IN_PROGRESS', 'RESOLVED'),
  ])
  const [comment] = await query<{ text: string; author: string }>(
    app,
    'select text, author from case_comment where case_id = $1',
    [caseId],
  )
  assert.equal(comment?.text, 'Customer told.')
  assert.match(comment?.author ?? '', /^Playbook \d+$/)
})

/** As intake does while it puts events into cases. */
async function holdCorrelationLock(t: TestContext) {
  const intake = await app.services.foundation.database.pool.connect()
  t.after(() => intake.release())
  await intake.query('begin')
  await intake.query("select from correlation_lock where tenant_id = 'default' for update")
  return intake
}

async function readCaseState(caseId: string): Promise<string> {
  const sql = 'select state from abuse_case where id = $1'
  const [row] = await query<{ state: string }>(app, sql, [caseId])
  return row?.state ?? 'none'
}

test('a move between open states does not wait for intake of its tenant', async (t) => {
  const playbook = await createActivePlaybook(app, token, [
    { id: 'begin', kind: 'start', paths: { next: 'work' } },
    { id: 'work', kind: 'set_state', config: { state: 'IN_PROGRESS' }, paths: { next: 'stop' } },
    { id: 'stop', kind: 'end' },
  ])
  const [caseId = ''] = await createCases(app, 'default', playbook, 1)
  const intake = await holdCorrelationLock(t)
  const moved = runDueSteps(app)
  await waitUntil(async () => (await readCaseState(caseId)) === 'IN_PROGRESS', 'the case is moved')
  await moved
  await intake.query('rollback')
})

test('a run that finds intake at work at its end commits the steps before, and ends with the next transaction', async (t) => {
  const playbook = await createActivePlaybook(app, token, STRAIGHT)
  const [caseId = ''] = await createCases(app, 'default', playbook, 1)
  const intake = await holdCorrelationLock(t)
  const moved = runDueSteps(app)
  await waitUntil(
    async () => (await readCaseState(caseId)) === 'IN_PROGRESS',
    'the first steps are there',
  )
  assert.deepEqual(
    (await readVisits(caseId)).map(({ node }) => node),
    ['begin', 'work', 'note'],
  )
  // What would wait for a run that kept its cases while it waits for the lock.
  await intake.query("select from abuse_case where tenant_id = 'default' and id = $1 for update", [
    caseId,
  ])
  await intake.query('commit')
  await moved
  assert.equal(await readCaseState(caseId), 'RESOLVED')
  assert.deepEqual(
    (await readVisits(caseId)).map(({ visit, node }) => `${visit} ${node}`),
    ['1 begin', '2 work', '3 note', '4 done'],
  )
  assert.deepEqual(await readRun(caseId), { state: 'ended', failure: null, visits: 4 })
})

test('a refused move fails the run, tells why, and leaves the case as it was', async () => {
  const playbook = await createActivePlaybook(app, token, STRAIGHT)
  const [caseId] = await createCases(app, 'default', playbook, 1)
  await query(
    app,
    `update abuse_case set state = 'CLOSED', close_reason = 'merged', ended_at = now() where id = $1`,
    [caseId],
  )
  await runDueSteps(app)
  assert.deepEqual(await readRun(caseId), { state: 'failed', failure: 'case_is_merged', visits: 2 })
  assert.deepEqual((await readVisits(caseId)).at(-1), {
    visit: 2,
    node: 'work',
    path: null,
    output: { failure: 'case_is_merged' },
  })
  const [row] = await query<{ state: string }>(app, 'select state from abuse_case where id = $1', [
    caseId,
  ])
  assert.equal(row?.state, 'CLOSED')
})

/** start → wait (go) → work → done. */
function waitThenWork(config: Record<string, unknown>): readonly GraphNode[] {
  return [
    { id: 'begin', kind: 'start', paths: { next: 'ask' } },
    { id: 'ask', kind: 'trigger', config: { paths: ['go'] }, paths: { go: 'work' } },
    { id: 'work', kind: 'set_state', config, paths: { next: 'note' } },
    { id: 'note', kind: 'comment', config: { text: 'Still here.' } },
  ]
}

async function endByPersonThenGo(config: Record<string, unknown>): Promise<string> {
  const playbook = await createActivePlaybook(app, token, waitThenWork(config))
  const [caseId] = await createCases(app, 'default', playbook, 1)
  assert.ok(caseId)
  await runDueSteps(app)
  const json = { version: 1, state: 'CLOSED', close_reason: 'not_ours' }
  const path = `/beta/casework/cases/${caseId}`
  assert.equal((await app.send('PATCH', path, { token, json })).status, 200)
  await trigger(app, token, caseId, { node: 'ask', path: 'go' })
  await runDueSteps(app)
  return caseId
}

test('a run whose case was ended by a person ends at Set State with a history row, and reopens nothing', async () => {
  const caseId = await endByPersonThenGo({ state: 'IN_PROGRESS' })
  assert.deepEqual(await readRun(caseId), { state: 'ended', failure: null, visits: 3 })
  assert.deepEqual((await readVisits(caseId)).at(-1), {
    visit: 3,
    node: 'work',
    path: null,
    output: { ended: 'case_has_ended' },
  })
  const [row] = await query(
    app,
    `select state, version, (select count(*) from case_comment where case_id = $1) as comments,
       (select count(*) from case_slot where case_id = $1) as slots from abuse_case where id = $1`,
    [caseId],
  )
  assert.deepEqual(row, { state: 'CLOSED', version: 2, comments: 0, slots: 0 })
  const history = await query(
    app,
    'select kind, reason from case_history where case_id = $1 order by id desc limit 1',
    [caseId],
  )
  assert.deepEqual(history, [{ kind: 'run_ended', reason: 'case_has_ended' }])
})

test('Set State with reopen: true opens an ended case again', async () => {
  const caseId = await endByPersonThenGo({ state: 'IN_PROGRESS', reopen: true })
  assert.deepEqual(await readRun(caseId), { state: 'ended', failure: null, visits: 4 })
  const [row] = await query(app, 'select state, reopen_count from abuse_case where id = $1', [
    caseId,
  ])
  assert.deepEqual(row, { state: 'IN_PROGRESS', reopen_count: 1 })
})

test('a run of more passages than any honest one fails instead of running for ever', async () => {
  const playbook = await createActivePlaybook(app, token, STRAIGHT)
  const [caseId] = await createCases(app, 'default', playbook, 1)
  await query(app, 'update run set visits = 10000 where case_id = $1', [caseId])
  await runDueSteps(app)
  assert.equal((await readRun(caseId))?.failure, 'too_many_visits')
})

test('a chain longer than one transaction goes on with the next claim', async () => {
  const chain: GraphNode[] = Array.from({ length: 120 }, (_, at) => ({
    id: `note-${at}`,
    kind: 'comment',
    config: { text: `Note ${at}` },
    paths: { next: at === 119 ? 'stop' : `note-${at + 1}` },
  }))
  const playbook = await createActivePlaybook(app, token, [
    { id: 'begin', kind: 'start', paths: { next: 'note-0' } },
    ...chain,
    { id: 'stop', kind: 'end' },
  ])
  const [caseId] = await createCases(app, 'default', playbook, 1)
  await runDueSteps(app)
  assert.deepEqual(await readRun(caseId), { state: 'ended', failure: null, visits: 122 })
  const [comments] = await query<{ count: number }>(
    app,
    'select count(*) from case_comment where case_id = $1',
    [caseId],
  )
  assert.equal(comments?.count, 120)
})

test('a token that comes to a waiting node at the limit of one transaction is told as waiting, once', async () => {
  const tenant = "select tenant_id, 'test', array['run'] from run limit 1 on conflict do nothing"
  await query(app, `insert into change_listener (tenant_id, listener, kinds) ${tenant}`)
  // 48, 49 and 50 steps before the node: one of them is the last of a transaction.
  for (const count of [47, 48, 49]) {
    const chain: GraphNode[] = Array.from({ length: count }, (_, at) => ({
      id: `note-${at}`,
      kind: 'true_false',
      config: { condition: 'true' },
      paths: { true: at === count - 1 ? 'ask' : `note-${at + 1}` },
    }))
    const playbook = await createActivePlaybook(app, token, [
      { id: 'begin', kind: 'start', paths: { next: 'note-0' } },
      ...chain,
      { id: 'ask', kind: 'trigger', config: { paths: ['go'] }, paths: { go: 'stop' } },
      { id: 'stop', kind: 'end' },
    ])
    const [caseId] = await createCases(app, 'default', playbook, 1)
    await runDueSteps(app)
    const told = await query<{ what: string }>(
      app,
      "select what from change where case_id = $1 and kind = 'run' order by due_at, id",
      [caseId],
    )
    assert.deepEqual(
      told.map(({ what }) => what),
      ['started', 'waiting'],
      `${count} nodes before it`,
    )
  }
  await query(app, "delete from change_listener where listener = 'test'")
})

test('a worker that lost its lease can no longer commit', async () => {
  const playbook = await createActivePlaybook(app, token, STRAIGHT)
  await createCases(app, 'default', playbook, 1)
  const { database, ids } = app.services.foundation
  const late = ids.nextUuid()
  const claimed = await claimDueTokens(database.kysely, late, 10)
  assert.equal(claimed.length, 1)
  assert.equal((await claimDueTokens(database.kysely, ids.nextUuid(), 10)).length, 0)
  await query(app, 'update run_token set lease_until = now() where lease_owner = $1', [late])
  const taken = await claimDueTokens(database.kysely, ids.nextUuid(), 10)
  assert.equal(taken.length, 1)
  const fenced = await inTransaction(database.kysely, (tx) => fenceTokens(tx, late, claimed))
  assert.deepEqual(fenced, [])
  const [first] = claimed
  assert.ok(first)
  await postponeToken(database.kysely, late, first, 3_600)
  await query(app, 'update run_token set lease_until = now() where lease_owner is not null')
  await runDueSteps(app)
  assert.equal((await readRun(first && (await caseOf(first.runId))))?.state, 'ended')
})

async function caseOf(runId: string): Promise<string | undefined> {
  const [run] = await query<{ case_id: string }>(app, 'select case_id from run where id = $1', [
    runId,
  ])
  return run?.case_id
}

test('a step that fails is put off and does not hold up the others, and is given up in the end', async () => {
  const playbook = await createActivePlaybook(app, token, STRAIGHT)
  const [bad, good] = await createCases(app, 'default', playbook, 2)
  // The table refuses this case's comments, as a database with a fault would.
  await query(
    app,
    `alter table case_comment add constraint broken check (case_id <> '${bad}') not valid`,
  )
  await moveDueTokens(workerDeps(app))
  assert.equal((await readRun(good))?.state, 'ended')
  assert.equal((await readRun(bad))?.state, 'active')
  assert.deepEqual(await readVisits(bad), [])
  const [put] = await query<{ attempts: number; isLater: boolean }>(
    app,
    `select attempts, wake_at > now() as "isLater" from run_token where case_id = $1`,
    [bad],
  )
  assert.deepEqual(put, { attempts: 1, isLater: true })
  for (let attempt = 2; attempt <= 10; attempt += 1) {
    await query(app, 'update run_token set wake_at = now() where case_id = $1', [bad])
    await moveDueTokens(workerDeps(app))
  }
  assert.deepEqual(await readRun(bad), { state: 'failed', failure: 'gave_up', visits: 1 })
  const [row] = await query<{ state: string }>(app, 'select state from abuse_case where id = $1', [
    bad,
  ])
  assert.equal(row?.state, 'NEW')
  await query(app, 'alter table case_comment drop constraint broken')
})

test('a token whose step ended ten processes is given up by the next', async () => {
  const playbook = await createActivePlaybook(app, token, STRAIGHT)
  const [caseId] = await createCases(app, 'default', playbook, 1)
  await query(app, 'update run_token set attempts = 10 where case_id = $1', [caseId])
  await runDueSteps(app)
  assert.equal((await readRun(caseId))?.failure, 'gave_up')
})

test('parked tokens are not in the index that a claim reads', async () => {
  const [index] = await query<{ indexdef: string }>(
    app,
    `select indexdef from pg_indexes where indexname = 'run_token_due'`,
  )
  assert.match(index?.indexdef ?? '', /WHERE \(\(state = 'ready'::text\) AND \(NOT calls\)\)/)
})

test('a version is retired when its last run has ended, and not before', async () => {
  const playbook = await createActivePlaybook(app, token, APPROVAL)
  const [caseId] = await createCases(app, 'default', playbook, 1)
  await runDueSteps(app)
  const path = `/beta/casework/playbooks/${playbook}/versions`
  await app.send('POST', path, { token, json: { nodes: STRAIGHT } })
  assert.equal((await app.send('POST', `${path}/2/activate`, { token })).status, 200)
  const { kysely } = app.services.foundation.database
  const readState = async (): Promise<string> =>
    (await app.send('GET', `${path}/1`, { token })).json().state
  await retireDrainedVersions({ db: kysely, log: silentLog })
  assert.equal(await readState(), 'draining')
  assert.ok(caseId)
  await trigger(app, token, caseId, { node: 'ask', path: 'reject' })
  await runDueSteps(app)
  await retireDrainedVersions({ db: kysely, log: silentLog })
  assert.equal(await readState(), 'inactive')
})

test('a trigger in this process is acted on by its hint, and a stopped worker claims nothing more', async () => {
  const playbook = await createActivePlaybook(app, token, APPROVAL)
  const [one, other] = await createCases(app, 'default', playbook, 2)
  assert.ok(one !== undefined && other !== undefined)
  const worker = startPlaybookWorker(workerDeps(app))
  await waitUntil(async () => {
    const [row] = await query<{ count: number }>(
      app,
      `select count(*) from run_token where state = 'waiting' and case_id = any($1)`,
      [[one, other]],
    )
    return row?.count === 2
  }, 'both runs wait')
  await trigger(app, token, one, { node: 'ask', path: 'approve' })
  await waitUntil(async () => (await readRun(one))?.state === 'ended', 'the run ends')
  await worker.stop()
  await trigger(app, token, other, { node: 'ask', path: 'approve' })
  const [left] = await query(app, 'select state, lease_owner from run_token where case_id = $1', [
    other,
  ])
  assert.deepEqual(left, { state: 'ready', lease_owner: null })
  await runDueSteps(app)
})

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'] as const

/**
 * Any boxes with any connections, as far as the start leads to them. Loops in which nobody waits
 * are still refused.
 */
const graphs = fc
  .array(
    fc.record({
      kind: fc.constantFrom(
        'trigger',
        'manual',
        'true_false',
        'delay',
        'set_state',
        'comment',
        'resolve',
        'end',
      ),
      state: fc.constantFrom('IN_PROGRESS', 'RESOLVED'),
      first: fc.constantFrom(...NAMES, null),
      second: fc.constantFrom(...NAMES, null),
    }),
    { minLength: NAMES.length, maxLength: NAMES.length },
  )
  .map((boxes) =>
    keepReachable([
      { id: 'begin', kind: 'start', paths: { next: 'a' } },
      ...boxes.map((box, at) => buildNode(NAMES[at] ?? 'a', box)),
    ]),
  )

function keepReachable(nodes: readonly GraphNode[]): readonly GraphNode[] {
  const reached = new Set(['begin'])
  for (const id of reached) {
    const node = nodes.find((one) => one.id === id)
    for (const target of Object.values(node?.paths ?? {})) reached.add(target)
  }
  return nodes.filter((node) => reached.has(node.id))
}

function buildNode(
  id: string,
  box: { kind: string; state: string; first: string | null; second: string | null },
): GraphNode {
  const first = box.first === null ? {} : { first: box.first }
  const second = box.second === null ? {} : { second: box.second }
  const next = box.first === null ? {} : { next: box.first }
  switch (box.kind) {
    case 'trigger':
    case 'manual':
      return {
        id,
        kind: box.kind,
        config: { paths: ['first', 'second'] },
        paths: { ...first, ...second },
      }
    case 'true_false': {
      const yes = box.first === null ? {} : { true: box.first }
      const no = box.second === null ? {} : { false: box.second }
      const config = { condition: `case.state == '${box.state}'` }
      return { id, kind: box.kind, config, paths: { ...yes, ...no } }
    }
    case 'delay':
      return { id, kind: box.kind, config: { duration: 'P1D' }, paths: next }
    case 'set_state':
      return { id, kind: box.kind, config: { state: box.state }, paths: next }
    case 'comment':
      return { id, kind: box.kind, config: { text: 'A note.' }, paths: next }
    default:
      return { id, kind: box.kind }
  }
}

test('whatever playbook is accepted, its runs end or wait, whatever is chosen', async () => {
  let drawn = 0
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(graphs, fc.array(fc.boolean(), { maxLength: 6 }), async (nodes, choices) => {
      drawn += 1
      const made = await app.send('POST', '/beta/casework/playbooks', {
        token,
        json: { name: `Random ${drawn}`, nodes },
      })
      if (made.status === 400) return
      assert.equal(made.status, 201, made.text)
      accepted += 1
      const playbook: string = made.json().id
      await app.send('POST', `/beta/casework/playbooks/${playbook}/versions/1/activate`, { token })
      const [caseId] = await createCases(app, 'default', playbook, 1)
      assert.ok(caseId)
      for (const choice of choices) {
        await runDueSteps(app)
        await assertAtRest(caseId)
        const triggers = await app.send('GET', `/beta/casework/cases/${caseId}/triggers`, { token })
        const [waiting] = triggers.json().items
        if (waiting === undefined) break
        const path = choice ? 'first' : 'second'
        await trigger(app, token, caseId, { node: waiting.node, path })
      }
      await runDueSteps(app)
      await assertAtRest(caseId)
    }),
    { numRuns: 100 },
  )
  assert.ok(accepted >= 30, `${accepted} of ${drawn} playbooks were accepted`)
})

/**
 * The watchdog's rule: a live run has a waiting token, an over one has none, and its passages have
 * no gap and no twin.
 */
async function assertAtRest(caseId: string): Promise<void> {
  const [parked] = await query<{ state: string; lease_owner: string | null }>(
    app,
    'select state, lease_owner from run_token where case_id = $1',
    [caseId],
  )
  const run = await readRun(caseId)
  assert.equal(parked?.lease_owner, null)
  assert.equal(
    { active: 'waiting', ended: 'done', failed: 'dead' }[run?.state ?? ''],
    parked?.state,
  )
  const visits = await readVisits(caseId)
  assert.deepEqual(
    visits.map((visit) => visit.visit),
    visits.map((_, at) => at + 1),
  )
  assert.equal(run?.visits, visits.length)
}
