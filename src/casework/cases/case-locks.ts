// Locks of cases that are about to change, and of the groups in which cases are opened.

import { sql } from 'kysely'
import { seeTables, type Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
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
