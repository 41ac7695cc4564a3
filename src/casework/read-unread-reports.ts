// Reads reports that were kept but never read: their process ended, or the database failed, between the two transactions of intake.

import { inTransaction, readErrorCode } from '../kernel/db/database.ts'
import { readKeptReport } from './read-kept-report.ts'
import type { ReportDeps } from './settle-report.ts'
import { claimUnreadReport, type KeptReport } from './store/kept-report-store.ts'
import { settleReport } from './store/report-store.ts'

// Longer than a request may take, so that a report which is being read is left to its request.
const UNREAD_AFTER_MS = 60_000
// Trouble of the database is over by then, so the fault lies with the report.
const GIVEN_UP_AFTER_MS = 60 * 60_000
// A pass is bounded; what is left is read by the next.
export const REPORTS_PER_PASS_MAX = 100
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** One pass over all tenants, oldest first; any number of nodes may make one at once. How many were settled. */
export async function readUnreadReports(deps: ReportDeps): Promise<number> {
  const before = new Date(deps.clock.nowMs() - UNREAD_AFTER_MS)
  let afterId = FIRST_ID
  let settled = 0
  for (let count = 0; count < REPORTS_PER_PASS_MAX; count += 1) {
    // Each in a transaction of its own, so that one that cannot be stored holds up no other.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const outcome = await readNext(deps, afterId, before)
    if (outcome === null) break
    afterId = outcome.id
    if (outcome.isSettled) settled += 1
  }
  return settled
}

interface Attempt {
  readonly id: string
  readonly isSettled: boolean
}

async function readNext(deps: ReportDeps, afterId: string, before: Date): Promise<Attempt | null> {
  let claimed: KeptReport | null = null
  try {
    const runsStarted = await inTransaction(deps.database.kysely, async (tx) => {
      claimed = await claimUnreadReport(tx, afterId, before)
      if (claimed === null) return 0
      const { taken } = await readKeptReport(tx, deps, claimed)
      return taken?.runsStarted ?? 0
    })
    if (runsStarted > 0) deps.hint.raise()
    return nameAttempt(claimed, true)
  } catch (error) {
    return await putOff(deps, claimed, error)
  }
}

function nameAttempt(claimed: KeptReport | null, isSettled: boolean): Attempt | null {
  return claimed === null ? null : { id: claimed.id, isSettled }
}

/** Logs why, and gives up on a report that is too old to be saved by trying again. */
async function putOff(
  deps: ReportDeps,
  claimed: KeptReport | null,
  error: unknown,
): Promise<Attempt> {
  // Not even the question could be asked.
  if (claimed === null) throw error
  const { tenantId, id, receivedAt } = claimed
  const isGivenUp = receivedAt.getTime() < deps.clock.nowMs() - GIVEN_UP_AFTER_MS
  deps.log.error('A report could not be read later either', {
    report_id: id,
    given_up: isGivenUp,
    code: readErrorCode(error),
    error: String(error),
  })
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
  return { id, isSettled: isGivenUp }
}
