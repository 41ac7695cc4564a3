// SQL of `waiting_on` as the runs of a case set it (migration 0038). The last to say it wins: a run
// that comes to wait sets it, a person may change it, and a run that goes on takes back only what
// runs have set.

import { sql } from 'kysely'
import type { Tx } from '../../kernel/db/database.ts'
import { writeTexts, writeWords } from '../../kernel/db/write-arrays.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { addHistory, type ChangeOrigin, pickOrigin } from './case-history-store.ts'
import { lockRows } from './case-locks.ts'
import { isOpenState } from './case-state.ts'
import type { CaseRow, WaitingOn } from './case-tables.ts'

export interface RunWait extends ChangeOrigin {
  readonly caseId: string
  /** Whom the runs of the case wait for now; null for nobody. */
  readonly waitsFor: WaitingOn | null
  /** What a run that has just come to wait, or failed, says; null when runs only went on. */
  readonly arrivesFor: WaitingOn | null
}

/** One change a case, with its history. An ended case waits for nobody until it is reopened. */
export async function writeRunWaits(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  waits: readonly RunWait[],
): Promise<void> {
  const rows = await lockRows(
    tx,
    scope,
    waits.map(({ caseId }) => caseId),
  )
  const changes = waits.flatMap((wait) => {
    const row = rows.get(wait.caseId)
    if (row === undefined) return []
    const waitingOn = decideWaitingOn(row, wait)
    const isSame = row.run_waits_for === wait.waitsFor && row.waiting_on === waitingOn
    return isSame ? [] : [{ wait, row, waitingOn }]
  })
  if (changes.length === 0) return
  await sql`
    update abuse_case set run_waits_for = given.run_waits_for, waiting_on = given.waiting_on,
      version = abuse_case.version + given.raised, updated_at = case when given.raised = 0 then abuse_case.updated_at else given.at end
    from unnest(
      ${writeTexts(changes.map(({ wait }) => wait.caseId))}::text[], ${writeTexts(changes.map(({ wait }) => wait.waitsFor))}::text[],
      ${writeTexts(changes.map(({ waitingOn }) => waitingOn))}::text[],
      ${writeWords(changes.map(({ row, waitingOn }) => (row.waiting_on === waitingOn ? 0 : 1)))}::integer[],
      ${writeWords(changes.map(({ wait }) => wait.at.toISOString()))}::timestamptz[]
    ) as given (id, run_waits_for, waiting_on, raised, at)
    where abuse_case.tenant_id = ${scope.tenantId} and abuse_case.id = given.id collate "C"`.execute(
    tx,
  )
  const shown = changes.filter(({ row, waitingOn }) => row.waiting_on !== waitingOn)
  await addHistory(
    tx,
    ids,
    scope,
    shown.map(({ wait, row, waitingOn }) => ({
      caseId: wait.caseId,
      kind: 'change' as const,
      changes: { waiting_on: { from: row.waiting_on, to: waitingOn } },
      ...pickOrigin(wait),
    })),
  )
}

function decideWaitingOn(row: CaseRow, { waitsFor, arrivesFor }: RunWait): WaitingOn {
  if (!isOpenState(row.state)) return row.waiting_on
  if (arrivesFor !== null) return arrivesFor
  // Somebody else has changed it since.
  if (row.waiting_on !== row.run_waits_for) return row.waiting_on
  return waitsFor ?? 'none'
}
