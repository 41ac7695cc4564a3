// Workers killed at random moments, two at a time, over and over: no step is lost or made twice,
// and every effect has one key. CASEWORK_PROOF_ROUNDS sets the number of kills, 50 by default.
// A frozen worker, a database that is killed in the middle of the work, and jumping clocks follow.

import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/kernel/postgres/embedded-postgres.ts'
import { endProcess } from '../child-process.ts'
import { type MailSink, openMailSink } from '../fixtures/mail-sink.ts'
import { openTestApp, type TestApp } from '../harness.ts'
import { createActivePlaybook, createCases, query, runDueSteps } from '../playbook-fixtures.ts'
import { makeDataFolder } from '../postgres-harness.ts'
import { createTemplate } from '../setup.ts'
import { waitUntil } from '../wait.ts'
import {
  assertEachOnce,
  type HttpSink,
  openHttpSink,
  storeHookSecret,
  writeEight,
} from './proof-kit.ts'
import { killWorkers, openSpareWorker } from './worker-processes.ts'

const ROUNDS = Number(process.env['CASEWORK_PROOF_ROUNDS'] ?? 50)
const CASES_A_ROUND = 8
// A worker moves a batch in some 50 ms; the moments lie before, in and after it.
const MOMENT_MS_MAX = 150

let http: HttpSink
let mail: MailSink
let environment: Record<string, string>

before(async () => {
  http = await openHttpSink()
  mail = await openMailSink()
  environment = {
    CASEWORK_RELAY_URL: `smtp://127.0.0.1:${mail.port}`,
    CASEWORK_MAIL_FROM: 'Abuse Desk <abuse@provider.example>',
    CASEWORK_MAIL_DOMAIN: 'in.provider.example',
    CASEWORK_OUTBOUND_ALLOW: `127.0.0.1:${http.port}`,
    CASEWORK_SECRET_KEY: Buffer.alloc(32, 'key of the proof').toString('base64'),
  }
})
afterEach(() => killWorkers())
after(async () => {
  await mail.close()
  await http.close()
})

interface Proof {
  readonly app: TestApp
  readonly playbook: string
}

async function openProof(): Promise<Proof> {
  const app = await openTestApp({ environment })
  const token = await app.createToken()
  await storeHookSecret(app, token)
  return { app, playbook: await createActivePlaybook(app, token, writeEight(http.port)) }
}

// A run takes some five seconds where a worker was killed; a slow machine may need its time.
const PATIENCE_MS = 180_000

async function untilOver({ app, playbook }: Proof): Promise<void> {
  const left = `select run.state, run_token.node, run_token.state as token, run_token.attempts from run
    join run_token on run_token.tenant_id = run.tenant_id and run_token.run_id = run.id
    where playbook_id = $1 and run.state = 'active' limit 3`
  for (const endMs = performance.now() + PATIENCE_MS; ; await delay(100)) {
    const rows = await query(app, left, [playbook]).catch(() => null)
    if (rows?.length === 0) return
    assert.ok(performance.now() < endMs, `runs did not end: ${JSON.stringify(rows)}`)
  }
}

/** The longest stay of a token at a node, in seconds: that of a step whose worker was killed. */
async function readLongestStay({ app, playbook }: Proof): Promise<number> {
  const [row] = await query<{ seconds: number }>(
    app,
    `select max(extract(epoch from (left_at - entered_at)))::float as seconds
     from visit join run on run.tenant_id = visit.tenant_id and run.id = visit.run_id
     where run.playbook_id = $1`,
    [playbook],
  )
  return row?.seconds ?? Number.NaN
}

test(`workers killed ${ROUNDS} times lose no step, make none twice, and each effect has one key`, async (t) => {
  const proof = await openProof()
  const { app, playbook } = proof
  try {
    const [calls, mails] = [http.requests.length, mail.mails.length]
    const caseIds: string[] = []
    const spares = [
      openSpareWorker(app.connection, environment),
      openSpareWorker(app.connection, environment),
    ]
    const take = async (): Promise<ChildProcess> => {
      const next = spares.shift()
      assert.ok(next)
      spares.push(openSpareWorker(app.connection, environment))
      const spare = await next
      await spare.begin()
      return spare.child
    }
    const live = [await take(), await take()]
    for (let round = 0; round < ROUNDS; round += 1) {
      caseIds.push(...(await createCases(app, 'default', playbook, CASES_A_ROUND)))
      await delay(Math.random() * MOMENT_MS_MAX)
      const victim = live.splice(Math.random() < 0.5 ? 0 : 1, 1)[0]
      assert.ok(victim)
      await endProcess(victim, 'SIGKILL')
      live.push(await take())
    }
    await untilOver(proof)
    for (const child of live) await endProcess(child, 'SIGTERM')
    for (const spare of spares) await endProcess((await spare).child, 'SIGKILL')
    await assertEachOnce(app, playbook, caseIds, {
      http: http.requests.slice(calls),
      mails: mail.mails.slice(mails),
    })
    const [attempts] = await query<{ interrupted: number }>(
      app,
      `select count(*) as interrupted from run_attempt where outcome = 'interrupted'`,
    )
    const stay = await readLongestStay(proof)
    t.diagnostic(
      `${ROUNDS} kills over ${caseIds.length} runs: ${attempts?.interrupted} calls were interrupted, the longest stay at a node was ${stay.toFixed(1)} s`,
    )
  } finally {
    await app.close()
  }
})

test('a worker that is frozen in a call loses its runs to another, and changes nothing when it wakes', async (t) => {
  const proof = await openProof()
  const { app, playbook } = proof
  t.after(() => app.close())
  const [calls, mails] = [http.requests.length, mail.mails.length]
  const frozen = await openSpareWorker(app.connection, environment)
  await frozen.begin()
  let frozenAtMs = 0
  let takenAfterMs = 0
  http.meet = () => {
    if (frozenAtMs === 0) {
      frozenAtMs = performance.now()
      frozen.child.kill('SIGSTOP')
    } else if (takenAfterMs === 0) takenAfterMs = performance.now() - frozenAtMs
    return null
  }
  const caseIds = [...(await createCases(app, 'default', playbook, 1))]
  await waitUntil(async () => frozenAtMs > 0, 'the worker is frozen')
  const other = await openSpareWorker(app.connection, environment)
  await other.begin()
  await untilOver(proof)
  await endProcess(other.child, 'SIGTERM')
  // The frozen one hears the answer now, and works the next case alone.
  frozen.child.kill('SIGCONT')
  caseIds.push(...(await createCases(app, 'default', playbook, 1)))
  await untilOver(proof)
  await endProcess(frozen.child, 'SIGTERM')
  http.meet = null
  await assertEachOnce(app, playbook, caseIds, {
    http: http.requests.slice(calls),
    mails: mail.mails.slice(mails),
  })
  t.diagnostic(`the call was made again ${Math.round(takenAfterMs)} ms after the freeze`)
})

test('a worker that is frozen inside its transaction holds up its runs no longer than its lease', async (t) => {
  const proof = await openProof()
  const { app, playbook } = proof
  t.after(() => app.close())
  const [calls, mails] = [http.requests.length, mail.mails.length]
  const caseIds = [...(await createCases(app, 'default', playbook, 1))]
  const blocker = await app.services.foundation.database.pool.connect()
  await blocker.query('begin')
  await blocker.query('select 1 from abuse_case where id = $1 for update', [caseIds[0]])
  const frozen = await openSpareWorker(app.connection, environment)
  await frozen.begin()
  await waitUntil(async () => {
    const waiting = `select 1 from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query like '%abuse_case%'`
    return (await query(app, waiting)).length === 1
  }, 'the worker waits for the case inside its transaction')
  frozen.child.kill('SIGSTOP')
  await blocker.query('rollback')
  blocker.release()
  const startedMs = performance.now()
  const other = await openSpareWorker(app.connection, environment)
  await other.begin()
  await untilOver(proof)
  t.diagnostic(`the run ended ${Math.round(performance.now() - startedMs)} ms after the freeze`)
  await endProcess(other.child, 'SIGTERM')
  frozen.child.kill('SIGCONT')
  caseIds.push(...(await createCases(app, 'default', playbook, 1)))
  await untilOver(proof)
  await endProcess(frozen.child, 'SIGTERM')
  await assertEachOnce(app, playbook, caseIds, {
    http: http.requests.slice(calls),
    mails: mail.mails.slice(mails),
  })
})

test('a database that is killed in the middle of the work, three times, loses and doubles nothing', async (t) => {
  const dataDir = makeDataFolder(t)
  const shared = process.env['CASEWORK_TEST_POSTGRES']
  const start = (): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({ dataDir, log: silentLog, settings: { fsync: 'off' } })
  let postgres = await start()
  await createTemplate(postgres.connection)
  process.env['CASEWORK_TEST_POSTGRES'] = JSON.stringify(postgres.connection)
  const proof = await openProof()
  const { app, playbook } = proof
  try {
    const [calls, mails] = [http.requests.length, mail.mails.length]
    const workers = [
      await openSpareWorker(app.connection, environment),
      await openSpareWorker(app.connection, environment),
    ]
    for (const { begin } of workers) await begin()
    const caseIds: string[] = []
    for (let round = 0; round < 3; round += 1) {
      const earlier = http.requests.length
      caseIds.push(...(await createCases(app, 'default', playbook, 200)))
      await waitUntil(
        async () => http.requests.length > earlier + 20,
        'calls of the round are made',
      )
      // SIGQUIT ends a postmaster and its sessions at once, without a checkpoint.
      process.kill(postgres.pid, 'SIGQUIT')
      await postgres.whenExited
      postgres = await start()
    }
    await untilOver(proof)
    for (const { child } of workers) await endProcess(child, 'SIGTERM')
    await assertEachOnce(app, playbook, caseIds, {
      http: http.requests.slice(calls),
      mails: mail.mails.slice(mails),
    })
  } finally {
    await app.close()
    await postgres.stop()
    process.env['CASEWORK_TEST_POSTGRES'] = shared
  }
})

test('a clock that jumps a year ahead and two years back moves no timer: the database has the time', async (t) => {
  const jumps = [365, -730, 0].map((days) => days * 86_400_000)
  let jumpMs = 0
  const clock: Clock = { ...systemClock, nowMs: () => systemClock.nowMs() + jumpMs }
  const app = await openTestApp({ clock })
  t.after(() => app.close())
  const playbook = await createActivePlaybook(app, await app.createToken(), [
    { id: 'begin', kind: 'start', paths: { next: 'pause' } },
    { id: 'pause', kind: 'delay', config: { duration: 'P30D' }, paths: { next: 'note' } },
    { id: 'note', kind: 'comment', config: { text: 'A month later.' }, paths: { next: 'stop' } },
    { id: 'stop', kind: 'end' },
  ])
  const caseIds = await createCases(app, 'default', playbook, jumps.length)
  const countEnded = async (): Promise<number> =>
    (await query(app, `select 1 from run where state = 'ended'`)).length
  for (const [at, next] of jumps.entries()) {
    jumpMs = next
    await runDueSteps(app)
    assert.equal(await countEnded(), at, 'a timer of a month rang early')
    await query(app, 'update run_token set timer_at = now() where case_id = $1', [caseIds[at]])
    await runDueSteps(app)
    assert.equal(await countEnded(), at + 1, 'a timer that is due did not ring')
  }
  const backwards = await query(app, 'select 1 from visit where left_at < entered_at')
  assert.deepEqual(backwards, [])
})
