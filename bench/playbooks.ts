// The playbook engine: steps a second with their history, with calls and mails to sinks on
// loopback, beside a million parked runs; what a claim and a parked run cost; timers that are due
// at once; and the time of a trigger.

import { join } from 'node:path'
import { claimDueTokens } from '../src/casework/playbooks/runs/run-token-store.ts'
import { createDatabase } from '../src/kernel/db/database.ts'
import { silentLog } from '../src/kernel/log.ts'
import { measureSyncs } from './events.ts'
import { buildRequest, readPercentile, runLoad } from './lib/load.ts'
import type { ServerProcess } from './lib/process.ts'
import { type Figure, findMedian, formatRate, printFigures } from './lib/report.ts'
import { openSinks, type Sinks } from './lib/sinks.ts'
import type { Stage } from './lib/stage.ts'

const RUNS = Number(process.env['BENCH_RUNS'] ?? 20_000)
const CALLING_RUNS = Number(process.env['BENCH_CALLING_RUNS'] ?? 3_000)
const PARKED_RUNS = Number(process.env['BENCH_PARKED_RUNS'] ?? 1_000_000)
const TIMERS = Number(process.env['BENCH_TIMERS'] ?? 100_000)
const TRIGGERS = 4_000
// The count reads every run. At 20 ms it took a sixth of the processor time of the database; the
// figures are times of the database and do not depend on it.
const POLL_MS = 250
const CLAIMS = 200

interface GraphNode {
  readonly id: string
  readonly kind: string
  readonly config?: object
  readonly paths?: Readonly<Record<string, string>>
}

const STEPS: readonly GraphNode[] = [
  { id: 'begin', kind: 'start', paths: { next: 'work' } },
  { id: 'work', kind: 'set_state', config: { state: 'IN_PROGRESS' }, paths: { next: 'note' } },
  { id: 'note', kind: 'comment', config: { text: 'Looked at.' }, paths: { next: 'mark' } },
  { id: 'mark', kind: 'tag', config: { add: ['seen'] }, paths: { next: 'again' } },
  { id: 'again', kind: 'comment', config: { text: 'Done with.' }, paths: { next: 'done' } },
  { id: 'done', kind: 'resolve' },
]

const PARKED: readonly GraphNode[] = [
  { id: 'begin', kind: 'start', paths: { next: 'pause' } },
  { id: 'pause', kind: 'delay', config: { duration: 'P90D' }, paths: { next: 'stop' } },
  { id: 'stop', kind: 'end' },
]

const WAITING: readonly GraphNode[] = [
  { id: 'begin', kind: 'start', paths: { next: 'ask' } },
  { id: 'ask', kind: 'trigger', config: { paths: ['go'] }, paths: { go: 'stop' } },
  { id: 'stop', kind: 'end' },
]

function callAndMail(httpPort: number): readonly GraphNode[] {
  const url = `http://127.0.0.1:${httpPort}/`
  return [
    { id: 'begin', kind: 'start', paths: { next: 'call' } },
    {
      id: 'call',
      kind: 'api_caller',
      config: { method: 'POST', url, body: { reason: 'abuse' } },
      paths: { success: 'note' },
    },
    { id: 'note', kind: 'comment', config: { text: 'Called.' }, paths: { next: 'mail' } },
    {
      id: 'mail',
      kind: 'email',
      config: { to: { cel: "case.id + '@customer.example'" }, template: 'notice' },
      paths: { sent: 'stop' },
    },
    { id: 'stop', kind: 'end' },
  ]
}

export async function benchPlaybooks(stage: Stage): Promise<void> {
  const sinks = await openSinks()
  const environment = {
    CASEWORK_RELAY_URL: `smtp://127.0.0.1:${sinks.mailPort}`,
    CASEWORK_MAIL_FROM: 'abuse@provider.example',
    CASEWORK_OUTBOUND_ALLOW: `127.0.0.1:${sinks.httpPort}`,
  }
  const start = (): Promise<ServerProcess> => stage.startServer(0, environment)
  // The first start makes the tables.
  const first = await start()
  const playbooks = await createPlaybooks(stage, first, sinks)
  await first.stop()
  const syncs = measureSyncs(join(stage.folder, 'fsync.bin'))
  const updates = await measureUpdates(stage)
  const calibration = `single-row UPDATE of a bare table, 64 a statement ${formatRate(updates, 'rows/s')}; 2 kB writes with fdatasync ${formatRate(syncs, '/s')}`
  const figures: Figure[] = []
  const note = (name: string, { rate, serverMs, databaseMs }: Measured): void => {
    const cpu = `CPU a step: server ${serverMs.toFixed(3)} ms, database ${databaseMs.toFixed(3)} ms`
    const ours = `${formatRate(rate, 'steps/s')} (${cpu})`
    figures.push({ name, ours, calibration, ratio: rate / updates })
  }
  try {
    const plain = await measureSteps(stage, start, playbooks.steps, RUNS)
    note(`${RUNS.toLocaleString('en')} runs of ${STEPS.length} steps with history`, plain)
    const calling = await measureSteps(stage, start, playbooks.calling, CALLING_RUNS)
    note(
      `${CALLING_RUNS.toLocaleString('en')} runs with API Caller, Comment and Email to sinks on loopback (${sinks.count()})`,
      calling,
    )
    const empty = await readRestingBytes(start)
    await seedRuns(stage, playbooks.parked, PARKED_RUNS, 'parked')
    await stage.pool.query('vacuum analyze run, run_token, abuse_case')
    const full = await readRestingBytes(start)
    const many = PARKED_RUNS.toLocaleString('en')
    figures.push({
      name: `memory of the process beside ${many} parked runs`,
      ours: `${Math.round(full / 1e6)} MB`,
      calibration: `without them ${Math.round(empty / 1e6)} MB`,
      ratio: full / empty,
    })
    figures.push(await measureClaim(stage))
    const beside = await measureSteps(stage, start, playbooks.steps, RUNS)
    note(`the same steps beside ${many} parked runs`, beside)
    figures.push(await measureTimers(stage, start, playbooks.parked))
    figures.push(await measureTriggers(stage, start, playbooks.waiting))
    printFigures('Playbooks', figures)
  } finally {
    await sinks.close()
  }
}

interface Playbooks {
  readonly steps: string
  readonly parked: string
  readonly waiting: string
  readonly calling: string
}

async function createPlaybooks(
  stage: Stage,
  server: ServerProcess,
  sinks: Sinks,
): Promise<Playbooks> {
  return {
    steps: await createPlaybook(stage, server, 'steps', STEPS),
    parked: await createPlaybook(stage, server, 'parked', PARKED),
    waiting: await createPlaybook(stage, server, 'waiting', WAITING),
    calling: await createPlaybook(stage, server, 'calling', callAndMail(sinks.httpPort)),
  }
}

async function createPlaybook(
  stage: Stage,
  server: ServerProcess,
  name: string,
  nodes: readonly GraphNode[],
): Promise<string> {
  const post = async (path: string, body: object | null): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/beta/casework/playbooks${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.token}`, 'content-type': 'application/json' },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${answer.status} ${text.slice(0, 300)}`)
    return JSON.parse(text)
  }
  const made = await post('', { name, nodes })
  if (typeof made !== 'object' || made === null || !('id' in made)) throw new Error('no playbook')
  const id = String(made.id)
  await post(`/${id}/versions/1/activate`, null)
  return id
}

let seeded = 0

/** As `started_by` of the runs that were seeded last. */
function nameSeed(): string {
  return `bench:${seeded}`
}

/** `parked`: at the node `pause`, with a timer in 90 days; `due`: at the start. */
async function seedRuns(
  stage: Stage,
  playbookId: string,
  count: number,
  place: 'due' | 'parked' | 'trigger',
): Promise<void> {
  seeded += 1
  const client = await stage.pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    const values = [playbookId, count, nameSeed(), place]
    await client.query(
      `with made as (
         select 'C-' || upper(uuidv7()::text) as case_id, uuidv7() as run_id from generate_series(1, $2::integer) as at
       ), cases as (
         insert into abuse_case (tenant_id, id, case_group_id, key_hash, state, created_at, updated_at, customer_id,
           first_event_date, last_event_date, event_count, event_types, event_ips, event_reporters, event_tags)
         select 'default', case_id, 'default', sha256(case_id::bytea), 'NEW', now(), now(), 'customer', now(), now(), 1,
           '{}', '{}', '{}', '{}' from made
       ), runs as (
         insert into run (tenant_id, id, case_id, playbook_id, version, state, started_by)
         select 'default', run_id, case_id, $1::uuid, 1, 'active', $3 from made
       )
       insert into run_token (tenant_id, run_id, id, case_id, state, node, waits_for, timer_at)
       select 'default', run_id, 1, case_id, case when $4 = 'due' then 'ready' else 'waiting' end,
         case $4 when 'due' then 'begin' when 'parked' then 'pause' else 'ask' end,
         case $4 when 'due' then null when 'parked' then 'timer' else 'third_party' end,
         case when $4 = 'parked' then now() + interval '90 days' end
       from made`,
      values,
    )
    await client.query('analyze run, run_token')
  } finally {
    client.release()
  }
}

async function countActive(stage: Stage, playbookId: string): Promise<number> {
  const { rows } = await stage.pool.query<{ left: string }>(
    `select count(*) as left from run where tenant_id = 'default' and playbook_id = $1 and version = 1
       and state in ('active', 'paused')`,
    [playbookId],
  )
  return Number(rows[0]?.left)
}

interface Measured {
  readonly rate: number
  /** Processor time a step, which neighbours on the machine disturb less than the rate. */
  readonly serverMs: number
  readonly databaseMs: number
}

/** Visits a second from the first visit to the last, by the clock of the database. */
async function measureSteps(
  stage: Stage,
  start: () => Promise<ServerProcess>,
  playbookId: string,
  runs: number,
): Promise<Measured> {
  await seedRuns(stage, playbookId, runs, 'due')
  const server = await start()
  // The server has started by then.
  const serverSeconds = server.readCpuSeconds()
  const databaseSeconds = stage.readDatabaseCpuSeconds()
  try {
    while ((await countActive(stage, playbookId)) > 0) await pause()
    const { rows } = await stage.pool.query<{ visits: string; seconds: number; failed: string }>(
      `select sum(visits) as visits, extract(epoch from max(ended_at) - min(first.at))::float as seconds,
         count(*) filter (where state <> 'ended') as failed
       from run, (select min(left_at) as at from visit where (tenant_id, run_id) in (
         select tenant_id, id from run where started_by = $1)) as first
       where started_by = $1`,
      [nameSeed()],
    )
    const [row] = rows
    if (row === undefined || Number(row.failed) > 0) throw new Error('runs of the bench failed')
    const visits = Number(row.visits)
    const msAStep = (seconds: number): number => (seconds * 1_000) / visits
    return {
      rate: visits / row.seconds,
      serverMs: msAStep(server.readCpuSeconds() - serverSeconds),
      databaseMs: msAStep(stage.readDatabaseCpuSeconds() - databaseSeconds),
    }
  } finally {
    await server.stop()
  }
}

async function pause(): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, POLL_MS)
  })
}

async function readRestingBytes(start: () => Promise<ServerProcess>): Promise<number> {
  const server = await start()
  const samples: number[] = []
  for (let at = 0; at < 10; at += 1) {
    await new Promise((resolve) => {
      setTimeout(resolve, 500)
    })
    samples.push(server.readResidentBytes())
  }
  await server.stop()
  return findMedian(samples)
}

/** Its median in milliseconds. */
async function time(work: () => Promise<unknown>): Promise<number> {
  const samples: number[] = []
  for (let at = 0; at < CLAIMS; at += 1) {
    const startedMs = performance.now()
    await work()
    samples.push(performance.now() - startedMs)
  }
  return findMedian(samples)
}

/** A claim that finds nothing, which every worker makes five times a second. */
async function measureClaim(stage: Stage): Promise<Figure> {
  const database = createDatabase({
    connection: { connectionString: stage.databaseUrl },
    poolMax: 1,
    log: silentLog,
  })
  try {
    const owner = crypto.randomUUID()
    const claimMs = await time(() => claimDueTokens(database.kysely, owner, 64))
    const bareMs = await time(() => database.pool.query('select 1'))
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

async function measureTimers(
  stage: Stage,
  start: () => Promise<ServerProcess>,
  playbookId: string,
): Promise<Figure> {
  const { rows } = await stage.pool.query<{ at: Date }>(
    `update run_token set timer_at = now()
     where tenant_id = 'default' and (run_id, id) in (
       select run_id, id from run_token where state = 'waiting' and timer_at is not null limit $1)
     returning now() as at`,
    [TIMERS],
  )
  const due = rows.length
  const server = await start()
  try {
    const ended = async (): Promise<{ count: number; seconds: number }> => {
      const found = await stage.pool.query<{ count: string; seconds: number }>(
        `select count(*) as count, extract(epoch from max(ended_at) - $2::timestamptz)::float as seconds
         from run where playbook_id = $1 and state = 'ended'`,
        [playbookId, rows[0]?.at],
      )
      return { count: Number(found.rows[0]?.count), seconds: found.rows[0]?.seconds ?? 0 }
    }
    let now = await ended()
    for (; now.count < due; now = await ended()) await pause()
    return {
      name: `${due.toLocaleString('en')} timers due at once, beside parked runs: all started and moved on, the start of the process included`,
      ours: `${now.seconds.toFixed(1)} s`,
      calibration: 'floor 60 s',
      ratio: null,
    }
  } finally {
    await server.stop()
  }
}

async function measureTriggers(
  stage: Stage,
  start: () => Promise<ServerProcess>,
  playbookId: string,
): Promise<Figure> {
  await seedRuns(stage, playbookId, TRIGGERS, 'trigger')
  const { rows } = await stage.pool.query<{ caseId: string }>(
    'select case_id as "caseId" from run where started_by = $1',
    [nameSeed()],
  )
  const server = await start()
  try {
    let at = 0
    const load = await runLoad({
      port: server.port,
      connections: 4,
      durationMs: 20_000,
      requestsMax: TRIGGERS,
      next: () => {
        const caseId = rows[at]?.caseId ?? ''
        at += 1
        return buildRequest(
          'POST',
          `/beta/casework/cases/${caseId}/trigger-playbook`,
          { authorization: `Bearer ${stage.token}`, 'content-type': 'application/json' },
          '{"node":"ask","path":"go"}',
        )
      },
    })
    const wrong = Object.keys(load.statuses).filter((status) => status !== '202')
    if (wrong.length > 0) throw new Error(`not all are 202: ${JSON.stringify(load.statuses)}`)
    const syncMs = 1_000 / measureSyncs(join(stage.folder, 'fsync.bin'))
    const p99 = readPercentile(load.latenciesMs, 0.99)
    return {
      name: `trigger of ${load.requests.toLocaleString('en')} runs, 4 connections, their steps beside them (p50 ${readPercentile(load.latenciesMs, 0.5).toFixed(1)} ms, ${formatRate((load.requests / load.elapsedMs) * 1_000, '/s')})`,
      ours: `p99 ${p99.toFixed(1)} ms`,
      calibration: `a 2 kB write with fdatasync ${syncMs.toFixed(2)} ms`,
      ratio: p99 / syncMs,
    }
  } finally {
    await server.stop()
  }
}

/** Rows a second of the least that a step could cost: one row updated by its key. */
async function measureUpdates(stage: Stage): Promise<number> {
  const [rows, batch, seconds] = [100_000, 64, 3]
  await stage.pool.query(
    `create table bare_token (id integer primary key, node text not null, visit integer not null)`,
  )
  await stage.pool.query(
    `insert into bare_token select at, 'begin', 1 from generate_series(1, $1::integer) as at`,
    [rows],
  )
  const startedMs = performance.now()
  let updated = 0
  const work = async (lane: number): Promise<void> => {
    while (performance.now() - startedMs < seconds * 1_000) {
      const from = Math.floor(Math.random() * (rows / 4 - batch)) + lane * (rows / 4)
      const ids = Array.from({ length: batch }, (_, at) => from + at + 1)
      await stage.pool.query(
        `update bare_token set node = 'next', visit = visit + 1 where id = any($1::integer[])`,
        [ids],
      )
      updated += batch
    }
  }
  await Promise.all([0, 1, 2, 3].map(work))
  const rate = (updated / (performance.now() - startedMs)) * 1_000
  await stage.pool.query('drop table bare_token')
  return rate
}
