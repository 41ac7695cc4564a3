// The scheduled jobs of a process with the role worker. docs/decisions/0005-scheduled-jobs.md
// explains which work is a job, and which a loop of worker-jobs.ts.

import { createAuditKeeper } from '../access/audit/keep-audit-log.ts'
import { removeOldBulkChanges } from '../casework/cases/bulk/bulk-change-store.ts'
import { endUnwantedStreams, removeOldMessages } from '../casework/desk/stream/stream-store.ts'
import { readMailIdentity } from '../casework/notices/mail-identity.ts'
import { makeDigests } from '../casework/notices/make-digests.ts'
import { keepPlaybooks } from '../casework/playbooks/runs/keep-playbooks.ts'
import { runSchedules } from '../casework/playbooks/schedules/run-schedules.ts'
import { renewDueStatistics } from '../casework/privacy/erasure/renew-statistics.ts'
import { continueRepeats } from '../casework/privacy/erasure/repeat-erasures.ts'
import { removeMonths } from '../casework/privacy/retention/remove-months.ts'
import { createRetentionMetrics } from '../casework/privacy/retention/retention-metrics.ts'
import { runRetention } from '../casework/privacy/retention/run-retention.ts'
import {
  createSweepPosition,
  REPORTS_PER_PASS_MAX,
  readUnreadReports,
} from '../casework/reports/read-unread-reports.ts'
import { removeOldDeliveries } from '../casework/webhooks/delivery-store.ts'
import { createSweepMetrics, sweepFacts } from '../intel/sources/sweep/sweep-facts.ts'
import { inInstance } from '../kernel/db/instance-acts.ts'
import { createMonthGauges, keepMonths } from '../kernel/db/months/keep-months.ts'
import type { ScheduledJob } from '../kernel/jobs.ts'
import type { Services } from './compose.ts'
import { createSourceFetcher } from './open-intel.ts'

// The shortest interval of the scheduler. A run without work reads a nearly empty index.
const EVERY_MINUTE = '* * * * *'
// 10,000 reports in a row; the others wait for the next run.
const REPORT_PASSES_MAX = 100
// Sources are fetched one after the other; the others wait for the next run.
const SOURCES_MAX = 100
// The stop waits for one step at most.
const ERASURE_STEP = { erasuresMax: 1, budgetMs: 2_000 }
const ERASURE_STEPS_MAX = 20
// Far more than are made in a minute.
const BULK_CHANGE_BATCHES_MAX = 10
// 100,000 deliveries a minute.
const DELIVERY_BATCHES_MAX = 100

/** Jobs whose rows are claimed, so that several nodes may run one at the same time. */
export function listJobs({ foundation, casework, intel }: Services): ScheduledJob[] {
  // The position of this process in its pass over all unread reports.
  const position = createSweepPosition()
  const removed = createRetentionMetrics(foundation.metrics)
  const swept = createSweepMetrics(foundation.metrics)
  const fetcher = createSourceFetcher(foundation, intel)
  const { ids, clock, database, config, log, audit, secrets } = foundation
  const { pool } = database
  const months = { pool, gauges: createMonthGauges(foundation.metrics) }
  const { graphs, conditions, wakeWorkers } = casework
  const mail = readMailIdentity(config)
  const { rawSearcher } = casework
  const db = database.kysely
  const pass = { db, log }
  return [
    everyMinute('read-unread-reports', (signal) =>
      repeat(REPORT_PASSES_MAX, signal, async () => {
        // A full batch means that there may be more.
        return (await readUnreadReports(casework.reports, position)) === REPORTS_PER_PASS_MAX
      }),
    ),
    {
      // Before the batches, which would empty what can go as a whole.
      ...everyMinute('remove-months', (signal) =>
        removeMonths({ ...pass, pool, ids, clock, audit, secrets, removed }, signal),
      ),
      runsOn: 'one-node',
    },
    everyMinute('remove-past-retention', (signal) =>
      runRetention({ ...pass, ids, clock, audit, secrets, removed }, signal),
    ),
    {
      ...everyMinute('keep-months', (signal) => keepMonths({ ...months, clock, log }, signal)),
      // A table is divided by one node.
      runsOn: 'one-node',
    },
    everyMinute('sign-audit-log', createAuditKeeper({ ...foundation, db })),
    everyMinute('repeat-erasures', async (signal) => {
      const limits = { ...ERASURE_STEP, passedOver: new Set<string>() }
      await repeat(ERASURE_STEPS_MAX, signal, async () => {
        return (await continueRepeats({ ...pass, ids, rawSearcher }, limits)).isMore
      })
      await renewDueStatistics(pass, signal)
    }),
    everyMinute('fetch-sources', (signal) =>
      repeat(SOURCES_MAX, signal, () => fetcher.fetchDue(signal)),
    ),
    everyMinute('keep-facts', (signal) =>
      sweepFacts({ database, clock, config, metrics: swept }, signal),
    ),
    // Without a relay nothing is held for a digest.
    everyMinute('make-digests', async (signal) => {
      if (mail !== null) await makeDigests({ ...pass, ids, clock, mail }, signal)
    }),
    everyMinute('run-schedules', async (signal) => {
      await runSchedules(
        { db, ids, log, graphs, briefItem: conditions.briefItem, wakeWorkers },
        signal,
      )
    }),
    everyMinute('keep-playbooks', (signal) => keepPlaybooks(pass, signal)),
    everyMinute('remove-old-stream-messages', async (signal) => {
      await inInstance('remove past retention', async () => {
        await endUnwantedStreams(pass)
        await repeat(
          DELIVERY_BATCHES_MAX,
          signal,
          async () => (await removeOldMessages(pass)).isMore,
        )
      })
    }),
    everyMinute('remove-old-bulk-changes', (signal) =>
      inInstance('remove past retention', () =>
        repeat(
          BULK_CHANGE_BATCHES_MAX,
          signal,
          async () => (await removeOldBulkChanges(pass)).isMore,
        ),
      ),
    ),
    everyMinute('remove-old-deliveries', (signal) =>
      inInstance('deliver webhooks', () =>
        repeat(DELIVERY_BATCHES_MAX, signal, async () => (await removeOldDeliveries(pass)).isMore),
      ),
    ),
  ]
}

function everyMinute(name: string, run: ScheduledJob['run']): ScheduledJob {
  return { name, cron: EVERY_MINUTE, runsOn: 'any-node', run }
}

/** Repeats `step` while it returns true, which means that there is more. */
async function repeat(
  timesMax: number,
  signal: AbortSignal,
  step: () => Promise<boolean>,
): Promise<void> {
  for (let times = 0; times < timesMax && !signal.aborted; times += 1) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    if (!(await step())) return
  }
}
