// Background jobs on a schedule, run by the nodes with the role worker: pg-boss in the same
// database, in a schema of its own (design section 1, row 5;
// docs/decisions/0005-scheduled-jobs.md).

import { setTimeout as delay } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import { Counter, type Registry } from 'prom-client'
import { startDeadline } from './async/deadline.ts'
import type { Database } from './db/database.ts'
import { outsideScopes } from './db/row-scope.ts'
import { asPoll } from './db/statement-limit.ts'
import { readErrorCode } from './db/trouble-codes.ts'
import { settingsNotUsable } from './errors.ts'
import type { Log } from './log.ts'
import { runTraced, type Tracer } from './tracing/span.ts'

export interface ScheduledJob {
  /** Letters, digits and hyphens; the same on every node. */
  readonly name: string
  /** Five fields, in UTC. */
  readonly cron: string
  /**
   * `one-node`: no run begins while another is running. `any-node`: a run that takes longer than
   * its schedule is joined by one on another node; the job claims its rows, so that no two runs
   * work on the same.
   */
  readonly runsOn: 'one-node' | 'any-node'
  /**
   * Must end soon after `signal` aborts. Its rejection is logged, and the next run comes as
   * planned.
   */
  readonly run: (signal: AbortSignal) => Promise<void>
}

export interface ScheduledJobs {
  /** Aborts the running jobs and waits for them, at most ten seconds. */
  readonly stop: () => Promise<void>
}

export interface ScheduledJobsOptions {
  readonly database: Database
  readonly log: Log
  readonly metrics: Registry
  readonly jobs: readonly ScheduledJob[]
  readonly tracer?: Tracer | null
  /** How often a node asks for a job of each name. 20 when left out. */
  readonly pollSeconds?: number
}

const SCHEMA = 'pgboss'
// A job whose node died is taken for failed after this. A run ends itself a minute before.
const EXPIRE_SECONDS = 20 * 60
const RUN_MS = (EXPIRE_SECONDS - 60) * 1_000
// A job that no node took is superseded by the next. One that ran is kept for a day, for a person
// who looks for today's trouble.
const UNTAKEN_SECONDS = 60 * 60
const KEPT_SECONDS = 24 * 60 * 60
// A job of the minute begins this much later at most. An idle node asks for each job in turn.
const POLL_SECONDS = 20
// Jobs that wait for other jobs; there are none.
const FLOW_SECONDS = 60
// Jobs come by the minute, so their clock is read twice a minute.
const CRON_SECONDS = 30
const STOP_MS = 10_000
// While the database is away there is an error every second.
const WARN_PAUSE_MS = 60_000
// Without a lock, two nodes that make the schema at the same time may get in each other's way.
const START_ATTEMPTS = 5
const START_PAUSE_MS = 300

/**
 * Opens nothing without jobs. Makes the tables of pg-boss at the first start, for which it needs
 * the right to create a schema.
 */
export async function startScheduledJobs(options: ScheduledJobsOptions): Promise<ScheduledJobs> {
  const { database, log, metrics, jobs, tracer = null, pollSeconds = POLL_SECONDS } = options
  if (jobs.length === 0) return { stop: async () => undefined }
  const runs = new Counter({
    name: 'casework_job_runs_total',
    help: 'Runs of scheduled jobs on this node, by outcome.',
    labelNames: ['job', 'outcome'],
    registers: [metrics],
  })
  const stopping = new AbortController()
  const runOnce = async (job: ScheduledJob): Promise<void> => {
    const deadline = startDeadline(RUN_MS, [stopping.signal])
    try {
      const span = { name: `job ${job.name}`, kind: 'internal' } as const
      await runTraced(tracer, span, () => job.run(deadline.signal))
      runs.inc({ job: job.name, outcome: 'done' })
    } catch (error) {
      runs.inc({ job: job.name, outcome: 'failed' })
      log.warn('A scheduled job failed', { job: job.name, error: String(error) })
      // pg-boss keeps this in its tables. The reason may name persons, so it stays in the log.
      // oxlint-disable-next-line eslint/preserve-caught-error
      throw new Error('The job failed; the log has the reason')
    } finally {
      deadline.clear()
    }
  }
  const boss = await openBoss(database, log)
  for (const job of jobs) {
    // Few, and once at the start.
    // oxlint-disable eslint/no-await-in-loop
    await boss.createQueue(job.name, describeQueue(job))
    await boss.work(job.name, { pollingIntervalSeconds: pollSeconds }, () =>
      outsideScopes(() => runOnce(job)),
    )
    await boss.schedule(job.name, job.cron)
    // oxlint-enable eslint/no-await-in-loop
  }
  return {
    async stop() {
      stopping.abort(new Error('The service is stopping'))
      await boss.stop({ graceful: true, timeout: STOP_MS, close: false })
    },
  }
}

function describeQueue({ runsOn }: ScheduledJob) {
  return {
    // `exclusive`: one job waits or runs. `short`: one job waits, any number of nodes run one.
    policy: runsOn === 'one-node' ? 'exclusive' : 'short',
    // The next job comes by the schedule.
    retryLimit: 0,
    expireInSeconds: EXPIRE_SECONDS,
    retentionSeconds: UNTAKEN_SECONDS,
    deleteAfterSeconds: KEPT_SECONDS,
  } as const
}

async function openBoss(database: Database, log: Log): Promise<PgBoss> {
  // Loaded here, since a process without the role worker needs none of it.
  const { PgBoss } = await import('pg-boss')
  const onError = logSeldom(log)
  let isUp = false
  const backend = await findBackend(database)
  // Its schema has no rows of tenants.
  const executeSql = async (text: string, values?: unknown[]) =>
    await outsideScopes(() =>
      isUp ? asPoll(() => database.pool.query(text, values)) : runApart(database, text, values),
    )
  for (let attempt = 1; ; attempt += 1) {
    // oxlint-disable eslint/no-await-in-loop
    const boss = new PgBoss({
      db: { executeSql },
      backend,
      schema: SCHEMA,
      // "create schema if not exists" needs the right to create one even where it is there.
      createSchema: !(await hasSchema(database)),
      cronMonitorIntervalSeconds: CRON_SECONDS,
      cronWorkerIntervalSeconds: POLL_SECONDS,
      flowIntervalSeconds: FLOW_SECONDS,
    })
    boss.on('error', onError)
    try {
      await boss.start()
      isUp = true
      return boss
    } catch (error) {
      if (readErrorCode(error) === INSUFFICIENT_PRIVILEGE) throw schemaNotCreatable()
      if (attempt === START_ATTEMPTS) throw error
    }
    await delay(START_PAUSE_MS)
    // oxlint-enable eslint/no-await-in-loop
  }
}

/**
 * Citus would hand a text that makes a schema behind a `set local` on to its workers as a whole. On
 * other servers the setting means nothing. The connection is closed, so nobody else gets it.
 */
async function runApart(
  { pool }: Database,
  text: string,
  values: unknown[] | undefined,
): Promise<{ readonly rows: unknown[] }> {
  const client = await pool.connect()
  try {
    await client.query(`set citus.propagate_set_commands = 'none'`)
    return await client.query<Record<string, unknown>>(text, values)
  } finally {
    client.release(true)
  }
}

/**
 * The profile of pg-boss for this server. On Citus its tables stay on the coordinator. A schema
 * that was made with another profile goes on working.
 */
async function findBackend({ pool }: Database): Promise<'postgres' | 'citus' | 'yugabytedb'> {
  const { rows } = await pool.query<{ version: string; has_citus: boolean }>(
    `select version(), exists (select 1 from pg_extension where extname = 'citus') as has_citus`,
  )
  const [server] = rows
  if (/-YB-/.test(server?.version ?? '')) return 'yugabytedb'
  return server?.has_citus === true ? 'citus' : 'postgres'
}

async function hasSchema(database: Database): Promise<boolean> {
  const { rowCount } = await database.pool.query('select 1 from pg_namespace where nspname = $1', [
    SCHEMA,
  ])
  return rowCount === 1
}

const INSUFFICIENT_PRIVILEGE = '42501'

function schemaNotCreatable(): Error {
  return settingsNotUsable([
    `Scheduled jobs (the role worker) need a schema named ${SCHEMA}, which the database user may not create: run "create schema ${SCHEMA} authorization <user>" as an administrator of the database`,
  ])
}

function logSeldom(log: Log): (error: unknown) => void {
  let silentUntilMs = 0
  return (error) => {
    if (performance.now() < silentUntilMs) return
    silentUntilMs = performance.now() + WARN_PAUSE_MS
    log.warn('Scheduled jobs have trouble; no more of it is logged for a minute', {
      error: readMessage(error),
    })
  }
}

// Some errors of pg-boss are plain objects with the members of an error.
function readMessage(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error
  return hasMessage ? String(error.message) : String(error)
}
