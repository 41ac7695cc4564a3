import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { endProcess, whenOutput } from '../../../../test/child-process.ts'
import { withApp } from '../../../../test/harness.ts'
import {
  createActivePlaybook,
  createCases,
  type GraphNode,
  query,
  runDueSteps,
  workerDeps,
} from '../../../../test/playbook-fixtures.ts'
import { countLockWaits } from '../../../../test/query.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { startPlaybookWorker } from './worker.ts'

let token: string
const app = withApp({}, async (opened) => {
  token = opened.token
})

const GRAPH: readonly GraphNode[] = [
  { id: 'begin', kind: 'start', paths: { next: 'work' } },
  { id: 'work', kind: 'set_state', config: { state: 'IN_PROGRESS' }, paths: { next: 'note' } },
  { id: 'note', kind: 'comment', config: { text: 'Customer told.' }, paths: { next: 'done' } },
  { id: 'done', kind: 'resolve' },
]

async function startWorkerProcess(): Promise<ChildProcess> {
  const script = join(import.meta.dirname, '../../../../test/playbook-worker-process.ts')
  const child = spawn(process.execPath, [script, JSON.stringify(app.connection)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await whenOutput(child)
  return child
}

async function count(text: string, values: readonly unknown[] = []): Promise<number> {
  const [row] = await query<{ count: number }>(app, text, values)
  return row?.count ?? 0
}

/** Every run of the playbook is over, and every step was made exactly once. */
async function assertEachStepOnce(playbook: string, runs: number): Promise<void> {
  assert.equal(
    await count(
      `select count(*) from run where playbook_id = $1 and state = 'ended' and visits = 4`,
      [playbook],
    ),
    runs,
  )
  const perNode = await query<{ node: string; visits: number; cases: number }>(
    app,
    `select node, count(*) as visits, count(distinct visit.case_id) as cases
     from visit join run on run.tenant_id = visit.tenant_id and run.id = visit.run_id
     where run.playbook_id = $1 group by node order by min(visit)`,
    [playbook],
  )
  assert.deepEqual(
    perNode,
    ['begin', 'work', 'note', 'done'].map((node) => ({ node, visits: runs, cases: runs })),
  )
  const history = await query<{ kind: string; entries: number; causes: number }>(
    app,
    `select kind, count(*) as entries, count(distinct cause_id) as causes
     from case_history join run using (tenant_id, case_id)
     where run.playbook_id = $1 group by kind order by kind`,
    [playbook],
  )
  assert.deepEqual(history, [
    { kind: 'comment', entries: runs, causes: runs },
    { kind: 'move', entries: 2 * runs, causes: 2 * runs },
  ])
  assert.equal(
    await count(
      `select count(*) from abuse_case join run on run.tenant_id = abuse_case.tenant_id and run.case_id = abuse_case.id
       where run.playbook_id = $1 and abuse_case.state = 'RESOLVED' and abuse_case.version = 3`,
      [playbook],
    ),
    runs,
  )
}

test('a worker killed in the middle of a step leaves nothing half done, and another takes over', async () => {
  const playbook = await createActivePlaybook(app, token, GRAPH)
  const [caseId] = await createCases(app, 'default', playbook, 1)
  const { pool } = app.services.foundation.database
  const blocker = await pool.connect()
  await blocker.query('begin')
  await blocker.query(
    "select 1 from abuse_case where tenant_id = 'default' and id = $1 for update",
    [caseId],
  )
  const child = await startWorkerProcess()
  // The worker has fenced its token and written its passage through the start when it meets this
  // lock.
  await waitUntil(
    async () => (await countLockWaits(app.connection, 'abuse_case')) === 1,
    'the worker is in the middle of its step',
  )
  await endProcess(child, 'SIGKILL')
  await blocker.query('rollback')
  blocker.release()
  assert.equal(await count('select count(*) from visit where case_id = $1', [caseId]), 0)
  const worker = startPlaybookWorker(workerDeps(app))
  await waitUntil(async () => {
    const ended = `select count(*) from run where case_id = $1 and state = 'ended'`
    return (await count(ended, [caseId])) === 1
  }, 'another worker ends the run')
  await worker.stop()
  await assertEachStepOnce(playbook, 1)
})

test('workers killed again and again lose no step and make none twice', async () => {
  const playbook = await createActivePlaybook(app, token, GRAPH)
  const done = `select count(*) from run where playbook_id = $1 and state = 'ended'`
  await createCases(app, 'default', playbook, 400)
  for (let round = 1; round <= 2; round += 1) {
    const child = await startWorkerProcess()
    const already = await count(done, [playbook])
    await waitUntil(async () => {
      const now = await count(done, [playbook])
      return now > already || now === 400
    }, 'the worker has done a part, or all of it')
    await endProcess(child, 'SIGKILL')
    // The leases of the dead are made to run out at once; the test before waits for it.
    await query(app, 'update run_token set lease_until = now() where lease_until is not null')
  }
  await runDueSteps(app)
  await assertEachStepOnce(playbook, 400)
})

test('two workers in two processes share 400 runs and make each step once', async () => {
  const playbook = await createActivePlaybook(app, token, GRAPH)
  await createCases(app, 'default', playbook, 400)
  const child = await startWorkerProcess()
  const worker = startPlaybookWorker(workerDeps(app), { concurrency: 2 })
  await waitUntil(async () => {
    const left = `select count(*) from run where playbook_id = $1 and state = 'active'`
    return (await count(left, [playbook])) === 0
  }, 'all runs end')
  await worker.stop()
  await endProcess(child, 'SIGTERM')
  assert.equal(child.exitCode, 0)
  await assertEachStepOnce(playbook, 400)
})
