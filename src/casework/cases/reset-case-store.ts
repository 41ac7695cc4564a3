// Sets a case back to how it was when it was opened, for a simulation, whose transaction is rolled
// back.

import { type RawBuilder, sql } from 'kysely'
import { seeTables, type Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { CaseRow, CaseTables } from './case-tables.ts'

/**
 * State, waiting party and status of the customer are those of every new case. Severity, assignee,
 * metadata, tags, deadlines are what the history says that they were before their first change. The
 * events of the case stay, and so do its counters. The caller has locked the case.
 */
export async function resetCase(
  tx: Tx,
  scope: TenantScope,
  { id, created_at: createdAt, version }: CaseRow,
): Promise<CaseRow> {
  const found = await sql<{ name: string; value: unknown }>`
    select distinct on (change.key) change.key as name, change.value -> 'from' as value
    from case_history, jsonb_each(case_history.changes) as change
    where case_history.tenant_id = ${scope.tenantId} and case_history.case_id = ${id} and case_history.kind = 'change'
    order by change.key, case_history.id`.execute(tx)
  // Only the members that were ever changed; the others are what they were at the beginning.
  const first = new Map(found.rows.map(({ name, value }) => [name, value]))
  const firstTime = (name: string): RawBuilder<Date | null> =>
    first.has(name) ? sql`${first.get(name)}::text::timestamptz` : sql`${sql.ref(name)}`
  const firstTexts = (name: string): RawBuilder<string[]> =>
    first.has(name) ? sql`${first.get(name)}::text[]` : sql`${sql.ref(name)}`
  const firstText = (name: string): RawBuilder<never> =>
    first.has(name) ? sql`${first.get(name)}::text` : sql`${sql.ref(name)}`
  return await seeTables<CaseTables>(tx)
    .updateTable('abuse_case')
    .set({
      state: 'NEW',
      resolution: null,
      close_reason: null,
      resolved_at: null,
      ended_at: null,
      sealed_at: null,
      reopen_count: 0,
      waiting_on: 'none',
      run_waits_for: null,
      customer_status: 'unnotified',
      severity: firstText('severity'),
      assignee_user_id: firstText('assignee_user_id'),
      tags: firstTexts('tags'),
      aware_at: firstTime('aware_at'),
      deadline_at: firstTime('deadline_at'),
      deadlines_met: firstTexts('deadlines_met'),
      ...(first.has('metadata') ? { metadata: JSON.stringify(first.get('metadata')) } : {}),
      version: version + 1,
      updated_at: createdAt,
    })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
