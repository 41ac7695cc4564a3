// Searches the raw reports of a tenant in a thread beside the serving threads. Anybody can send a
// report, so one that is too costly to search ends the thread at its limits. The report is then
// named as unsearched, and the search goes on behind it.

import { limit, QueueFull } from '../../../kernel/async/limit.ts'
import {
  type JobLimits,
  locateScript,
  ThreadLost,
  WorkerHost,
} from '../../../kernel/async/worker-host.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Log } from '../../../kernel/log.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { rawSearchBusy } from '../errors.ts'
import { listReportsOfBytes, type RawReport, readNextRawReports } from './raw-report-scan.ts'
import type { RawSearchJob } from './raw-search-thread.ts'
import type { RawQuery } from './search-raw-bytes.ts'

/** The next reports of a tenant after a key. */
export interface RawSearchSlice {
  readonly found: readonly RawReport[]
  /** Ids of reports whose bytes could not be searched. */
  readonly unsearched: readonly string[]
  /** The key (hexadecimal) of the last report of the slice; null when there are no more reports. */
  readonly lastKey: string | null
}

interface RawSearchRequest {
  readonly scope: TenantScope
  readonly afterKey: string
  readonly rowsMax: number
  readonly query: RawQuery
}

export interface RawSearcher {
  /** Throws CASEWORK_RAW_SEARCH_BUSY when too many requests wait, or the searcher is closed. */
  readonly searchNext: (db: Db, request: RawSearchRequest) => Promise<RawSearchSlice>
  readonly close: () => Promise<void>
}

export interface RawSearcherOptions extends Partial<JobLimits> {
  readonly log: Log
  /** How many requests may wait for their turn. */
  readonly queueMax?: number
}

// A report of 25 MB takes at most 1.5 seconds of processor time, whatever is in it.
// Processor time bounds the work. The clock only ends a thread that does nothing: the thread has a
// lower priority than the serving threads, and on a busy machine it waits for minutes.
export const RAW_SEARCH_LIMITS = { cpuLimitMs: 10_000, waitLimitMs: 600_000, memoryMb: 256 }
const LINGER_MS = 10_000
// Each waits for a slice of the ones before it, which takes some 10 ms.
const QUEUE_MAX = 100
// Of one slice. A longer report is searched alone.
const SLICE_BYTES_MAX = 2_097_152

export function openRawSearcher(options: RawSearcherOptions): RawSearcher {
  const { log, queueMax = QUEUE_MAX, ...changed } = options
  const limits = { ...RAW_SEARCH_LIMITS, ...changed }
  const host = new WorkerHost<RawSearchJob, readonly boolean[]>({
    script: locateScript('raw-search-thread', import.meta.url),
    name: 'raw-search',
    lingerMs: LINGER_MS,
    isBehind: true,
    limits,
  })
  // One at a time, so that no more than one slice is in memory.
  const turns = limit(1, { queueMax })

  const searchNext = async (db: Db, request: RawSearchRequest): Promise<RawSearchSlice> => {
    const { scope, afterKey, rowsMax, query } = request
    const slice = { rowsMax, bytesMax: SLICE_BYTES_MAX }
    const reports = await readNextRawReports(db, scope, afterKey, slice)
    const { found, unsearched } = await search(host, reports, query)
    return {
      found,
      unsearched: await nameUnsearched(db, scope, unsearched, log),
      lastKey: reports.at(-1)?.sha256.toString('hex') ?? null,
    }
  }
  return {
    async searchNext(db, request) {
      try {
        const { tenantId: key } = request.scope
        return await turns.run(() => searchNext(db, request), { key })
      } catch (error) {
        if (error instanceof QueueFull) throw rawSearchBusy()
        throw error
      }
    },
    async close() {
      const closing = turns.close(rawSearchBusy())
      await host.close()
      await closing
    },
  }
}

type SearchHost = WorkerHost<RawSearchJob, readonly boolean[]>

interface Unsearched {
  readonly sha256: Buffer
  readonly why: string
}

interface SearchedReports {
  readonly found: readonly RawReport[]
  readonly unsearched: readonly Unsearched[]
}

async function search(
  host: SearchHost,
  reports: readonly RawReport[],
  query: RawQuery,
): Promise<SearchedReports> {
  if (reports.length === 0) return { found: [], unsearched: [] }
  try {
    // Copies are transferred to the thread, because an export answers with the bytes.
    const copies = reports.map(({ bytes }) => new Uint8Array(bytes))
    const job = { reports: copies, query }
    const isFound = await host.run(
      job,
      copies.map((copy) => copy.buffer),
    )
    return { found: reports.filter((_, index) => isFound[index] === true), unsearched: [] }
  } catch (error) {
    const why = explainFailure(error)
    const [first, ...others] = reports
    if (first === undefined) return { found: [], unsearched: [] }
    if (others.length === 0) return { found: [], unsearched: [{ sha256: first.sha256, why }] }
    return await searchEach(host, reports, query)
  }
}

/** Finds the report that ended the thread with the reports beside it. */
async function searchEach(
  host: SearchHost,
  reports: readonly RawReport[],
  query: RawQuery,
): Promise<SearchedReports> {
  const found: RawReport[] = []
  const unsearched: Unsearched[] = []
  for (const report of reports) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const alone = await search(host, [report], query)
    found.push(...alone.found)
    unsearched.push(...alone.unsearched)
  }
  return { found, unsearched }
}

/** Why a report could not be searched. Throws what is no fault of the report. */
function explainFailure(error: unknown): string {
  if (!(error instanceof ThreadLost)) return String(error)
  if (error.why === 'closed' || error.why === 'not_started') throw rawSearchBusy()
  return error.why
}

async function nameUnsearched(
  db: Db,
  scope: TenantScope,
  unsearched: readonly Unsearched[],
  log: Log,
): Promise<readonly string[]> {
  const ids: string[] = []
  for (const { sha256, why } of unsearched) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const reports = await listReportsOfBytes(db, scope, sha256)
    ids.push(...reports)
    log.warn('The bytes of a report could not be searched for an address', {
      tenant: scope.tenantId,
      reports,
      why,
    })
  }
  return ids
}
