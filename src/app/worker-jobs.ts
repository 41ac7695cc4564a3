// Starts the background work of a process with the role worker: scheduled jobs, and a loop for each
// work that cannot wait for the scheduler's minute. docs/decisions/0005-scheduled-jobs.md explains
// which work runs in which way.

import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { createChangeFeed } from '../casework/changes/feed-changes.ts'
import { HAS_DUE_CHANGES } from '../casework/changes/outbox-store.ts'
import { createStreamListener } from '../casework/desk/stream/feed-stream.ts'
import { markEventsResolved } from '../casework/events/event-moves-store.ts'
import { findCasesOfEvents } from '../casework/events/event-store.ts'
import { retryUnanswered } from '../casework/events/retry-unanswered.ts'
import { createMitigationMetrics } from '../casework/mitigations/mitigation-metrics.ts'
import { startMitigations } from '../casework/mitigations/run-mitigations.ts'
import { readMailIdentity } from '../casework/notices/mail-identity.ts'
import { startNotices } from '../casework/notices/start-notices.ts'
import { HAS_EXPIRED_ANSWERS } from '../casework/owners/owner-answer-store.ts'
import { HAS_DUE_RETRIES } from '../casework/owners/owner-resolver-store.ts'
import { HAS_DUE_STARTS, startPending } from '../casework/playbooks/runs/pending-start-store.ts'
import { createRunMetrics } from '../casework/playbooks/runs/run-metrics.ts'
import { createRunWatchdog } from '../casework/playbooks/runs/run-watchdog.ts'
import { createRunWaker } from '../casework/playbooks/runs/wake-runs.ts'
import { startPlaybookWorker } from '../casework/playbooks/runs/worker.ts'
import { createSightingCollector } from '../casework/sightings/collect-sightings.ts'
import { noteItemsOfCases } from '../casework/sightings/sighting-change-store.ts'
import { startDelivering } from '../casework/webhooks/deliver-webhooks.ts'
import { createDeliveryMetrics } from '../casework/webhooks/delivery-metrics.ts'
import { createWebhookListener } from '../casework/webhooks/feed-webhooks.ts'
import { openContactVerification } from '../intel/contacts/verification/open-verification.ts'
import { createSourceMetrics } from '../intel/sources/source-metrics.ts'
import { every } from '../kernel/async/every.ts'
import { watchDue } from '../kernel/db/due-poll.ts'
import type { TenantPass } from '../kernel/db/due-tenants.ts'
import { inInstance } from '../kernel/db/instance-acts.ts'
import type { IdSource } from '../kernel/ids.ts'
import { startScheduledJobs } from '../kernel/jobs.ts'
import { parseAllowList } from '../kernel/outbound/allow-list.ts'
import type { Services } from './compose.ts'
import { listJobs } from './list-jobs.ts'
import { describeClaims } from './operation-checks.ts'
import { startAccountMails } from './start-account-mails.ts'

const ERASURE_LOG_MS = 60_000
// 0.1 s of the database for a million runs that wait.
const COUNT_RUNS_MS = 60_000
// 100,000 runs a look; a stuck run of a usual instance is known within the minute.
const WATCH_RUNS_MS = 60_000
// The pause behind the items of reports, so that those of one moment are written together. Look-ups
// see a report within 5 s, for which the scheduler's minute is too long.
const SIGHTINGS_MS = 500
// 10,000 items in a row; then the loop pauses.
const SIGHTING_PASSES_MAX = 10
// 50,000 changes in a row, and as many starts of runs of each tenant; then the loop pauses.
const CHANGE_PASSES_MAX = 100
const START_PASSES_MAX = 100
// While intake is at its limit, a twentieth of the time goes to sightings, else half of it. Items
// that wait are stored, and senders wait for intake.
const PAUSES_WHILE_BUSY = 19

export interface Jobs {
  /** Finishes the running work and starts no more. Call it before the services are closed. */
  readonly stop: () => Promise<void>
}

export async function startJobs(services: Services): Promise<Jobs> {
  const { foundation, casework } = services
  const { database, log, metrics, tracer, readiness } = foundation
  const verification = openContactVerification({ ...foundation, db: database.kysely })
  const jobs = listJobs(services)
  if (verification !== null) jobs.push(verification.job)
  const scheduled = await startScheduledJobs({ database, log, metrics, jobs, tracer })
  const runMetrics = createRunMetrics(metrics)
  const watchdog = createRunWatchdog({ log, metrics })
  readiness.add({ name: 'playbook runs', check: async () => watchdog.check() })
  const stops = [
    scheduled.stop,
    startRetrying(services),
    // The erasure log is a file of this process; it also gets the erasures of other nodes.
    every(ERASURE_LOG_MS, casework.erasureLog.write, (error) =>
      log.warn('Erasures could not be written to their log', { error: String(error) }),
    ),
    ...startCounting(foundation, runMetrics),
    every(
      WATCH_RUNS_MS,
      () => watchdog.look(database.kysely),
      (error) => log.warn('The watchdog could not look at playbook runs', { error: String(error) }),
    ),
    startCollecting(services),
    startFeeding(services),
    startNotices({ ...foundation, db: database.kysely, buildEvidence: casework.buildEvidence }),
    startAccountMails(services),
    startMitigationWorker(services),
    startWebhooks(services),
    startPlaybooks(services, runMetrics),
  ]
  return {
    async stop() {
      await Promise.all(stops.map((stop) => stop()))
      verification?.close()
    },
  }
}

/** A resolver is queried again after 30 seconds, which is less than the scheduler's interval. */
function startRetrying({ foundation, casework }: Services): () => Promise<void> {
  const { kysely: db } = foundation.database
  const { wakeWorkers, owners, conditions } = casework
  return watchDue(db, {
    isDue: sql<boolean>`(${HAS_DUE_RETRIES} or ${HAS_EXPIRED_ANSWERS})`,
    async work() {
      await retryUnanswered({ ...foundation, db, wakeWorkers, owners, ...conditions })
    },
    onTrouble: (error) =>
      foundation.log.warn('Resolvers could not be asked again', { error: String(error) }),
  })
}

/** The metrics that are counted in the database. */
function startCounting(
  { database, log, metrics, clock }: Services['foundation'],
  runMetrics: ReturnType<typeof createRunMetrics>,
): readonly (() => Promise<void>)[] {
  const { kysely: db } = database
  const sourceMetrics = createSourceMetrics(metrics, clock)
  return [
    every(
      COUNT_RUNS_MS,
      () => inInstance('measure', () => runMetrics.refresh(db)),
      (error) => log.warn('Playbook runs could not be counted', { error: String(error) }),
    ),
    every(
      COUNT_RUNS_MS,
      () => sourceMetrics.refresh(db),
      (error) => log.warn('Sources could not be counted', { error: String(error) }),
    ),
  ]
}

function startWebhooks({ foundation, casework }: Services): () => Promise<void> {
  const { database, log, clock, ids, config, secrets, metrics } = foundation
  return startDelivering({
    db: database.kysely,
    log,
    clock,
    ids,
    outbound: casework.outbound,
    allow: parseAllowList(config.outboundAllow),
    secrets,
    count: createDeliveryMetrics(metrics),
  })
}

function startPlaybooks(
  { foundation, casework }: Services,
  runMetrics: ReturnType<typeof createRunMetrics>,
): () => Promise<void> {
  const { database, ids, clock, log, config, secrets, tracer, readiness } = foundation
  const { graphs, workerWakeUp, conditions, outbound, allowsPlainHttp } = casework
  const worker = startPlaybookWorker({
    database,
    ids,
    clock,
    log,
    wakeUp: workerWakeUp,
    graphs,
    markEventsResolved,
    countFailed: runMetrics.countFailed,
    noteWithdrawals: noteItemsOfCases,
    briefItem: conditions.briefItem,
    mail: readMailIdentity(config),
    outbound,
    allowsPlainHttp,
    secrets,
    tracer,
  })
  readiness.add({
    name: 'playbook claims',
    check: async () => describeClaims(worker.claimedAgoMs()),
  })
  return worker.stop
}

/** Asks adapters, undoes what has expired, and counts. */
function startMitigationWorker({ foundation, casework }: Services): () => Promise<void> {
  const { database, log, metrics, config } = foundation
  const db = database.kysely
  const counts = createMitigationMetrics(metrics)
  const stopCounting = every(
    COUNT_RUNS_MS,
    () => inInstance('measure', () => counts.refresh(db)),
    (error) => log.warn('Mitigations could not be counted', { error: String(error) }),
  )
  const stopMitigating = startMitigations({
    ...foundation,
    db,
    outbound: casework.outbound,
    allow: parseAllowList(config.outboundAllow),
    count: counts.count,
  })
  return async () => {
    await Promise.all([stopCounting(), stopMitigating()])
  }
}

/** Those who act on changes of cases, events and reports. */
function startFeeding({ foundation, casework }: Services): () => Promise<void> {
  const { database, log, metrics, ids } = foundation
  const { feed } = createChangeFeed({
    db: database.kysely,
    log,
    metrics,
    listeners: [
      createWebhookListener({ ids }),
      createRunWaker({ findCasesOfEvents }),
      createStreamListener({ findCasesOfEvents }),
    ],
  })
  return watchDue(database.kysely, {
    isDue: sql<boolean>`(${HAS_DUE_CHANGES} or ${HAS_DUE_STARTS})`,
    async work() {
      await feed(CHANGE_PASSES_MAX)
      await beginPending({ db: database.kysely, log }, ids, casework.wakeWorkers)
    },
    onTrouble: (error) => log.warn('Changes could not be handed on', { error: String(error) }),
  })
}

/** Runs that changes have asked for. */
async function beginPending(
  pass: TenantPass,
  ids: IdSource,
  wakeWorkers: () => void,
): Promise<void> {
  for (let round = 0; round < START_PASSES_MAX; round += 1) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const { started, isMore } = await inInstance('start runs', () => startPending(pass, ids))
    if (started > 0) wakeWorkers()
    if (!isMore) return
  }
}

/** The sightings of accepted reports. */
function startCollecting({ foundation, intel }: Services): () => Promise<void> {
  const { database, clock, log, config } = foundation
  const { lookBackDays } = config
  const { collect, hasWork } = createSightingCollector({ database, clock, log, lookBackDays })
  const stop = new AbortController()
  const stopLoop = watchDue(database.kysely, {
    isDue: hasWork,
    async work() {
      for (let pass = 0; pass < SIGHTING_PASSES_MAX && !stop.signal.aborted; pass += 1) {
        const startedMs = performance.now()
        // One pass after the other.
        // oxlint-disable-next-line eslint/no-await-in-loop
        const { isMore, isBusy } = await collect()
        if (!isMore) break
        const pauseMs = (performance.now() - startedMs) * (isBusy ? PAUSES_WHILE_BUSY : 1)
        // oxlint-disable-next-line eslint/no-await-in-loop
        await delay(pauseMs, undefined, { signal: stop.signal }).catch(() => undefined)
      }
      await intel.index.refreshNow().catch(() => undefined)
      await delay(SIGHTINGS_MS, undefined, { signal: stop.signal }).catch(() => undefined)
    },
    onTrouble: (error) =>
      log.warn('Sightings of reports could not be written', { error: String(error) }),
  })
  return async () => {
    stop.abort()
    await stopLoop()
  }
}
