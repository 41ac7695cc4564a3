// Some events of a case become a case of their own. Its key is its own too, so what arrives later
// goes on joining the first one.

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { inTransaction, type Tx } from '../../../kernel/db/database.ts'
import type { Foundation } from '../../../kernel/foundation.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { extendHold, prepareToExtend } from '../../privacy/legal-holds/legal-holds-of-cases.ts'
import { addHistory } from '../case-history-store.ts'
import { holdCaseGroups, lockCases } from '../case-locks.ts'
import { type ChangeOrigin, findCase, pickOrigin } from '../case-store.ts'
import type { CaseRow } from '../case-tables.ts'
import {
  caseGroupDeleted,
  caseIsMerged,
  caseNotFound,
  changeNotValid,
  mergeNotAllowed,
} from '../errors.ts'
import { setOpenCases } from '../open-case-store.ts'
import { countEvents, writeCounters } from '../recount-store.ts'
import { MOVED_EVENTS_MAX } from './merge-into-case.ts'
import {
  countChosenEvents,
  moveChosenEvents,
  raiseVersion,
  type SplitChoice,
} from './merge-store.ts'

export interface SplitWish extends ChangeOrigin {
  readonly caseId: string
  readonly choice: SplitChoice
}

/** The new case. Throws the operating errors of 400, 404 and 409. */
export async function splitCase(
  { database, ids }: Pick<Foundation, 'database' | 'ids'>,
  scope: TenantScope,
  wish: SplitWish,
): Promise<CaseRow> {
  return await inTransaction(database.kysely, async (tx) => {
    await prepareToExtend(tx, scope)
    const newId = `C-${ids.nextUuid().toUpperCase()}`
    // Of nothing that an event says: no event ever has this key.
    const keyHash = createHash('sha256').update(`split ${newId}`).digest('hex')
    const source = (await lockCases(tx, scope, [wish.caseId])).get(wish.caseId)
    if (source === undefined) throw caseNotFound()
    if (source.close_reason === 'merged') throw caseIsMerged()
    const moved = await checkChoice(tx, scope, source, wish.choice)
    const groups = await holdCaseGroups(tx, scope, [source.case_group_id])
    if (!groups.has(source.case_group_id)) throw caseGroupDeleted()
    await insertSplit(tx, source, newId, keyHash, wish.at)
    const key = { caseGroupId: source.case_group_id, keyHash }
    await setOpenCases(tx, scope, [{ ...key, caseId: newId }])
    await moveChosenEvents(tx, scope, source.id, newId, wish.choice)
    await raiseVersion(tx, source, wish.at)
    await writeCounters(tx, scope, [source.id, newId])
    const entry = pickOrigin(wish)
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
    await extendHold(tx, ids, scope, { from: source.id, to: [newId], origin: wish })
    const row = await findCase(tx, scope, newId)
    if (row === null) throw caseNotFound()
    return row
  })
}

async function checkChoice(
  tx: Tx,
  scope: TenantScope,
  source: CaseRow,
  choice: SplitChoice,
): Promise<number> {
  const chosen = await countChosenEvents(tx, scope, source.id, choice)
  const path = 'eventIds' in choice ? '/event_ids' : '/filter'
  if ('eventIds' in choice && chosen < choice.eventIds.length) {
    throw changeNotValid({ path, reason: 'names what is no event of this case' })
  }
  if (chosen === 0) throw changeNotValid({ path, reason: 'matches no event of this case' })
  const [all] = await countEvents(tx, scope, [source.id])
  if (chosen === all?.eventCount) {
    throw mergeNotAllowed('all events of the case would go, and none be left')
  }
  if (chosen > MOVED_EVENTS_MAX) {
    throw mergeNotAllowed(`${chosen} events would move, and at most ${MOVED_EVENTS_MAX} do at once`)
  }
  return chosen
}

// It is about the same customer and as urgent, and the clocks of the law go on.
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
      assignee_user_id, tags, aware_at)
    select tenant_id, ${newId}, case_group_id, decode(${keyHash}, 'hex'), 'NEW', ${at}, ${at}, customer_id, contract_id,
      0, first_event_date, last_event_date, '{}', '{}', '{}', '{}', severity, assignee_user_id, tags,
      coalesce(aware_at, created_at)
    from abuse_case where tenant_id = ${source.tenant_id} and id = ${source.id}`.execute(tx)
}
