// What a process with the role worker does beside answering: it moves playbook runs and runs what
// is scheduled.

import { markEventsResolved } from '../casework/events/event-moves-store.ts'
import { retryUnanswered } from '../casework/events/retry-unanswered.ts'
import { startPlaybookWorker } from '../casework/playbooks/worker.ts'
import { continueRepeats } from '../casework/privacy/erasure/repeat-erasures.ts'
import { createRetentionMetrics } from '../casework/privacy/retention/retention-metrics.ts'
import { runRetention } from '../casework/privacy/retention/run-retention.ts'
import {
  createSweepPosition,
  REPORTS_PER_PASS_MAX,
  readUnreadReports,
} from '../casework/reports/read-unread-reports.ts'
import { openContactVerification } from '../intel/contacts/verification/open-verification.ts'
import { every } from '../kernel/async/every.ts'
import { startScheduledJobs } from '../kernel/jobs.ts'
import type { Services } from './compose.ts'
import { createSourceFetcher } from './open-intel.ts'

const UNREAD_REPORTS_MS = 30_000
// Costs a read of a table with a row for each resolver; whose turn it is stands in the row.
const UNANSWERED_MS = 10_000
// Whose turn it is stands with the tenant: once an hour, and again at once when there was more than
// a turn takes.
const RETENTION_MS = 60_000
// Costs a read of an index that is nearly empty.
const ERASURES_MS = 60_000
// A stop waits for no more than one step.
const ERASURE_STEP = { erasuresMax: 1, budgetMs: 2_000 }
const ERASURE_STEPS_MAX = 20
// 10,000 reports in a row; then others get their turn.
const PASSES_MAX = 100

// Lists change by the hour; what is due waits half a minute at most.
const SOURCES_MS = 30_000
// One after the other, so a node that has more to fetch than that goes on in the next pass.
const SOURCES_PER_PASS_MAX = 100

export interface Jobs {
  /** Finishes what is under way and takes nothing new; call it before the services are closed. */
  readonly stop: () => Promise<void>
}

export async function startJobs(services: Services): Promise<Jobs> {
  const { database, ids, clock, log } = services.foundation
  const verification = openContactVerification({ ...services.foundation, db: database.kysely })
  const scheduled = await startScheduledJobs({
    database,
    log,
    metrics: services.foundation.metrics,
    jobs: verification === null ? [] : [verification.job],
  })
  const { graphs, wakeWorkers, workerWakeUp } = services.casework
  const stopping = new AbortController()
  // Every node with the role looks for itself: it costs a read of an index that is empty.
  const place = createSweepPosition()
  const stopReading = every(
    UNREAD_REPORTS_MS,
    async () => {
      for (let pass = 0; pass < PASSES_MAX && !stopping.signal.aborted; pass += 1) {
        // A full pass means that there may be more.
        // oxlint-disable-next-line eslint/no-await-in-loop
        const settled = await readUnreadReports(services.casework.reports, place)
        if (settled < REPORTS_PER_PASS_MAX) break
      }
    },
    (error) => log.warn('Unread reports could not be looked for', { error: String(error) }),
  )
  const { owners } = services.casework
  const stopRetrying = every(
    UNANSWERED_MS,
    async () =>
      void (await retryUnanswered({
        ...services.foundation,
        db: database.kysely,
        wakeWorkers,
        owners,
      })),
    (error) => log.warn('Resolvers could not be asked again', { error: String(error) }),
  )
  const removed = createRetentionMetrics(services.foundation.metrics)
  const stopRemoving = every(
    RETENTION_MS,
    () => runRetention({ db: database.kysely, ids, clock, removed }, stopping.signal),
    (error) => log.warn('What is past its time could not be removed', { error: String(error) }),
  )
  const stopErasing = every(
    ERASURES_MS,
    async () => {
      for (let step = 0; step < ERASURE_STEPS_MAX && !stopping.signal.aborted; step += 1) {
        // oxlint-disable-next-line eslint/no-await-in-loop
        if (!(await continueRepeats({ db: database.kysely, ids }, ERASURE_STEP)).isMore) break
      }
      // Also what another node brought to an end.
      await services.casework.erasureLog.write()
    },
    (error) => log.warn('Erasures could not be repeated or noted', { error: String(error) }),
  )
  const stopFetching = fetchSources(services, stopping.signal)
  const worker = startPlaybookWorker({
    database,
    ids,
    clock,
    log,
    wakeUp: workerWakeUp,
    graphs,
    markEventsResolved,
  })
  return {
    async stop() {
      stopping.abort()
      await Promise.all([
        worker.stop(),
        stopReading(),
        stopRetrying(),
        stopRemoving(),
        stopErasing(),
        stopFetching(),
        scheduled.stop(),
      ])
      verification?.close()
    },
  }
}

/**
 * Fetches published lists that are due, until the returned function stops it. Which node has which
 * is in the database.
 */
function fetchSources({ intel, foundation }: Services, signal: AbortSignal): () => Promise<void> {
  const fetcher = createSourceFetcher(foundation, intel)
  return every(
    SOURCES_MS,
    async () => {
      for (let at = 0; at < SOURCES_PER_PASS_MAX && !signal.aborted; at += 1) {
        // oxlint-disable-next-line eslint/no-await-in-loop
        if (!(await fetcher.fetchDue(signal))) break
      }
    },
    (error) => foundation.log.warn('Sources could not be fetched', { error: String(error) }),
  )
}
