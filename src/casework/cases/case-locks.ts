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

/**
 * The groups among these that exist. None of them can be deleted until the transaction ends, so
 * that a case can be opened or reopened in them. The default group is never deleted and needs no
 * lock.
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

/** The group for events that match no other group. It always exists, is last, and is enabled. */
export const DEFAULT_GROUP_ID = 'default'
