// The report of an earlier request, as its repeat under the same Idempotency-Key is answered.

import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { reportNotFound } from '../cases/errors.ts'
import { findEvents } from '../events/event-list-store.ts'
import type { ProcessedReport } from './process-report.ts'
import { listEventIdsOfReport } from './report-event-store.ts'
import { findReport, type ReportRecord } from './report-store.ts'
import { NOT_READ_YET } from './report-tables.ts'

// 10 s; to read a report takes less. Afterwards the answer says that it is not read yet.
const POLLS_MAX = 100
const POLL_MS = 100

/**
 * With its events, which are duplicates. Waits while the first request still reads the report.
 * Throws `reportNotFound` when retention has removed it.
 */
export async function loadSubmittedReport(
  db: Db,
  scope: TenantScope,
  reportId: string,
): Promise<ProcessedReport> {
  const { state, reason, problems, format } = await waitUntilRead(db, scope, reportId)
  const records = await findEvents(db, scope, await listEventIdsOfReport(db, scope, reportId))
  const sorted = records.toSorted((one, other) => (one.event_id < other.event_id ? -1 : 1))
  const events = sorted.map((record) => {
    return { outcome: 'duplicate', repeats: null, record, findings: [] } as const
  })
  return { reportId, state, reason, problems, format, decidedBy: null, events, passedOver: [] }
}

async function waitUntilRead(db: Db, scope: TenantScope, reportId: string): Promise<ReportRecord> {
  for (let poll = 1; ; poll += 1) {
    const report = await findReport(db, scope, reportId)
    if (report === null) throw reportNotFound()
    if (report.reason !== NOT_READ_YET || poll === POLLS_MAX) return report
    await pause(POLL_MS)
  }
}
