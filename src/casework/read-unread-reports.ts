// Reads reports that were kept but never read: their process ended, or the database failed, between the two transactions of intake.

import { inTransaction, readErrorCode } from '../kernel/db/database.ts'
import { authenticateReport, readKeptReport } from './read-kept-report.ts'
import type { ReportDeps } from './settle-report.ts'
import { claimUnreadReport, type KeptReport } from './store/kept-report-store.ts'
import { settleReport } from './store/report-store.ts'

// Longer than a request may take, so that a report which is being read is left to its request.
const UNREAD_AFTER_MS = 60_000
// Trouble of the database is over by then, so the fault lies with the report.
const GIVEN_UP_AFTER_MS = 60 * 60_000
// SQLSTATE class 22 of PostgreSQL: a value that no column takes, today or in an hour.
const DATA_EXCEPTION = /^22[0-9A-Z]{3}$/
// A pass is bounded; what is left is read by the next.
export const REPORTS_PER_PASS_MAX = 100
// Of those that stay unread; a thousand lines an hour about one cause help nobody.
const LOGGED_PER_PASS_MAX = 3
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** How far the round over all unread reports has come. */
interface SweepPlace {
  afterId: string
}

/** Before the oldest report. */
export function createSweepPlace(): SweepPlace {
  return { afterId: FIRST_ID }
}

/**
 * One pass over all tenants, oldest first; any number of nodes may make one at once. How many were settled. It goes on where the last pass
 * with this `place` ended, and the pass after the newest begins with the oldest: those that fail again and again keep no other waiting.
 */
export async function readUnreadReports(
  deps: ReportDeps,
  place: SweepPlace = createSweepPlace(),
): Promise<number> {
  const before = new Date(deps.clock.nowMs() - UNREAD_AFTER_MS)
  let settled = 0
  let putOffCount = 0
  for (let count = 0; count < REPORTS_PER_PASS_MAX; count += 1) {
    // Each in a transaction of its own, so that one that cannot be stored holds up no other.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const outcome = await readNext(deps, place.afterId, before)
    if (outcome === null) {
      place.afterId = FIRST_ID
      break
    }
    place.afterId = outcome.id
    if (outcome.isSettled) settled += 1
    else putOffCount += 1
    if (outcome.trouble !== null) logTrouble(deps, outcome.trouble, putOffCount)
  }
  if (putOffCount > LOGGED_PER_PASS_MAX) {
    deps.log.error('Reports could not be read later either', { count: putOffCount })
  }
  return settled
}

interface Attempt {
  readonly id: string
  readonly isSettled: boolean
  readonly trouble: Trouble | null
}

interface Trouble {
  readonly report_id: string
  readonly given_up: boolean
  readonly code: string | null
  readonly error: string
}

// The reason of what is given up stands nowhere else, so that is always told.
function logTrouble({ log }: ReportDeps, trouble: Trouble, putOffCount: number): void {
  if (!trouble.given_up && putOffCount > LOGGED_PER_PASS_MAX) return
  log.error('A report could not be read later either', { ...trouble })
}

async function readNext(deps: ReportDeps, afterId: string, before: Date): Promise<Attempt | null> {
  let claimed: KeptReport | null = null
  try {
    const runsStarted = await inTransaction(deps.database.kysely, async (tx) => {
      claimed = await claimUnreadReport(tx, afterId, before)
      if (claimed === null) return 0
      const authentication = await authenticateReport(deps, claimed)
      const { taken } = await readKeptReport(tx, deps, claimed, authentication)
      return taken?.runsStarted ?? 0
    })
    if (runsStarted > 0) deps.hint.raise()
    return nameAttempt(claimed)
  } catch (error) {
    return await putOff(deps, claimed, error)
  }
}

function nameAttempt(claimed: KeptReport | null): Attempt | null {
  return claimed === null ? null : { id: claimed.id, isSettled: true, trouble: null }
}

/** Gives up on a report that trying again does not save: it is too old, or the database refuses what it says. */
async function putOff(
  deps: ReportDeps,
  claimed: KeptReport | null,
  error: unknown,
): Promise<Attempt> {
  // Not even the question could be asked.
  if (claimed === null) throw error
  const { tenantId, id, receivedAt } = claimed
  const code = readErrorCode(error)
  const isOld = receivedAt.getTime() < deps.clock.nowMs() - GIVEN_UP_AFTER_MS
  const isGivenUp = isOld || (code !== null && DATA_EXCEPTION.test(code))
  if (isGivenUp) {
    await settleReport(deps.database.kysely, { tenantId }, id, {
      state: 'quarantined',
      reason: 'The report could not be stored as events; the log holds the reason.',
      problems: [],
      format: null,
      reporterReportId: null,
      eventCount: 0,
    })
  }
  const trouble = { report_id: id, given_up: isGivenUp, code, error: String(error) }
  return { id, isSettled: isGivenUp, trouble }
}
