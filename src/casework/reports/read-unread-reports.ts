// The sweep: reads reports that were kept but never read, because their process ended or the
// database failed between keeping and reading.

import { inTransaction } from '../../kernel/db/database.ts'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import { inTenant } from '../../kernel/db/row-scope.ts'
import { readErrorCode } from '../../kernel/db/trouble-codes.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { claimReport, listUnreadReports, type UnreadReport } from './kept-report-store.ts'
import type { ReportDeps } from './process-report.ts'
import { openReportQueue } from './report-queue.ts'
import { writeVerdict } from './report-store.ts'

// Longer than a request may take, so that a report which is being read is left to its request.
const UNREAD_AFTER_MS = 60_000
// An outage of the database is over by then, so the fault lies with the report. Busy readers say
// nothing of the report.
const GIVEN_UP_AFTER_MS = 60 * 60_000
const READERS_BUSY = 'CASEWORK_READERS_BUSY'
// SQLSTATE class 22 of PostgreSQL: a value that no column takes, today or in an hour.
const DATA_EXCEPTION = /^22[0-9A-Z]{3}$/
// A pass is bounded; the next pass reads the rest.
export const REPORTS_PER_PASS_MAX = 100
// Log lines about reports that stay unread; a thousand lines an hour about one cause help nobody.
const LOGGED_PER_PASS_MAX = 3
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** The position of the sweep among all unread reports. */
interface SweepPosition {
  afterId: string
}

/** Before the oldest report. */
export function createSweepPosition(): SweepPosition {
  return { afterId: FIRST_ID }
}

/**
 * One pass over all tenants, oldest first; any number of nodes may make one at once. Returns how
 * many got a verdict. It continues where the last pass with this `position` ended; after the newest
 * report it begins again with the oldest, so that a report that fails again and again delays no
 * other.
 */
export async function readUnreadReports(
  deps: ReportDeps,
  position: SweepPosition = createSweepPosition(),
): Promise<number> {
  const before = new Date(deps.clock.nowMs() - UNREAD_AFTER_MS)
  const count = { finished: 0, putOff: 0 }
  // Reports that another node reads meanwhile do not count. Ends with the newest at the latest.
  for (let left = REPORTS_PER_PASS_MAX; left > 0; ) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const page = await inInstance('read reports later', () =>
      listUnreadReports(deps.db, position.afterId, before, left),
    )
    // oxlint-disable-next-line eslint/no-await-in-loop
    for (const attempt of await readPage(deps, page)) {
      if (attempt.isFinished) count.finished += 1
      else count.putOff += 1
      if (attempt.trouble !== null) logTrouble(deps, attempt.trouble, count.putOff)
      left -= 1
    }
    position.afterId = page.at(-1)?.id ?? FIRST_ID
    if (page.length === 0) break
  }
  if (count.putOff > LOGGED_PER_PASS_MAX) {
    deps.log.error('Reports could not be read later either', { count: count.putOff })
  }
  return count.finished
}

interface Attempt {
  readonly isFinished: boolean
  readonly trouble: Trouble | null
}

interface Trouble {
  readonly report_id: string
  readonly given_up: boolean
  readonly code: string | null
  readonly error: string
}

// The reason of giving up stands nowhere else, so it is always logged.
function logTrouble({ log }: ReportDeps, trouble: Trouble, putOffCount: number): void {
  if (!trouble.given_up && putOffCount > LOGGED_PER_PASS_MAX) return
  log.error('A report could not be read later either', { ...trouble })
}

/** One attempt for each report that no other process has read, in their order. */
async function readPage(
  deps: ReportDeps,
  page: readonly UnreadReport[],
): Promise<readonly Attempt[]> {
  const queue = openReportQueue(deps)
  const ends = await Promise.all(page.map((unread) => queue.push({ ...unread, report: null })))
  const attempts: Attempt[] = []
  for (const [index, end] of ends.entries()) {
    const unread = page[index]
    if (end.kind === 'read') attempts.push({ isFinished: true, trouble: null })
    if (end.kind === 'failed' && unread !== undefined) {
      // oxlint-disable-next-line eslint/no-await-in-loop
      attempts.push(await putOffOrGiveUp(deps, unread, end.error))
    }
  }
  return attempts
}

const GIVEN_UP = {
  state: 'quarantined',
  reason: 'The report could not be stored as events; the log holds the reason.',
  problems: [],
  format: null,
  reporterReportId: null,
  eventCount: 0,
} as const

/**
 * Gives up on a report that a retry cannot save: it is too old, or the database refuses its values.
 * A report that another node has read meanwhile, or reads now, is left alone.
 */
async function putOffOrGiveUp(
  deps: ReportDeps,
  { tenantId, id, receivedAt }: UnreadReport,
  error: unknown,
): Promise<Attempt> {
  const code = readErrorCode(error)
  const isOld = receivedAt.getTime() < deps.clock.nowMs() - GIVEN_UP_AFTER_MS
  const isHopeless =
    (isOld && code !== READERS_BUSY) || (code !== null && DATA_EXCEPTION.test(code))
  const isGivenUp = isHopeless && (await giveUp(deps, { tenantId }, id))
  const trouble = { report_id: id, given_up: isGivenUp, code, error: String(error) }
  return { isFinished: isGivenUp, trouble }
}

/** False when another node has read the report, or reads it. */
async function giveUp({ db }: ReportDeps, scope: TenantScope, id: string): Promise<boolean> {
  return await inTenant(scope, () =>
    inTransaction(db, async (tx) => {
      if (!(await claimReport(tx, scope, id))) return false
      await writeVerdict(tx, scope, id, GIVEN_UP)
      return true
    }),
  )
}
