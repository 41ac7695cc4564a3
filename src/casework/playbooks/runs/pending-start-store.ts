// SQL of starts that changes of cases ask for: they wait until their time of quiet is over, one for
// each case and playbook.

import { sql } from 'kysely'
import { inTransaction, type Tx } from '../../../kernel/db/database.ts'
import {
  type DueRows,
  forEachTenant,
  hasDueRows,
  type TenantPass,
  workByTenant,
} from '../../../kernel/db/due-tenants.ts'
import { moveTime } from '../../../kernel/db/move-time.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { startRuns } from './run-store.ts'

export interface StartingChange {
  readonly tenantId: string
  readonly caseId: string
  /** The state that the case has entered; null for a new event. */
  readonly toState: string | null
}

/**
 * Notes a start for each playbook that the group of a case names and whose active version asks for
 * it. A further event puts the start off by the time of quiet, but at most to a day after the
 * first. A start that is due at once, as of a change of state, is noted as of a day ago: no event
 * puts it off.
 */
export async function noteStarts(tx: Tx, changes: readonly StartingChange[]): Promise<void> {
  await forEachTenant(changes, async (tenantId, own) => {
    await sql`
      insert into pending_start (tenant_id, case_id, playbook_id, noted_at, due_at)
      select distinct on (asked.case_id, asked.playbook_id)
        asked.tenant_id, asked.case_id, asked.playbook_id,
        now() - (asked.seconds = 0)::integer * interval '24 hours', now() + asked.seconds * interval '1 second'
      from (
        select abuse_case.tenant_id, given.case_id, version.playbook_id,
          case when given.to_state is null then version.start_debounce else 0 end as seconds
        from unnest(
          ${own.map((change) => change.caseId)}::text[], ${own.map((change) => change.toState)}::text[]
        ) as given (case_id, to_state)
        join abuse_case on abuse_case.tenant_id = ${tenantId} and abuse_case.id = given.case_id
        join case_group on case_group.tenant_id = ${tenantId} and case_group.id = abuse_case.case_group_id
        join playbook_version as version on version.tenant_id = ${tenantId}
          and version.playbook_id = case_group.playbook_id and version.state = 'active'
        where case when given.to_state is null then version.start_debounce is not null
          else given.to_state = any(version.start_states) end
      ) as asked
      order by asked.case_id, asked.playbook_id, asked.seconds
      on conflict (tenant_id, case_id, playbook_id) do update
      set noted_at = least(pending_start.noted_at, excluded.noted_at),
        due_at = least(excluded.due_at, ${moveTime(sql`least(pending_start.noted_at, excluded.noted_at)`, sql`interval '24 hours'`)})`.execute(
      tx,
    )
  })
}

const STARTS_AT_ONCE = 500

const DUE_STARTS: DueRows = {
  table: 'pending_start',
  isDue: sql`due_at <= now()`,
  since: sql`due_at`,
}

/** Whether starts are due (kernel/db/due-poll.ts). */
export const HAS_DUE_STARTS = hasDueRows(DUE_STARTS)

/** Starts what is due. A case that runs the playbook already gets no second run of it. */
export async function startPending(
  pass: TenantPass,
  ids: IdSource,
): Promise<{ readonly started: number; readonly isMore: boolean }> {
  const { db } = pass
  let started = 0
  const { isMore } = await workByTenant(pass, DUE_STARTS, STARTS_AT_ONCE, (tenantId, limit) =>
    inTransaction(db, async (tx) => {
      const taken = await takeStarts(tx, { tenantId }, limit)
      // Retention or an erasure may have removed the case meanwhile.
      const known = taken.filter(({ isThere }) => isThere)
      if (known.length === 0) return taken.length
      const runs = await startRuns(tx, ids, { tenantId }, known, 'change')
      started += runs.length
      return taken.length
    }),
  )
  return { started, isMore }
}

interface TakenStart {
  readonly caseId: string
  readonly playbookId: string
  readonly isThere: boolean
}

async function takeStarts(
  tx: Tx,
  { tenantId }: TenantScope,
  limit: number,
): Promise<readonly TakenStart[]> {
  const due = await sql<TakenStart>`
    with due as (
      select case_id, playbook_id from pending_start where tenant_id = ${tenantId} and due_at <= now()
      order by due_at limit ${limit} for update skip locked
    )
    delete from pending_start using due
    where pending_start.tenant_id = ${tenantId} and pending_start.case_id = due.case_id
      and pending_start.playbook_id = due.playbook_id
    returning pending_start.case_id as "caseId",
      pending_start.playbook_id as "playbookId", exists (
        select from abuse_case where abuse_case.tenant_id = ${tenantId} and abuse_case.id = pending_start.case_id
      ) as "isThere"`.execute(tx)
  return due.rows
}
