// Reads a kept report again, after its reader was mended: known events are counted as repeats, new
// ones come in.

import { inTransaction } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { Actor } from '../cases/case-tables.ts'
import { findKeptReport } from './kept-report-store.ts'
import { readAgain } from './process-report.ts'
import {
  prepareReading,
  type ReportDeps,
  settleReading,
  type TakenReport,
} from './record-verdict.ts'

/**
 * What it came to; null when there is no such report. A report that was accepted stays so when
 * nothing can be read out of it any more: its events are there, and the answer alone tells the
 * refusal.
 */
export async function replayReport(
  deps: ReportDeps,
  scope: TenantScope,
  reportId: string,
  actor: Actor,
): Promise<TakenReport | null> {
  const kept = await findKeptReport(deps.database.kysely, scope, reportId)
  if (kept === null) return null
  const reading = await readAgain(deps, kept)
  if (reading.kind === 'refused' && kept.state === 'accepted') {
    const { state, reason, problems, format, passedOver } = reading
    return { reportId, state, reason, problems, format, events: [], passedOver }
  }
  await prepareReading(deps, scope, reading)
  const { authentication } = kept
  const { taken, ...told } = await inTransaction(deps.database.kysely, (tx) => {
    const at = new Date(deps.clock.nowMs())
    return settleReading(tx, deps, scope, { id: reportId, actor, at, authentication }, reading)
  })
  if (taken !== null && taken.runsStarted > 0) deps.wakeWorkers()
  return { reportId, ...told }
}
