// The answer of every endpoint that shows one case in full: the case, and its version as ETag.

import { findActorNames } from '../../access/groups/actor-name-store.ts'
import type { Db } from '../../kernel/db/database.ts'
import { presentEtag } from '../../kernel/http/entity-tag.ts'
import { listDeadlines } from './case-deadline.ts'
import { presentCaseDetail } from './case-detail-wire.ts'
import type { FindCaseProgress } from './case-progress.ts'
import type { CaseRow } from './case-tables.ts'

/** The members of a reply beside its status. */
export async function showCase(db: Db, row: CaseRow, findProgress: FindCaseProgress) {
  const deadlines = listDeadlines({
    laws: row.laws,
    state: row.state,
    severity: row.severity,
    eventTypes: row.event_types,
    createdAt: row.created_at,
    awareAt: row.aware_at,
    deadlineAt: row.deadline_at,
    met: row.deadlines_met,
  })
  const { tenant_id: tenantId, assignee_user_id: assignee } = row
  const progress = await findProgress({ tenantId }, row.id)
  const names = await findActorNames(db, tenantId, [assignee])
  const assigneeName = assignee === null ? null : (names.get(assignee) ?? null)
  return {
    json: presentCaseDetail(row, deadlines, { ...progress, assigneeName }),
    headers: { etag: presentEtag(row.version) },
  }
}
