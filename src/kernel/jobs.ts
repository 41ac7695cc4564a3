// Background work on a schedule, run by one of the nodes with the role worker: pg-boss in the same
// database, in a schema of its own (design section 1, row 5;
// docs/decisions/0005-scheduled-jobs.md).

import type { PgBoss } from 'pg-boss'
import { Counter, type Registry } from 'prom-client'
import { type Database, readErrorCode } from './db/database.ts'
import { settingsNotUsable } from './errors.ts'
import type { Log } from './log.ts'

export interface ScheduledJob {
  /** Letters, digits and hyphens; the same on every node. */
  readonly name: string
  /** Five fields, in UTC. */
  readonly cron: string
  /**
   * Must end soon after `signal` aborts. What it rejects with is logged, and the next time comes as
   * planned.
   */
  readonly run: (signal: AbortSignal) => Promise<void>
}

export interface ScheduledJobs {
  /** Aborts what is under way and waits for it, at most ten seconds. */
  readonly stop: () => Promise<void>
}

export interface ScheduledJobsOptions {
  readonly database: Database
  readonly log: Log
  readonly metrics: Registry
  readonly jobs: readonly ScheduledJob[]
}

const SCHEMA = 'pgboss'
// A job whose node died is taken for failed after this, and the next one begins.
const EXPIRE_SECONDS = 20 * 60
// A job that nobody took is superseded by the next; one that ran is of interest to somebody who
// looks for trouble of today.
const UNTAKEN_SECONDS = 60 * 60
const KEPT_SECONDS = 24 * 60 * 60
const STOP_MS = 10_000
// While the database is away there is an error every second.
const TELL_PAUSE_MS = 60_000

/**
 * Opens nothing without jobs. Makes the tables of pg-boss at the first start, for which it needs
 * the right to create a schema.
 */
export async function startScheduledJobs(options: ScheduledJobsOptions): Promise<ScheduledJobs> {
  const { database, log, metrics, jobs } = options
  if (jobs.length === 0) return { stop: async () => undefined }
  // Loaded here, since most installations run no job of this kind.
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    db: {
      executeSql: async (text, values) => await database.pool.query(text, values),
    },
    schema: SCHEMA,
    // "create schema if not exists" needs the right to create one even where it is there.
    createSchema: !(await hasSchema(database)),
  })
  boss.on('error', tellSeldom(log))
  const runs = new Counter({
    name: 'casework_job_runs_total',
    help: 'Runs of scheduled jobs on this node, by outcome.',
    labelNames: ['job', 'outcome'],
    registers: [metrics],
  })
  const stopping = new AbortController()
  const runOnce = async (job: ScheduledJob): Promise<void> => {
    try {
      await job.run(stopping.signal)
      runs.inc({ job: job.name, outcome: 'done' })
    } catch (error) {
      runs.inc({ job: job.name, outcome: 'failed' })
      log.warn('A scheduled job failed', { job: job.name, error: String(error) })
      throw error
    }
  }
  await startBoss(boss)
  for (const job of jobs) {
    const queue = {
      // Only one of this name is waiting or under way, on all nodes together.
      policy: 'exclusive',
      retryLimit: 0,
      expireInSeconds: EXPIRE_SECONDS,
      retentionSeconds: UNTAKEN_SECONDS,
      deleteAfterSeconds: KEPT_SECONDS,
    } as const
    // Few, and once at the start.
    // oxlint-disable eslint/no-await-in-loop
    await boss.createQueue(job.name, queue)
    await boss.work(job.name, () => runOnce(job))
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

async function hasSchema(database: Database): Promise<boolean> {
  const { rowCount } = await database.pool.query('select 1 from pg_namespace where nspname = $1', [
    SCHEMA,
  ])
  return rowCount === 1
}

const INSUFFICIENT_PRIVILEGE = '42501'

async function startBoss(boss: PgBoss): Promise<void> {
  try {
    await boss.start()
  } catch (error) {
    if (readErrorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error
    throw settingsNotUsable([
      `Scheduled jobs (CASEWORK_CONTACT_VERIFICATION=on) need a schema named ${SCHEMA}, which the database user may not create: run "create schema ${SCHEMA} authorization <user>" as an administrator of the database`,
    ])
  }
}

function tellSeldom(log: Log): (error: unknown) => void {
  let silentUntilMs = 0
  return (error) => {
    if (performance.now() < silentUntilMs) return
    silentUntilMs = performance.now() + TELL_PAUSE_MS
    log.warn('Scheduled jobs have trouble; more of it is not told for a minute', {
      error: readMessage(error),
    })
  }
}

// Some of what pg-boss tells is a plain object with the members of an error.
function readMessage(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error
  return hasMessage ? String(error.message) : String(error)
}
