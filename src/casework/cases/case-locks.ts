// Locks of cases that are about to move, and of the groups that cases are opened in.

import { sql } from 'kysely'
import { seeTables, type Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { CaseRow, CaseTables } from './case-tables.ts'
import { lockCorrelation } from './open-case-store.ts'

/**
 * Takes the correlation lock and locks the cases until the transaction ends. By id; cases that the
 * tenant does not have are left out.
 */
export async function lockCases(
  tx: Tx,
  scope: TenantScope,
  caseIds: readonly string[],
): Promise<ReadonlyMap<string, CaseRow>> {
  await lockCorrelation(tx, scope)
  return await lockRows(tx, scope, [...new Set(caseIds)])
}

/** Locks the cases in the order of their ids until the transaction ends; by id. */
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

/**
 * Those of these groups that are there, and none of them is deleted until the transaction ends:
 * asked before a case of them is opened, or opened again. The group that takes everything is never
 * deleted, and costs no statement.
 */
export async function lockExistingCaseGroups(
  tx: Tx,
  scope: TenantScope,
  groupIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const others = [...new Set(groupIds)].filter((id) => id !== DEFAULT_GROUP_ID)
  const always = groupIds.includes(DEFAULT_GROUP_ID) ? [DEFAULT_GROUP_ID] : []
  if (others.length === 0) return new Set(always)
  const result = await sql<{ id: string }>`
    select id from case_group where tenant_id = ${scope.tenantId} and id = any(${others}::text[])
    order by id for key share`.execute(tx)
  return new Set([...always, ...result.rows.map((row) => row.id)])
}

/** The group that takes what no other took: always there, always last, always on. */
export const DEFAULT_GROUP_ID = 'default'
