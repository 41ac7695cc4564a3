// The casework area put together: what its endpoints and workers stand on. Opened once per HTTP
// thread by app/compose.ts.

import { availableParallelism } from 'node:os'
import { createEventQueue, type EventQueue, limitBulk } from '../casework/events/batcher.ts'
import { type CommitEvents, createCommitEvents } from '../casework/events/ingest.ts'
import { createIngestMetrics, createWaitingGauge } from '../casework/events/ingest-metrics.ts'
import { createOwnerResolver, type OwnerResolver } from '../casework/owners/prepare-owners.ts'
import { createGraphCache, type GraphCache } from '../casework/playbooks/graph-cache.ts'
import { createWorkerWakeUp, type WorkerWakeUp } from '../casework/playbooks/worker-wake-up.ts'
import {
  chooseErasureLog,
  createErasureLog,
  type ErasureLog,
} from '../casework/privacy/erasure/erasure-log.ts'
import {
  createMailAuthenticator,
  type MailAuthenticator,
} from '../casework/reports/mail/authenticate-mail.ts'
import type { MailDeps } from '../casework/reports/mail/open-mail-channels.ts'
import type { ReportDeps } from '../casework/reports/process-report.ts'
import { createReadingMetrics } from '../casework/reports/reading/reading-metrics.ts'
import { openReadingPool } from '../casework/reports/reading/reading-pool.ts'
import { ensureCursorKey } from '../kernel/db/cursor-key-store.ts'
import type { Foundation } from '../kernel/foundation.ts'
import { type CursorSealer, createCursorSealer } from '../kernel/http/cursor.ts'
import { parseAllowList } from '../kernel/outbound/allow-list.ts'
import { createOutbound } from '../kernel/outbound/outbound.ts'

export interface Casework {
  readonly foundation: Foundation
  /** Playbook versions, parsed once. */
  readonly graphs: GraphCache
  readonly workerWakeUp: WorkerWakeUp
  /** `workerWakeUp.wake`: call it after a commit that made playbook tokens due. */
  readonly wakeWorkers: () => void
  /** For single events. */
  readonly eventQueue: EventQueue
  /** A batch at once, whatever else is under way. */
  readonly commitEvents: CommitEvents
  /** For bulk pushes: their batches wait for their turn. */
  readonly commitBulk: CommitEvents
  readonly cursors: CursorSealer
  /** For reports, from every channel. */
  readonly reports: ReportDeps
  readonly mailAuthenticator: MailAuthenticator
  readonly owners: OwnerResolver
  readonly erasureLog: ErasureLog
  readonly close: () => Promise<void>
}

// Threads that read reports, of one process: one processor is left to serving. They are there only
// while there are reports.
const READING_THREADS_MAX = 4

export async function openCasework(foundation: Foundation): Promise<Casework> {
  const graphs = createGraphCache()
  const workerWakeUp = createWorkerWakeUp()
  const wakeWorkers = workerWakeUp.wake
  const { config, log, clock, metrics } = foundation
  const outbound = createOutbound({
    allow: config.outboundAllow,
    dnsServers: config.dnsServers,
    log,
    clock,
  })
  const db = foundation.database.kysely
  const allow = parseAllowList(config.outboundAllow)
  const owners = createOwnerResolver({ db, log, clock, outbound, allow, metrics })
  const countIngest = createIngestMetrics(metrics)
  const commitEvents = createCommitEvents({
    db,
    ids: foundation.ids,
    clock,
    wakeWorkers,
    prepareOwners: owners.prepare,
    countIngest,
  })
  const countWaiting = createWaitingGauge(metrics)
  const eventQueue = createEventQueue(commitEvents, countWaiting.single)
  const mailAuthenticator = createMailAuthenticator({
    ...foundation.config,
    clock: foundation.clock,
  })
  const readingPool = openReadingPool({
    // Of several HTTP threads each has a pool of its own.
    size:
      config.threads > 1
        ? 1
        : Math.min(READING_THREADS_MAX, Math.max(1, availableParallelism() - 1)),
    log,
    metrics: createReadingMetrics(metrics),
  })
  return {
    foundation,
    graphs,
    workerWakeUp,
    wakeWorkers,
    eventQueue,
    commitEvents,
    commitBulk: limitBulk(commitEvents, countWaiting.bulk),
    cursors: createCursorSealer(await ensureCursorKey(db)),
    reports: {
      db,
      ids: foundation.ids,
      clock,
      log,
      wakeWorkers,
      authenticate: mailAuthenticator.authenticate,
      prepareOwners: owners.prepare,
      countIngest,
      readBytes: readingPool.read,
    },
    mailAuthenticator,
    owners,
    erasureLog: createErasureLog(db, chooseErasureLog(config)),
    async close() {
      outbound.close()
      await eventQueue.close()
      await readingPool.close()
      workerWakeUp.close()
    },
  }
}

/** What report mail stands on. */
export function buildMailDeps({ foundation, reports, mailAuthenticator }: Casework): MailDeps {
  const { config, log, metrics, readiness } = foundation
  const checkMailAuthentication = mailAuthenticator.check
  return { config, log, metrics, readiness, reports, checkMailAuthentication }
}
