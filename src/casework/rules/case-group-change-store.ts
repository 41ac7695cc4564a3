// SQL that writes case groups: new groups, changes, their order, deletion, and the cases that
// forbid a deletion.

import { sql } from 'kysely'
import { seeTables, type Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { DEFAULT_GROUP_ID } from '../cases/case.ts'
import { type CaseGroup } from './case-group.ts'
import { type CaseGroupTables, listCaseGroups } from './case-group-store.ts'

/**
 * All groups of the tenant in their order. No other transaction changes any of them until this one
 * ends: all take the lock of the last group.
 */
export async function lockCaseGroups(tx: Tx, scope: TenantScope): Promise<readonly CaseGroup[]> {
  // Stores the shipped groups of a new tenant, or there would be no last group to lock.
  await listCaseGroups(tx, scope)
  await sql`
    select from case_group where tenant_id = ${scope.tenantId} and id = ${DEFAULT_GROUP_ID} for update`.execute(
    tx,
  )
  return await listCaseGroups(tx, scope)
}

export async function insertCaseGroup(tx: Tx, scope: TenantScope, group: CaseGroup): Promise<void> {
  await seeTables<CaseGroupTables>(tx)
    .insertInto('case_group')
    .values({ tenant_id: scope.tenantId, id: group.id, position: group.position, ...write(group) })
    .execute()
}

/** Writes every member but the position. */
export async function updateCaseGroup(tx: Tx, scope: TenantScope, group: CaseGroup): Promise<void> {
  await seeTables<CaseGroupTables>(tx)
    .updateTable('case_group')
    .set(write(group))
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', group.id)
    .execute()
}

function write(group: CaseGroup) {
  const { policy } = group
  return {
    name: group.name,
    description: group.description,
    is_enabled: group.isEnabled,
    xarf_classes: group.xarfClasses === null ? null : [...group.xarfClasses],
    key_fields: [...group.keyFields],
    condition: group.condition,
    threshold_events: policy.thresholdEvents,
    threshold_reporters: policy.thresholdReporters,
    threshold_window_seconds: policy.thresholdWindowSeconds,
    max_age_seconds: policy.maxAgeSeconds,
    max_gap_seconds: policy.maxGapSeconds,
    relapse: policy.relapse,
    relapse_window_seconds: policy.relapseWindowSeconds,
    late_event: policy.lateEvent,
    severity_rules: group.severityRules === null ? null : JSON.stringify(group.severityRules),
    severity: group.severity,
    playbook_id: group.playbookId,
  }
}

/**
 * Gives the groups of these ids the positions 1, 2, 3 …; the last group of a tenant has a far
 * higher one. Positions are unique, so the groups first move out of the way.
 */
export async function orderCaseGroups(
  tx: Tx,
  scope: TenantScope,
  groupIds: readonly string[],
): Promise<void> {
  const moved = sql`case_group.tenant_id = ${scope.tenantId} and case_group.id = any(${[...groupIds]}::text[])`
  await sql`update case_group set position = -1 - position where ${moved} and position >= 0`.execute(
    tx,
  )
  await sql`
    update case_group set position = given.position
    from unnest(${[...groupIds]}::text[]) with ordinality as given (id, position)
    where ${moved} and case_group.id = given.id`.execute(tx)
}

/**
 * Waits for transactions that open a case of the group, and lets no other open one until this
 * transaction ends. They lock the same row (cases/case-locks.ts).
 */
export async function lockCaseGroup(tx: Tx, scope: TenantScope, groupId: string): Promise<void> {
  await sql`
    select from case_group where tenant_id = ${scope.tenantId} and id = ${groupId} for update`.execute(
    tx,
  )
}

/** Whether any case names the group; the group itself may have been deleted. */
export async function hasCasesOfGroup(
  tx: Tx,
  scope: TenantScope,
  groupId: string,
): Promise<boolean> {
  const result = await sql`
    select from abuse_case where tenant_id = ${scope.tenantId} and case_group_id = ${groupId} limit 1`.execute(
    tx,
  )
  return result.rows.length > 0
}

/** An open case of the group; null when it has none. */
export async function findOpenCaseOfGroup(
  tx: Tx,
  scope: TenantScope,
  groupId: string,
): Promise<string | null> {
  const result = await sql<{ id: string }>`
    select id from abuse_case
    where tenant_id = ${scope.tenantId} and case_group_id = ${groupId} and ended_at is null limit 1`.execute(
    tx,
  )
  return result.rows[0]?.id ?? null
}

export async function deleteCaseGroup(tx: Tx, scope: TenantScope, groupId: string): Promise<void> {
  await sql`delete from case_group where tenant_id = ${scope.tenantId} and id = ${groupId}`.execute(
    tx,
  )
}
