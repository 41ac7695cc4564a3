// Changes of a case beside its state: severity, assignee, tags, deadlines and the like. They are
// compared with the version and written with one history row, in one transaction. Moves are in
// case-move-store.ts.

import { sql } from 'kysely'
import type { Tx } from '../../kernel/db/database.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import { checkJsonObject } from '../../values/json-value.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import {
  addHistory,
  type ChangeOrigin,
  type NewHistoryEntry,
  pickOrigin,
} from './case-history-store.ts'
import { lockRows } from './case-locks.ts'
import { isOpenState } from './case-state.ts'
import type { CaseRow, CustomerStatus, Severity, WaitingOn } from './case-tables.ts'

/** Members that are left out stay as they are. */
export interface CasePatch {
  readonly severity?: Severity | null
  readonly assigneeUserId?: string | null
  /** Replaces all metadata; `setMetadata` sets some members, and null takes one away. */
  readonly metadata?: Record<string, unknown>
  readonly setMetadata?: Readonly<Record<string, unknown>>
  readonly waitingOn?: WaitingOn
  readonly customerStatus?: CustomerStatus
  /** Replaces all tags; `addTags` and `removeTags` change some. */
  readonly tags?: readonly string[]
  readonly addTags?: readonly string[]
  readonly removeTags?: readonly string[]
  readonly awareAt?: Date | null
  readonly deadlineAt?: Date | null
  readonly deadlinesMet?: readonly string[]
}

/** Why a change is refused at any version. */
export type ChangeRefusal =
  | 'case_is_merged'
  /** An ended case cannot wait for a party. */
  | 'case_has_ended'
  /** The customer was notified, and a notice cannot be taken back. */
  | 'customer_was_notified'
  | 'too_many_tags'
  | 'metadata_too_large'

export type CaseChangeResult =
  | { readonly kind: 'changed' | 'unchanged'; readonly case: CaseRow }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'stale'; readonly version: number }
  | { readonly kind: 'refused'; readonly reason: ChangeRefusal }

export interface CaseChangeRequest extends ChangeOrigin {
  readonly caseId: string
  /** The version the caller decided on; null takes the case as it is. */
  readonly expectedVersion: number | null
  readonly patch: CasePatch
}

// Metadata is for ids of other systems, not for documents.
export const METADATA_LIMITS = {
  depthMax: 8,
  valuesMax: 500,
  textLengthMax: 4_096,
  nameLengthMax: 256,
  totalLengthMax: 32_768,
}
// More than a person reads; it bounds the row.
const TAGS_MAX = 100

/** Changes one case. A patch that changes nothing writes nothing. */
export async function changeCase(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  request: CaseChangeRequest,
): Promise<CaseChangeResult> {
  const [result] = await changeCases(tx, ids, scope, [request])
  return result ?? { kind: 'not_found' }
}

/** Changes cases, each named once. The results are in the order of the requests. */
export async function changeCases(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  requests: readonly CaseChangeRequest[],
): Promise<readonly CaseChangeResult[]> {
  const rows = await lockRows(
    tx,
    scope,
    requests.map((request) => request.caseId),
  )
  const entries: NewHistoryEntry[] = []
  const writes: CaseWrite[] = []
  const decisions = requests.map((request) => {
    const decided = decideChange(rows.get(request.caseId), request)
    if (decided.kind !== 'write') return decided
    const { next, changes } = decided
    entries.push({ caseId: next.id, kind: 'change', changes, ...pickOrigin(request) })
    writes.push({ next, at: request.at })
    return decided
  })
  const written = await writeRows(tx, scope, writes)
  await addHistory(tx, ids, scope, entries)
  return decisions.map((decided) => {
    if (decided.kind !== 'write') return decided
    const row = written.get(decided.next.id)
    if (row === undefined) throw new Error('a locked case was not written')
    return { kind: 'changed', case: row }
  })
}

type Decision =
  | Exclude<CaseChangeResult, { kind: 'changed' | 'unchanged' }>
  | { readonly kind: 'unchanged'; readonly case: CaseRow }
  | {
      readonly kind: 'write'
      readonly next: CaseRow
      readonly changes: Record<string, unknown>
    }

function decideChange(current: CaseRow | undefined, request: CaseChangeRequest): Decision {
  if (current === undefined) return { kind: 'not_found' }
  const { patch, expectedVersion } = request
  if (expectedVersion !== null && expectedVersion !== current.version) {
    return { kind: 'stale', version: current.version }
  }
  const next = applyPatch(current, patch)
  const changes = listChanges(current, next)
  if (Object.keys(changes).length === 0) return { kind: 'unchanged', case: current }
  const reason = findRefusal(current, next)
  return reason === null ? { kind: 'write', next, changes } : { kind: 'refused', reason }
}

function findRefusal(current: CaseRow, next: CaseRow): ChangeRefusal | null {
  if (current.close_reason === 'merged') return 'case_is_merged'
  if (next.waiting_on !== 'none' && !isOpenState(current.state)) return 'case_has_ended'
  const takesBack =
    next.customer_status === 'unnotified' && current.customer_status !== 'unnotified'
  if (takesBack) return 'customer_was_notified'
  if (next.tags.length > TAGS_MAX) return 'too_many_tags'
  return isMetadataWithinLimits(current, next) ? null : 'metadata_too_large'
}

function isMetadataWithinLimits(current: CaseRow, { metadata }: CaseRow): boolean {
  // Metadata that the change does not touch needs no check.
  if (metadata === current.metadata) return true
  const problems: FieldProblem[] = []
  checkJsonObject(metadata, '/metadata', METADATA_LIMITS, problems)
  return problems.length === 0
}

// `given` may be null, which removes the value.
const replace = <Value>(given: Value | undefined, present: Value): Value =>
  given === undefined ? present : given

function applyPatch(current: CaseRow, patch: CasePatch): CaseRow {
  const removed = new Set(patch.removeTags)
  const tags = new Set([...replace(patch.tags, current.tags), ...(patch.addTags ?? [])])
  return {
    ...current,
    severity: replace(patch.severity, current.severity),
    assignee_user_id: replace(patch.assigneeUserId, current.assignee_user_id),
    metadata: mergeMetadata(replace(patch.metadata, current.metadata), patch.setMetadata),
    waiting_on: replace(patch.waitingOn, current.waiting_on),
    customer_status: replace(patch.customerStatus, current.customer_status),
    tags: [...tags].filter((tag) => !removed.has(tag)),
    aware_at: replace(patch.awareAt, current.aware_at),
    deadline_at: replace(patch.deadlineAt, current.deadline_at),
    deadlines_met: [...replace(patch.deadlinesMet, current.deadlines_met)],
  }
}

function mergeMetadata(
  present: Record<string, unknown>,
  set: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> {
  if (set === undefined) return present
  const merged = Object.entries({ ...present, ...set }).filter(([, value]) => value !== null)
  return Object.fromEntries(merged)
}

/** The columns that a change may write. */
const CHANGEABLE_COLUMNS = [
  'severity',
  'assignee_user_id',
  'metadata',
  'waiting_on',
  'customer_status',
  'tags',
  'aware_at',
  'deadline_at',
  'deadlines_met',
] as const satisfies readonly (keyof CaseRow)[]

/** `{column: {from, to}}` of the columns that differ. */
function listChanges(current: CaseRow, next: CaseRow): Record<string, unknown> {
  const changes: Record<string, unknown> = {}
  for (const name of CHANGEABLE_COLUMNS) {
    if (JSON.stringify(current[name]) !== JSON.stringify(next[name])) {
      changes[name] = { from: current[name], to: next[name] }
    }
  }
  return changes
}

/** Why the patch would be refused for this case; null when it would be allowed. */
export function previewChange(current: CaseRow, patch: CasePatch): ChangeRefusal | null {
  const next = applyPatch(current, patch)
  const changesNothing = Object.keys(listChanges(current, next)).length === 0
  return changesNothing ? null : findRefusal(current, next)
}

/**
 * `{column: {from, to}}` of the columns that differ between two versions of a case, its state among
 * them.
 */
export function compareCases(before: CaseRow, after: CaseRow): Record<string, unknown> {
  const changes = listChanges(before, after)
  if (before.state === after.state) return changes
  return { state: { from: before.state, to: after.state }, ...changes }
}

interface CaseWrite {
  readonly next: CaseRow
  readonly at: Date
}

/** One statement for all: a batch of playbook steps changes 64 cases. The rows by id. */
async function writeRows(
  tx: Tx,
  { tenantId }: TenantScope,
  writes: readonly CaseWrite[],
): Promise<ReadonlyMap<string, CaseRow>> {
  if (writes.length === 0) return new Map()
  const rows = writes.map(({ next, at }) => {
    const columns = CHANGEABLE_COLUMNS.map((name) => [name, next[name]] as const)
    return { id: next.id, at, ...Object.fromEntries(columns) }
  })
  const written = await sql<CaseRow>`
    update abuse_case set severity = given.severity, assignee_user_id = given.assignee_user_id, metadata = given.metadata,
      waiting_on = given.waiting_on, customer_status = given.customer_status, tags = given.tags, aware_at = given.aware_at,
      deadline_at = given.deadline_at, deadlines_met = given.deadlines_met, version = abuse_case.version + 1, updated_at = given.at
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (
      id text, at timestamptz, severity text, assignee_user_id text, metadata jsonb, waiting_on text, customer_status text,
      tags text[], aware_at timestamptz, deadline_at timestamptz, deadlines_met text[])
    where abuse_case.tenant_id = ${tenantId} and abuse_case.id = given.id collate "C"
    returning abuse_case.*`.execute(tx)
  return new Map(written.rows.map((row) => [row.id, row]))
}
