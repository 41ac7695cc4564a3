// The playbook engine: steps a second with their history, with calls and mails to sinks on
// loopback, beside a million parked runs; what a claim and a parked run cost; timers that are due
// at once; and the time of a trigger.

import { setTimeout as delay } from 'node:timers/promises'
import { claimDueTokens } from '../src/casework/playbooks/runs/run-token-store.ts'
import { createDatabase } from '../src/kernel/db/database.ts'
import { inInstance } from '../src/kernel/db/instance-acts.ts'
import { silentLog } from '../src/kernel/log.ts'
import { type BenchPlaybooks, createPlaybooks, STEPS } from './lib/bench-playbooks.ts'
import { measureRoundTrips, measureSyncs, measureUpdates } from './lib/calibrations.ts'
import { buildRequest, createCycle, runLoad } from './lib/load.ts'
import type { ServerProcess } from './lib/process.ts'
import { type Figure, formatRate, printFigures } from './lib/report.ts'
import { seedRuns } from './lib/seed-runs.ts'
import { readCount } from './lib/settings.ts'
import { openSinks, type Sinks } from './lib/sinks.ts'
import type { Stage } from './lib/stage.ts'
import { findMedian, readPercentile } from './lib/statistics.ts'

const RUNS = readCount('BENCH_RUNS', 20_000)
const CALLING_RUNS = readCount('BENCH_CALLING_RUNS', 3_000)
const PARKED_RUNS = readCount('BENCH_PARKED_RUNS', 1_000_000)
const TIMERS = readCount('BENCH_TIMERS', 100_000)
const TRIGGERS = 4_000
const SYNC_BYTES = 2_048
// The rows of a statement of the engine.
const BATCH = 64
// The count reads every run. At 20 ms it took a sixth of the processor time of the database; the
// figures are times of the database and do not depend on it.
const POLL_MS = 250
// All runs of a measurement end in minutes, on a busy machine in half an hour.
const END_TIMEOUT_MS = 3_600_000
const CLAIMS = 200
const MEMORY_SAMPLES = 10
const MEMORY_PAUSE_MS = 500

/** A stage with sinks for calls and mails, to which its servers may send. */
interface Bench {
  readonly stage: Stage
  readonly sinks: Sinks
  readonly playbooks: BenchPlaybooks
  readonly start: () => Promise<ServerProcess>
}

export async function benchPlaybooks(stage: Stage): Promise<void> {
  const sinks = await openSinks()
  try {
    const start = (): Promise<ServerProcess> =>
      stage.startServer({
        CASEWORK_RELAY_URL: `smtp://127.0.0.1:${sinks.mailPort}`,
        CASEWORK_MAIL_FROM: 'abuse@provider.example',
        CASEWORK_OUTBOUND_ALLOW: `127.0.0.1:${sinks.httpPort}`,
      })
    // The first start makes the tables.
    const first = await start()
    const playbooks = await createPlaybooks(stage, first, sinks)
    await first.stop()
    printFigures('Playbooks', await measureAll({ stage, sinks, playbooks, start }))
  } finally {
    await sinks.close()
  }
}

async function measureAll(bench: Bench): Promise<readonly Figure[]> {
  const { stage, sinks, playbooks, start } = bench
  const syncs = measureSyncs(stage, SYNC_BYTES)
  const updates = await measureUpdates(stage.pool, BATCH)
  const calibration = `single-row UPDATE of a bare table, ${BATCH} a statement ${formatRate(updates, 'rows/s')}; 2 kB writes with fdatasync ${formatRate(syncs, '/s')}`
  const describeSteps = (name: string, { rate, serverMs, databaseMs }: Steps): Figure => {
    const cpu = `CPU a step: server ${serverMs.toFixed(3)} ms, database ${databaseMs.toFixed(3)} ms`
    const ours = `${formatRate(rate, 'steps/s')} (${cpu})`
    return { name, ours, calibration, ratio: rate / updates }
  }
  const plain = describeSteps(
    `${RUNS.toLocaleString('en')} runs of ${STEPS.length} steps with history`,
    await measureSteps(bench, playbooks.steps, RUNS),
  )
  const called = await measureSteps(bench, playbooks.calling, CALLING_RUNS)
  const calling = describeSteps(
    `${CALLING_RUNS.toLocaleString('en')} runs with API Caller, Comment and Email to sinks on loopback (${sinks.count()})`,
    called,
  )
  const emptyBytes = await readRestingBytes(start)
  await seedRuns(stage, playbooks.parked, PARKED_RUNS, 'parked')
  await stage.pool.query('vacuum analyze run, run_token, abuse_case')
  const memory = describeMemory(await readRestingBytes(start), emptyBytes)
  const claim = await measureClaim(stage)
  const beside = describeSteps(
    `the same steps beside ${PARKED_RUNS.toLocaleString('en')} parked runs`,
    await measureSteps(bench, playbooks.steps, RUNS),
  )
  const timers = await measureTimers(bench)
  return [plain, calling, memory, claim, beside, timers, await measureTriggers(bench)]
}

interface Steps {
  /** Steps a second. */
  readonly rate: number
  /** Processor time a step, which neighbours on the machine disturb less than the rate. */
  readonly serverMs: number
  readonly databaseMs: number
}

/** Visits a second from the first visit to the last, by the clock of the database. */
async function measureSteps(
  { stage, start }: Bench,
  playbookId: string,
  runs: number,
): Promise<Steps> {
  const mark = await seedRuns(stage, playbookId, runs, 'due')
  const server = await start()
  try {
    // The processor time of the start is no time of steps; some were made before it was over.
    const serverSeconds = server.readCpuSeconds()
    const databaseSeconds = stage.readDatabaseCpuSeconds()
    const early = await countVisits(stage, mark)
    await waitUntil(async () => (await countActive(stage, playbookId)) === 0)
    const serverMs = (server.readCpuSeconds() - serverSeconds) * 1_000
    const databaseMs = (stage.readDatabaseCpuSeconds() - databaseSeconds) * 1_000
    const visits = await countVisits(stage, mark)
    return {
      rate: visits / (await readSpanSeconds(stage, mark)),
      serverMs: serverMs / (visits - early),
      databaseMs: databaseMs / (visits - early),
    }
  } finally {
    await server.stop()
  }
}

async function countActive({ pool }: Stage, playbookId: string): Promise<number> {
  const { rows } = await pool.query<{ left: string }>(
    `select count(*) as left from run where tenant_id = 'default' and playbook_id = $1 and version = 1
       and state in ('active', 'paused')`,
    [playbookId],
  )
  return Number(rows[0]?.left)
}

/** `mark`: as `seedRuns` gives it. */
async function countVisits({ pool }: Stage, mark: string): Promise<number> {
  const { rows } = await pool.query<{ visits: string }>(
    'select coalesce(sum(visits), 0) as visits from run where started_by = $1',
    [mark],
  )
  return Number(rows[0]?.visits)
}

/** From the end of the first visit to the end of the last run. Throws when a run failed. */
async function readSpanSeconds({ pool }: Stage, mark: string): Promise<number> {
  const { rows } = await pool.query<{ seconds: number; failed: string }>(
    `select extract(epoch from max(ended_at) - min(first.at))::float as seconds,
       count(*) filter (where state <> 'ended') as failed
     from run, (select min(left_at) as at from visit where (tenant_id, run_id) in (
       select tenant_id, id from run where started_by = $1)) as first
     where started_by = $1`,
    [mark],
  )
  const [row] = rows
  if (row === undefined || Number(row.failed) > 0) throw new Error('runs of the bench failed')
  return row.seconds
}

async function waitUntil(isOver: () => Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + END_TIMEOUT_MS
  while (!(await isOver())) {
    if (performance.now() > endsAt) throw new Error('the runs of the bench did not end in time')
    await delay(POLL_MS)
  }
}

async function readRestingBytes(start: () => Promise<ServerProcess>): Promise<number> {
  const server = await start()
  const samples: number[] = []
  for (let at = 0; at < MEMORY_SAMPLES; at += 1) {
    await delay(MEMORY_PAUSE_MS)
    samples.push(server.readResidentBytes())
  }
  await server.stop()
  return findMedian(samples)
}

function describeMemory(fullBytes: number, emptyBytes: number): Figure {
  return {
    name: `memory of the process beside ${PARKED_RUNS.toLocaleString('en')} parked runs`,
    ours: `${Math.round(fullBytes / 1e6)} MB`,
    calibration: `without them ${Math.round(emptyBytes / 1e6)} MB`,
    ratio: fullBytes / emptyBytes,
  }
}

/** A claim that finds nothing. */
async function measureClaim(stage: Stage): Promise<Figure> {
  const database = createDatabase({
    connection: { connectionString: stage.databaseUrl },
    poolMax: 1,
    log: silentLog,
  })
  try {
    const owner = crypto.randomUUID()
    const samples: number[] = []
    for (let at = 0; at < CLAIMS; at += 1) {
      const startedAt = performance.now()
      // A worker claims after a pause, when its list of tenants is old: each claim makes a new one.
      await inInstance('run playbooks', () => claimDueTokens(database.kysely, owner, BATCH))
      samples.push(performance.now() - startedAt)
    }
    const claimMs = findMedian(samples)
    const bareMs = await measureRoundTrips(database.pool)
    return {
      name: `an empty claim beside ${PARKED_RUNS.toLocaleString('en')} parked runs`,
      ours: `${claimMs.toFixed(2)} ms`,
      calibration: `select 1 ${bareMs.toFixed(2)} ms`,
      ratio: claimMs / bareMs,
    }
  } finally {
    await database.close()
  }
}

/** Makes the timers of some parked runs due, and waits until these runs have ended. */
async function measureTimers({ stage, playbooks, start }: Bench): Promise<Figure> {
  const { rows } = await stage.pool.query<{ at: Date }>(
    `update run_token set timer_at = now()
     where tenant_id = 'default' and (run_id, id) in (
       select run_id, id from run_token where state = 'waiting' and timer_at is not null limit $1)
     returning now() as at`,
    [TIMERS],
  )
  const readEnded = async (): Promise<{ count: number; seconds: number }> => {
    const found = await stage.pool.query<{ count: string; seconds: number }>(
      `select count(*) as count, extract(epoch from max(ended_at) - $2::timestamptz)::float as seconds
       from run where playbook_id = $1 and state = 'ended'`,
      [playbooks.parked, rows[0]?.at],
    )
    return { count: Number(found.rows[0]?.count), seconds: found.rows[0]?.seconds ?? 0 }
  }
  const server = await start()
  try {
    await waitUntil(async () => (await readEnded()).count >= rows.length)
    const { seconds } = await readEnded()
    return {
      name: `${rows.length.toLocaleString('en')} timers due at once, beside parked runs: all started and moved on, the start of the process included (aim: 60 s)`,
      ours: `${seconds.toFixed(1)} s`,
      calibration: '-',
      ratio: null,
    }
  } finally {
    await server.stop()
  }
}

async function measureTriggers({ stage, playbooks, start }: Bench): Promise<Figure> {
  const mark = await seedRuns(stage, playbooks.waiting, TRIGGERS, 'trigger')
  const { rows } = await stage.pool.query<{ caseId: string }>(
    'select case_id as "caseId" from run where started_by = $1',
    [mark],
  )
  const headers = { authorization: `Bearer ${stage.token}`, 'content-type': 'application/json' }
  const requests = rows.map(({ caseId }) => {
    const path = `/beta/casework/cases/${caseId}/trigger-playbook`
    return buildRequest('POST', path, headers, '{"node":"ask","path":"go"}')
  })
  const server = await start()
  try {
    const load = await runLoad({
      port: server.port,
      connections: 4,
      durationMs: 20_000,
      requestsMax: TRIGGERS,
      status: 202,
      next: createCycle(requests),
    })
    const syncMs = 1_000 / measureSyncs(stage, SYNC_BYTES)
    const p50 = readPercentile(load.latenciesMs, 0.5)
    const p99 = readPercentile(load.latenciesMs, 0.99)
    const rate = formatRate((load.requests / load.elapsedMs) * 1_000, '/s')
    return {
      name: `trigger of ${load.requests.toLocaleString('en')} runs, 4 connections, their steps beside them (p50 ${p50.toFixed(1)} ms, ${rate})`,
      ours: `p99 ${p99.toFixed(1)} ms`,
      calibration: `a 2 kB write with fdatasync ${syncMs.toFixed(2)} ms`,
      ratio: p99 / syncMs,
    }
  } finally {
    await server.stop()
  }
}
