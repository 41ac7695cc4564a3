// The checks of /readyz about work behind the requests: workers, jobs, queues and disk. Each is one
// fault of all nodes at once, such as a slow queue, so none may take a node out of a load balancer:
// they are degraded at worst, and refuse no writes.

import { BULK_WAITING_MAX, SINGLE_WAITING_MAX } from '../casework/events/batcher.ts'
import type { WaitingEvents } from '../casework/events/ingest-metrics.ts'
import { countUnreadReports, type UnreadReports } from '../casework/reports/unread-report-count.ts'
import { withDeadline } from '../kernel/async/deadline.ts'
import { keepResult } from '../kernel/async/keep-result.ts'
import type { Config } from '../kernel/config.ts'
import { inInstance } from '../kernel/db/instance-acts.ts'
import { type DividedTable, readMonths } from '../kernel/db/months/month-store.ts'
import {
  findCoveredUntil,
  LATE_MS,
  MONTHLY_TABLES,
  startOfMonth,
  writeMonth,
} from '../kernel/db/months/months.ts'
import { createDiskMetrics, type FreeSpace } from '../kernel/disk-metrics.ts'
import { FREE_BYTES_MIN, readFreeBytes } from '../kernel/disk-space.ts'
import { type JobBacklog, readJobBacklog } from '../kernel/job-backlog.ts'
import { findDatabaseFolder } from '../kernel/postgres/cluster-location.ts'
import type { ReadinessFinding } from '../kernel/readiness.ts'
import type { Foundation } from './foundation.ts'

/** What these checks may say: a node that is slow serves all the same. */
export interface OperationFinding extends ReadinessFinding {
  readonly state: 'ok' | 'off' | 'degraded'
  readonly refusesWrites?: false
}

interface Backlog {
  readonly jobs: JobBacklog | null
  readonly unread: UnreadReports
  readonly months: readonly DividedTable[]
}

// A page that anybody may ask for costs the database three statements in this time.
const KEPT_MS = 10_000
// `/readyz` answers within a second.
const READ_MS = 500
// Workers begin jobs every minute.
const BEGUN_MAX_SECONDS = 300
// A job is taken within ten seconds, or after the run before it, which may take some minutes.
const JOB_WAIT_MAX_SECONDS = 600
// A report is read at once, and by the sweep within two minutes when that failed.
const REPORT_WAIT_MAX_SECONDS = 600

/** `waiting` counts the events in the queues of this thread. */
export function addOperationChecks(
  {
    clock,
    config,
    database,
    metrics,
    readiness,
  }: Pick<Foundation, 'clock' | 'config' | 'database' | 'metrics' | 'readiness'>,
  waiting: () => WaitingEvents,
): void {
  const read = keepResult(KEPT_MS, () =>
    withDeadline(READ_MS, () =>
      inInstance('measure', async (): Promise<Backlog> => {
        const jobs = await readJobBacklog(database.pool)
        const unread = await countUnreadReports(database.kysely)
        return { jobs, unread, months: await readMonths(database.pool, MONTHLY_TABLES) }
      }),
    ).catch(() => null),
  )
  const about = (describe: (backlog: Backlog) => OperationFinding) => async () => {
    const backlog = await read()
    return backlog === null ? UNKNOWN : describe(backlog)
  }
  createDiskMetrics(metrics, () => readDisks(config))
  const isWorker = config.roles.includes('worker')
  readiness.add({ name: 'workers', check: about(({ jobs }) => describeWorkers(jobs, isWorker)) })
  readiness.add({ name: 'jobs', check: about(({ jobs }) => describeJobs(jobs)) })
  readiness.add({
    name: 'queues',
    check: about(({ unread }) => describeQueues(waiting(), unread)),
  })
  readiness.add({
    name: 'months',
    check: about(({ months }) => describeMonths(months, clock.nowMs())),
  })
  readiness.add({ name: 'disk', check: async () => describeDisks(await readDisks(config)) })
}

const UNKNOWN: OperationFinding = {
  state: 'off',
  detail: 'Not known while the database does not answer.',
}

export function describeWorkers(jobs: JobBacklog | null, isWorker: boolean): OperationFinding {
  if (jobs === null) {
    return isWorker
      ? { state: 'off', detail: 'No worker has begun a scheduled job yet.' }
      : { state: 'degraded', detail: `No worker has ever started. ${START_WORKER}` }
  }
  const seconds = Math.round(jobs.begunAgoSeconds)
  return jobs.begunAgoSeconds > BEGUN_MAX_SECONDS
    ? {
        state: 'degraded',
        detail: `No worker has begun a scheduled job for ${seconds} s. ${START_WORKER}`,
      }
    : { state: 'ok', detail: `A worker began a scheduled job ${seconds} s ago.` }
}

const START_WORKER =
  'See that a node with the role worker runs: playbooks, notices and fetches of sources wait for it.'

// A worker claims five times a second; a batch that waits for locks takes some seconds.
const CLAIM_AGE_MAX_MS = 30_000

/** The playbook worker of this process. */
export function describeClaims(claimedAgoMs: number): OperationFinding {
  const detail = `The worker of this node last claimed playbook tokens ${Math.round(claimedAgoMs / 1_000)} s ago.`
  return { state: claimedAgoMs > CLAIM_AGE_MAX_MS ? 'degraded' : 'ok', detail }
}

export function describeJobs(jobs: JobBacklog | null): OperationFinding {
  if (jobs === null) return { state: 'off', detail: 'There are no scheduled jobs yet.' }
  const { waiting, oldestWaitingSeconds, failing } = jobs
  const oldest = oldestWaitingSeconds ?? 0
  const wait =
    waiting === 0
      ? 'No scheduled job waits'
      : `${waiting} scheduled jobs wait, the oldest for ${Math.round(oldest)} s`
  if (failing.length > 0) {
    return {
      state: 'degraded',
      detail: `${wait}. The last run failed of: ${failing.join(', ')}; the log of the worker has the reason.`,
    }
  }
  const state = oldest > JOB_WAIT_MAX_SECONDS ? 'degraded' : 'ok'
  return { state, detail: `${wait}; the last run of each was successful.` }
}

export function describeQueues(
  { single, bulk }: WaitingEvents,
  { count, oldestSeconds }: UnreadReports,
): OperationFinding {
  const oldest = oldestSeconds ?? 0
  const reports =
    count === 0
      ? 'no report is unread'
      : `${count} reports are unread, the oldest for ${Math.round(oldest)} s`
  const isFull = single * 2 >= SINGLE_WAITING_MAX || bulk * 2 >= BULK_WAITING_MAX
  const isLate = oldest > REPORT_WAIT_MAX_SECONDS
  return {
    state: isFull || isLate ? 'degraded' : 'ok',
    detail: `${single} single events and ${bulk} events of bulk pushes wait in the queues of intake; ${reports}.`,
  }
}

/** Rows of a month without a partition are stored all the same, and moved when it is made. */
export function describeMonths(tables: readonly DividedTable[], nowMs: number): OperationFinding {
  const late = tables.flatMap(({ table, partitions }) => {
    if (partitions === null) return []
    const untilMs = findCoveredUntil(partitions, nowMs)
    const month = writeMonth(startOfMonth(untilMs)).slice(0, 7)
    return untilMs - nowMs < LATE_MS ? [`${table.name} of ${month}`] : []
  })
  if (late.length > 0) {
    const detail = `Partitions are missing: ${late.join(', ')}. ${MAKE_MONTHS}`
    return { state: 'degraded', detail }
  }
  const whole = tables.filter(({ partitions }) => partitions === null)
  if (whole.length === 0) {
    return { state: 'ok', detail: 'The partition of the coming month is there.' }
  }
  const names = whole.map(({ table }) => table.name).join(', ')
  return { state: 'ok', detail: `Not divided by months yet, which a worker does: ${names}.` }
}

const MAKE_MONTHS =
  'A node with the role worker makes them each minute; its log has the reason when it cannot.'

export function describeDisks({ dataBytes, databaseBytes }: FreeSpace): OperationFinding {
  const sentences = [
    dataBytes === null
      ? 'The data folder cannot be asked for its free space.'
      : `The data folder has ${formatBytes(dataBytes)} free.`,
    databaseBytes === null
      ? 'The free space of your own database is not known here.'
      : `The database has ${formatBytes(databaseBytes)} free.`,
  ]
  const isLow = [dataBytes, databaseBytes].some((bytes) => bytes !== null && bytes < FREE_BYTES_MIN)
  if (isLow) sentences.push('Make room: a database that cannot write takes no reports and events.')
  return {
    state: isLow || dataBytes === null ? 'degraded' : 'ok',
    detail: sentences.join(' '),
  }
}

function formatBytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`
}

async function readDisks({ dataDir, databaseUrl }: Config): Promise<FreeSpace> {
  const dataBytes = await askFreeBytes(dataDir)
  if (databaseUrl !== null) return { dataBytes, databaseBytes: null }
  // The embedded database of a service that runs as root may lie on another disk.
  const databaseBytes = await askFreeBytes(findDatabaseFolder(dataDir))
  return { dataBytes, databaseBytes: databaseBytes ?? dataBytes }
}

async function askFreeBytes(folder: string): Promise<number | null> {
  return await readFreeBytes(folder).catch(() => null)
}
