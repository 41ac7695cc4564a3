// Reads a report that was kept: what its transport proves, what it says, and, within the
// transaction that claims it, its events and what became of it.

import type { Tx } from '../../kernel/db/database.ts'
import type { MailAuthentication } from '../../vocabulary/mail-authentication.ts'
import type { Actor } from '../cases/case-tables.ts'
import type { KeptReport } from './kept-report-store.ts'
import { type Reading, readReport } from './read-raw-report.ts'
import { type ReportDeps, type SettledReport, settleReading } from './record-verdict.ts'
import type { ReportDoor } from './report-tables.ts'

const DOORS_WITH_TRANSPORT: ReadonlySet<ReportDoor> = new Set(['smtp', 'lmtp', 'imap'])

/** `reading` is that of `readAgain`, `authentication` that of `authenticateReport`. */
export async function settleKeptReport(
  tx: Tx,
  deps: ReportDeps,
  report: KeptReport,
  reading: Reading,
  authentication: MailAuthentication | null,
): Promise<SettledReport> {
  const { tenantId, id } = report
  const kept = { id, actor: actorOf(report), at: new Date(deps.clock.nowMs()), authentication }
  return await settleReading(tx, deps, { tenantId }, kept, reading)
}

/** What the bytes say, read as they were when they came. */
export async function readAgain(deps: ReportDeps, report: KeptReport): Promise<Reading> {
  const { receivedAt, mediaType, fallbackReporter, bytes } = report
  const context = { receivedAtMs: receivedAt.getTime(), mediaType, fallbackReporter }
  return await readReport(deps, bytes, context)
}

/**
 * Asks DNS, which may take seconds. Null for what came without a transport. Keys and policies are
 * those of the day of arrival, so what was once found stands.
 */
export async function authenticateReport(
  deps: ReportDeps,
  report: KeptReport,
): Promise<MailAuthentication | null> {
  if (report.authentication !== null) return report.authentication
  if (!DOORS_WITH_TRANSPORT.has(report.via)) return null
  return (await deps.authenticate?.(report.bytes, report)) ?? null
}

function actorOf({ receivedBy, via }: KeptReport): Actor {
  const kind = DOORS_WITH_TRANSPORT.has(via) ? 'system' : 'token'
  return { kind, id: receivedBy, name: receivedBy }
}
