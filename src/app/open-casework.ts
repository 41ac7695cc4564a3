// Opens the casework area: the dependencies of its endpoints and workers. app/compose.ts opens it
// once in each HTTP thread.

import { availableParallelism } from 'node:os'
import { createIsDemoTenant } from '../access/demo-tenants.ts'
import {
  createStreamHub,
  type StreamHub,
  shareStreamBounds,
} from '../casework/desk/stream/stream-hub.ts'
import { createEventQueue, type EventQueue, limitBulk } from '../casework/events/batcher.ts'
import { type CommitEvents, createCommitEvents } from '../casework/events/ingest.ts'
import {
  createIngestMetrics,
  createWaitingGauge,
  type WaitingEvents,
} from '../casework/events/ingest-metrics.ts'
import { readReplyDomains } from '../casework/notices/mail-identity.ts'
import type { EvidenceFile } from '../casework/notices/notice.ts'
import { createReplyMetrics } from '../casework/notices/notice-metrics.ts'
import { createOwnerResolver, type OwnerResolver } from '../casework/owners/prepare-owners.ts'
import { createGraphCache, type GraphCache } from '../casework/playbooks/graph-cache.ts'
import { createWorkerWakeUp, type WorkerWakeUp } from '../casework/playbooks/runs/worker-wake-up.ts'
import {
  type CountSimulation,
  createSimulationMetrics,
} from '../casework/playbooks/simulation/simulation-metrics.ts'
import {
  chooseErasureLog,
  createErasureLog,
  type ErasureLog,
} from '../casework/privacy/erasure/erasure-log.ts'
import { openRawSearcher, type RawSearcher } from '../casework/privacy/erasure/raw-searcher.ts'
import { buildEvidence, type EvidenceRequest } from '../casework/reports/build-evidence.ts'
import { type CaseWriter, openCaseWriter } from '../casework/reports/corrections/case-writer.ts'
import type { GetReportReadingDeps } from '../casework/reports/get-report-reading.ts'
import {
  createMailAuthenticator,
  type MailAuthenticator,
} from '../casework/reports/mail/authenticate-mail.ts'
import type { MailDeps } from '../casework/reports/mail/open-mail-channels.ts'
import {
  createMailAsAnswer,
  type TakeMailAsAnswer,
} from '../casework/reports/mail/take-mail-as-answer.ts'
import { createReplies } from '../casework/reports/mail/take-reply.ts'
import type { ReportDeps } from '../casework/reports/process-report.ts'
import { createReadingMetrics } from '../casework/reports/reading/reading-metrics.ts'
import { openReadingPool } from '../casework/reports/reading/reading-pool.ts'
import {
  type ConditionDeps,
  type ConditionWork,
  createConditionWork,
} from '../casework/rules/condition-work.ts'
import { createBriefItem } from '../intel/lookup/item-brief.ts'
import { ensureCursorKey } from '../kernel/db/cursor-key-store.ts'
import { type CursorSealer, createCursorSealer } from '../kernel/http/cursor.ts'
import { parseAllowList } from '../kernel/outbound/allow-list.ts'
import { mayUsePlainHttp } from '../kernel/outbound/check-target.ts'
import { createOutbound, type Outbound } from '../kernel/outbound/outbound.ts'
import type { Foundation } from './foundation.ts'
import { keepDemoQuiet } from './keep-demo-quiet.ts'
import type { Intel } from './open-intel.ts'

export interface Casework {
  readonly foundation: Foundation
  /** The cache of parsed playbook versions. */
  readonly graphs: GraphCache
  readonly workerWakeUp: WorkerWakeUp
  /** Wakes the playbook worker; call it after a commit that made playbook tokens due. */
  readonly wakeWorkers: () => void
  /** For single events. */
  readonly eventQueue: EventQueue
  /** For a batch that must not wait in the queue of bulk pushes. */
  readonly commitEvents: CommitEvents
  /** For bulk pushes: their batches wait in a queue. */
  readonly commitBulk: CommitEvents
  readonly waitingEvents: () => WaitingEvents
  readonly cursors: CursorSealer
  /** For reports, from every channel. */
  readonly reports: ReportDeps & Pick<GetReportReadingDeps, 'showBytes'>
  readonly takeMailAsAnswer: TakeMailAsAnswer
  readonly countSimulation: CountSimulation
  readonly mailAuthenticator: MailAuthenticator
  /** What goes with a notice of a case. */
  readonly buildEvidence: (request: EvidenceRequest) => Promise<readonly EvidenceFile[]>
  readonly owners: OwnerResolver
  /** For everything that asks rules about events. */
  readonly conditions: ConditionDeps
  /** For rules that are asked without storing anything. */
  readonly dryRunWork: ConditionWork
  /** The open streams of changes of this thread. */
  readonly streams: StreamHub
  readonly erasureLog: ErasureLog
  readonly rawSearcher: RawSearcher
  readonly caseWriter: CaseWriter
  /** The guarded client for everything that tenants name. */
  readonly outbound: Outbound
  /** Whether the operator opened the target for plain HTTP. */
  readonly allowsPlainHttp: (url: string) => boolean
  readonly close: () => Promise<void>
}

// The number of threads that read reports in one process: one processor is left for serving. The
// threads run only while there are reports.
const READING_THREADS_MAX = 4

export async function openCasework(
  foundation: Foundation,
  { index, networks }: Pick<Intel, 'index' | 'networks'>,
): Promise<Casework> {
  const graphs = createGraphCache()
  const workerWakeUp = createWorkerWakeUp()
  const wakeWorkers = workerWakeUp.wake
  const { config, log, clock, metrics } = foundation
  const db = foundation.database.kysely
  const outbound = keepDemoQuiet(
    createOutbound({
      allow: config.outboundAllow,
      dnsServers: config.dnsServers,
      log,
      clock,
      onRefused: foundation.countRefusal,
      tracer: foundation.tracer,
    }),
    createIsDemoTenant(db),
  )
  const allow = parseAllowList(config.outboundAllow)
  const owners = createOwnerResolver({
    db,
    log,
    clock,
    outbound,
    secrets: foundation.secrets,
    allow,
    metrics,
  })
  const countIngest = createIngestMetrics(metrics)
  const conditions = {
    briefItem: createBriefItem({ index, clock }),
    conditionWork: createConditionWork(clock),
  }
  const commitEvents = createCommitEvents({
    db,
    ids: foundation.ids,
    clock,
    wakeWorkers,
    prepareOwners: owners.prepare,
    countIngest,
    ...conditions,
  })
  const countWaiting = createWaitingGauge(metrics)
  const eventQueue = createEventQueue(commitEvents, countWaiting.single)
  const mailAuthenticator = createMailAuthenticator({
    ...foundation.config,
    clock: foundation.clock,
  })
  const readingPool = openReadingPool({
    // Each of several HTTP threads has its own pool.
    size:
      config.threads > 1
        ? 1
        : Math.min(READING_THREADS_MAX, Math.max(1, availableParallelism() - 1)),
    log,
    metrics: createReadingMetrics(metrics),
  })
  const replyDeps = {
    db,
    ids: foundation.ids,
    clock,
    graphs,
    domains: readReplyDomains(config),
    readLetter: readingPool.readLetter,
    wakeWorkers,
    countReply: createReplyMetrics(metrics),
  }
  const rawSearcher = openRawSearcher({ log })
  const streams = createStreamHub({ db, log, metrics, bounds: shareStreamBounds(config.threads) })
  const caseWriter = openCaseWriter()
  return {
    foundation,
    graphs,
    workerWakeUp,
    wakeWorkers,
    eventQueue,
    commitEvents,
    commitBulk: limitBulk(commitEvents, countWaiting.bulk),
    waitingEvents: countWaiting.read,
    cursors: createCursorSealer(await ensureCursorKey(db)),
    reports: {
      replies: createReplies(replyDeps),
      db,
      ids: foundation.ids,
      clock,
      log,
      wakeWorkers,
      authenticate: mailAuthenticator.authenticate,
      prepareOwners: owners.prepare,
      countIngest,
      readBytes: readingPool.read,
      showBytes: readingPool.show,
      listOwnNetworks: () => networks.networks().texts,
      ...conditions,
    },
    takeMailAsAnswer: createMailAsAnswer(replyDeps),
    countSimulation: createSimulationMetrics(metrics),
    mailAuthenticator,
    buildEvidence: (request) =>
      buildEvidence({ db, readEvidence: readingPool.readEvidence }, request),
    owners,
    conditions,
    dryRunWork: createConditionWork(clock),
    streams,
    erasureLog: createErasureLog(db, chooseErasureLog(config)),
    rawSearcher,
    caseWriter,
    outbound,
    allowsPlainHttp: (url) => mayUsePlainHttp(url, allow),
    async close() {
      await streams.close()
      outbound.close()
      await eventQueue.close()
      await readingPool.close()
      await rawSearcher.close()
      await caseWriter.close()
      workerWakeUp.close()
    },
  }
}

/** The dependencies of the mail channels. */
export function buildMailDeps({ foundation, reports, mailAuthenticator }: Casework): MailDeps {
  const { config, log, metrics, readiness } = foundation
  const checkMailAuthentication = mailAuthenticator.check
  return { config, log, metrics, readiness, reports, checkMailAuthentication }
}
