// Locks of cases that are about to change, and of the groups in which cases are opened.

import { sql } from 'kysely'
import { seeTables, type Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { CaseState } from './case-state.ts'
import type { CaseRow, CaseTables } from './case-tables.ts'
import { lockCorrelation } from './open-case-store.ts'

/**
 * Takes the correlation lock and locks the cases until the transaction ends. The rows by id; cases
 * that the tenant does not have are left out.
 */
export async function lockCases(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<ReadonlyMap<string, CaseRow>> {
  await lockCorrelation(tx, scope)
  return await lockRows(tx, scope, [...new Set(caseIds)])
}

interface LockedMove {
  readonly target: CaseState
  /** False refuses to open an ended case again. */
  readonly mayReopen?: boolean
}

/**
 * Whether a move may end a case or open it again, and so change which case is open for a key. Any
 * other move needs the row of its case only.
 */
export function needsCorrelationLock({ target, mayReopen = true }: LockedMove): boolean {
  return target !== 'IN_PROGRESS' || mayReopen
}

/** As lockCases, for moves; without the correlation lock where none of them needs it. */
export async function lockForMoves(
  tx: Tx,
  scope: TenantScope,
  moves: readonly (LockedMove & { readonly caseId: string })[],
): Promise<ReadonlyMap<string, CaseRow>> {
  const lock = moves.some(needsCorrelationLock) ? lockCases : lockRows
  return await lock(tx, scope, [...new Set(moves.map(({ caseId }) => caseId))])
}

/** Locks cases in the order of their ids until the transaction ends. The rows by id. */
export async function lockRows(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<ReadonlyMap<string, CaseRow>> {
  const rows = await seeTables<CaseTables>(tx)
    .selectFrom('abuse_case')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', sql<string>`any(${[...caseIds]}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
