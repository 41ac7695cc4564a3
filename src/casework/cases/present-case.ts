// Cases, their comments and history as the wire shows them (interface 2.5, design sections 9 and
// 10). Members without a value are left out, never null.

import type { TenantScope } from '../../vocabulary/caller.ts'
import type { PlaybookPosition, WaitingNode } from '../playbooks/list-waiting-nodes.ts'
import { presentWaitingNode } from '../playbooks/present-playbook.ts'
import { listDeadlines } from './case-deadline.ts'
import type { CaseRow } from './case-tables.ts'
import type { CaseSummaryRow, CommentRow, HistoryRow } from './lists/case-list-store.ts'

export function presentCase(scope: TenantScope, row: CaseSummaryRow): Record<string, unknown> {
  return {
    id: row.id,
    state: row.state,
    created_at: row.created_at.toISOString(),
    first_event_date: row.first_event_date.toISOString(),
    last_event_date: row.last_event_date.toISOString(),
    customer_id: row.customer_id,
    tenant_id: scope.tenantId,
    ...(row.contract_id === null ? {} : { contract_id: row.contract_id }),
  }
}

/**
 * Where the playbook of a case stands, the nodes at which it waits, and what else does not stand in
 * its row.
 */
export interface CaseProgress {
  readonly position: PlaybookPosition | null
  readonly waiting: readonly WaitingNode[]
  /** By a legal hold of its own, or of a case it is merged with. */
  readonly isHeld: boolean
}

export function presentCaseDetail(row: CaseRow, progress: CaseProgress): Record<string, unknown> {
  const { position } = progress
  return {
    ...presentCase({ tenantId: row.tenant_id }, row),
    version: row.version,
    case_group: row.case_group_id,
    event_count: row.event_count,
    event_types: row.event_types,
    event_ips: row.event_ips,
    event_reporters: row.event_reporters,
    event_tags: row.event_tags,
    updated_at: row.updated_at.toISOString(),
    reopen_count: row.reopen_count,
    ...withoutNulls({
      resolution: row.resolution,
      close_reason: row.close_reason,
      resolved_at: row.resolved_at?.toISOString() ?? null,
      ended_at: row.ended_at?.toISOString() ?? null,
      linked_case_id: row.linked_case_id,
      sealed_at: row.sealed_at?.toISOString() ?? null,
      severity: row.severity,
      assignee_user_id: row.assignee_user_id,
      deadline_at: row.deadline_at?.toISOString() ?? null,
      due_at: row.due_at?.toISOString() ?? null,
      merged_into: row.merged_into,
    }),
    metadata: row.metadata,
    waiting_on: row.waiting_on,
    customer_status: row.customer_status,
    tags: row.tags,
    aware_at: (row.aware_at ?? row.created_at).toISOString(),
    deadlines: presentDeadlines(row),
    ...(position === null
      ? {}
      : {
          playbook_id: position.playbookId,
          playbook_version: position.version,
          playbook_step: position.step,
        }),
    legal_hold: progress.isHeld,
    waiting: progress.waiting.map(presentWaitingNode),
  }
}

function presentDeadlines(row: CaseRow): readonly unknown[] {
  const deadlines = listDeadlines({
    state: row.state,
    severity: row.severity,
    eventTypes: row.event_types,
    createdAt: row.created_at,
    awareAt: row.aware_at,
    deadlineAt: row.deadline_at,
    met: row.deadlines_met,
  })
  return deadlines.map(({ kind, dueAt, isMet }) => ({
    kind,
    due_at: dueAt.toISOString(),
    met: isMet,
  }))
}

/**
 * The ETag of a case: a strong validator of what was decided about it; arriving events do not
 * change it.
 */
export function presentVersion(version: number): string {
  return `"${version}"`
}

export function presentComment(row: Omit<CommentRow, 'tenant_id' | 'case_id'>): unknown {
  return {
    id: row.id,
    text: row.text,
    author: row.author,
    created_at: row.created_at.toISOString(),
  }
}

export function presentHistoryEntry(row: HistoryRow): unknown {
  return {
    id: row.id,
    at: row.at.toISOString(),
    kind: row.kind,
    actor_kind: row.actor_kind,
    actor: row.actor,
    ...withoutNulls({
      from_state: row.from_state,
      to_state: row.to_state,
      reason: row.reason,
      cause_id: row.cause_id,
      changes: row.changes,
    }),
  }
}

function withoutNulls(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}
