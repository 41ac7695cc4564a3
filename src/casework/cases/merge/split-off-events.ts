// Splitting a case: some of its events become a new case. The new case has a key of its own, so
// that later events still join the case that was split.

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { inTransaction, type Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { countEvents, writeCounters } from '../case-counters-store.ts'
import { addHistory, type ChangeOrigin, pickOrigin } from '../case-history-store.ts'
import { lockCases } from '../case-locks.ts'
import { raiseVersion, requireCase } from '../case-store.ts'
import type { CaseRow } from '../case-tables.ts'
import {
  caseGroupDeleted,
  caseIsMerged,
  caseNotFound,
  changeNotValid,
  mergeNotAllowed,
} from '../errors.ts'
import { lockExistingCaseGroups, setOpenCases } from '../open-case-store.ts'
import type { EventMoves, MergeDeps, SplitChoice } from './merge-deps.ts'
import { MOVED_EVENTS_MAX } from './merge-into-case.ts'

export interface SplitCommand extends ChangeOrigin {
  readonly caseId: string
  readonly choice: SplitChoice
}

/** The new case. Throws the operating errors of 400, 404 and 409. */
export async function splitCase(
  { db, ids, eventMoves, legalHolds }: Omit<MergeDeps, 'endRuns'>,
  scope: TenantScope,
  command: SplitCommand,
): Promise<CaseRow> {
  return await inTransaction(db, async (tx) => {
    await legalHolds.prepare(tx, scope)
    const newId = `C-${ids.nextUuid().toUpperCase()}`
    // A key that is not made of event members, so that no event ever has it.
    const keyHash = createHash('sha256').update(`split ${newId}`).digest('hex')
    const source = (await lockCases(tx, scope, [command.caseId])).get(command.caseId)
    if (source === undefined) throw caseNotFound()
    if (source.close_reason === 'merged') throw caseIsMerged()
    const moved = await checkChoice(tx, eventMoves, scope, source, command.choice)
    const groups = await lockExistingCaseGroups(tx, scope, [source.case_group_id])
    if (!groups.has(source.case_group_id)) throw caseGroupDeleted()
    await insertSplit(tx, source, newId, keyHash, command.at)
    const key = { caseGroupId: source.case_group_id, keyHash }
    await setOpenCases(tx, scope, [{ ...key, caseId: newId }])
    await eventMoves.moveChosen(tx, scope, source.id, newId, command.choice)
    await raiseVersion(tx, source, command.at)
    await writeCounters(tx, scope, [source.id, newId])
    const entry = pickOrigin(command)
    await addHistory(tx, ids, scope, [
      {
        ...entry,
        caseId: newId,
        kind: 'open',
        toState: 'NEW',
        changes: { split_from: source.id, event_count: moved },
      },
      {
        ...entry,
        caseId: source.id,
        kind: 'split',
        changes: { into: newId, event_count: moved },
      },
    ])
    await legalHolds.extend(tx, ids, scope, { from: source.id, to: [newId], origin: command })
    return await requireCase(tx, scope, newId)
  })
}

async function checkChoice(
  tx: Tx,
  { countChosen }: EventMoves,
  scope: TenantScope,
  source: CaseRow,
  choice: SplitChoice,
): Promise<number> {
  const chosen = await countChosen(tx, scope, source.id, choice)
  const path = 'eventIds' in choice ? '/event_ids' : '/filter'
  if ('eventIds' in choice && chosen < choice.eventIds.length) {
    throw changeNotValid({ path, reason: 'names an event that is not in this case' })
  }
  if (chosen === 0) throw changeNotValid({ path, reason: 'matches no event of this case' })
  const [all] = await countEvents(tx, scope, [source.id])
  if (chosen === all?.eventCount) {
    throw mergeNotAllowed('all events of the case would move, and none would be left')
  }
  if (chosen > MOVED_EVENTS_MAX) {
    throw mergeNotAllowed(`${chosen} events would move, and at most ${MOVED_EVENTS_MAX} do at once`)
  }
  return chosen
}

// The new case has the same customer and severity, and the legal deadlines go on from the old case.
async function insertSplit(
  tx: Tx,
  source: CaseRow,
  newId: string,
  keyHash: string,
  at: Date,
): Promise<void> {
  await sql`
    insert into abuse_case (tenant_id, id, case_group_id, key_hash, state, created_at, updated_at, customer_id, contract_id,
      event_count, first_event_date, last_event_date, event_types, event_ips, event_reporters, event_tags, severity,
      assignee_user_id, tags, laws, aware_at)
    select tenant_id, ${newId}, case_group_id, decode(${keyHash}, 'hex'), 'NEW', ${at}, ${at}, customer_id, contract_id,
      0, first_event_date, last_event_date, '{}', '{}', '{}', '{}', severity, assignee_user_id, tags, laws,
      coalesce(aware_at, created_at)
    from abuse_case where tenant_id = ${source.tenant_id} and id = ${source.id}`.execute(tx)
}
