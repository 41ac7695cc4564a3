// SQL of starts that changes of cases ask for: they wait until their time of quiet is over, one for
// each case and playbook.

import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../../kernel/db/database.ts'
import { inTenant } from '../../../kernel/db/row-scope.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import { startRuns } from './run-store.ts'

export interface StartingChange {
  readonly tenantId: string
  readonly caseId: string
  /** The state that the case has entered; null for a new event. */
  readonly toState: string | null
}

/** Starts for those playbooks of the groups of the cases whose active versions ask for it. */
export async function noteStarts(tx: Tx, changes: readonly StartingChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`
    insert into pending_start (tenant_id, case_id, playbook_id, due_at)
    select distinct on (asked.tenant_id, asked.case_id, asked.playbook_id)
      asked.tenant_id, asked.case_id, asked.playbook_id, now() + asked.seconds * interval '1 second'
    from (
      select given.tenant_id, given.case_id, version.playbook_id,
        case when given.to_state is null then version.start_debounce else 0 end as seconds
      from unnest(
        ${changes.map((change) => change.tenantId)}::text[], ${changes.map((change) => change.caseId)}::text[],
        ${changes.map((change) => change.toState)}::text[]
      ) as given (tenant_id, case_id, to_state)
      join abuse_case on abuse_case.tenant_id = given.tenant_id and abuse_case.id = given.case_id
      join case_group on case_group.tenant_id = abuse_case.tenant_id and case_group.id = abuse_case.case_group_id
      join playbook_version as version on version.tenant_id = case_group.tenant_id
        and version.playbook_id = case_group.playbook_id and version.state = 'active'
      where case when given.to_state is null then version.start_debounce is not null
        else given.to_state = any(version.start_states) end
    ) as asked
    order by asked.tenant_id, asked.case_id, asked.playbook_id, asked.seconds
    on conflict (tenant_id, case_id, playbook_id) do update
    set due_at = least(excluded.due_at, pending_start.noted_at + interval '1 day')`.execute(tx)
}

const STARTS_AT_ONCE = 500

/** Whether starts are due (kernel/db/due-poll.ts). */
export const HAS_DUE_STARTS = sql<boolean>`exists (select from pending_start where due_at <= now())`

/** Starts what is due. A case that runs the playbook already gets no second run of it. */
export async function startPending(
  db: Db,
  ids: IdSource,
): Promise<{ readonly started: number; readonly isMore: boolean }> {
  return await inTransaction(db, async (tx) => {
    const due = await sql<{
      tenantId: string
      caseId: string
      playbookId: string
      isThere: boolean
    }>`
      with due as (
        select tenant_id, case_id, playbook_id from pending_start where due_at <= now()
        order by due_at limit ${STARTS_AT_ONCE} for update skip locked
      )
      delete from pending_start using due
      where pending_start.tenant_id = due.tenant_id and pending_start.case_id = due.case_id
        and pending_start.playbook_id = due.playbook_id
      returning pending_start.tenant_id as "tenantId", pending_start.case_id as "caseId",
        pending_start.playbook_id as "playbookId", exists (
          select from abuse_case where abuse_case.tenant_id = pending_start.tenant_id and abuse_case.id = pending_start.case_id
        ) as "isThere"`.execute(tx)
    // Retention or an erasure may have removed the case meanwhile.
    const known = due.rows.filter(({ isThere }) => isThere)
    let started = 0
    for (const [tenantId, cases] of Map.groupBy(known, (row) => row.tenantId)) {
      // One after the other on one connection.
      // oxlint-disable-next-line eslint/no-await-in-loop
      const runs = await inTenant({ tenantId }, () =>
        startRuns(tx, ids, { tenantId }, cases, 'change'),
      )
      started += runs.length
    }
    return { started, isMore: due.rows.length === STARTS_AT_ONCE }
  })
}
