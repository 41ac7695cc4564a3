// Adds an answer by mail to its case: the comment, marked as the text of a stranger, and what the
// answer means for the case.

import { RetryTransaction, type Tx } from '../../../kernel/db/database.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { ReadLetter } from '../../../reader/reading.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { changeCase } from '../../cases/case-change-store.ts'
import type { ChangeOrigin } from '../../cases/case-history-store.ts'
import { lockRows } from '../../cases/case-locks.ts'
import { isOpenState } from '../../cases/case-state.ts'
import { findCase } from '../../cases/case-store.ts'
import type { CaseRow, CustomerStatus } from '../../cases/case-tables.ts'
import { findMergeRoots } from '../../cases/case-tree.ts'
import { addComment } from '../../cases/comments/comment-store.ts'
import type { NoticeParty } from '../../notices/notice.ts'

export interface NewAnswer {
  readonly caseId: string
  readonly party: NoticeParty
  /** A program wrote it, so nothing follows from it. */
  readonly isAutomatic: boolean
  readonly letter: ReadLetter
  /** The mail, kept like a report. */
  readonly reportId: string
  /** A run continues with the answer. It then sets for whom the case waits; this file does not. */
  readonly hasSignal: boolean
  readonly origin: ChangeOrigin
}

/**
 * Returns the id of the comment. It locks the case, so the caller locks runs and tokens before.
 * Throws `RetryTransaction` when the case was merged meanwhile.
 */
export async function addAnswer(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  answer: NewAnswer,
): Promise<string> {
  const { caseId, party, isAutomatic, letter, reportId, origin } = answer
  const row = await lockCase(tx, scope, caseId)
  const { id } = await addComment(tx, ids, scope, {
    ...origin,
    actor: { ...origin.actor, name: party },
    caseId,
    text: letter.text === '' ? NO_TEXT : letter.text,
    letter: { party, isAutomatic, quoted: letter.quoted, reportId, attachments: letter.parts },
  })
  if (!isAutomatic) await changeAnsweredCase(tx, ids, scope, row, answer)
  return id
}

const NO_TEXT = '(The mail has no text of its own.)'
const BEFORE_ANSWER: readonly CustomerStatus[] = ['unnotified', 'notified', 'bounced']

async function changeAnsweredCase(
  tx: Tx,
  ids: IdSource,
  scope: TenantScope,
  row: CaseRow,
  { party, hasSignal, origin }: NewAnswer,
): Promise<void> {
  const isWaiting = isOpenState(row.state) && row.waiting_on === party && !hasSignal
  const isSeen = party === 'customer' && BEFORE_ANSWER.includes(row.customer_status)
  await changeCase(tx, ids, scope, {
    ...origin,
    caseId: row.id,
    expectedVersion: null,
    patch: {
      // Somebody has to read it.
      ...(isWaiting ? { waitingOn: 'agent' as const } : {}),
      ...(isSeen ? { customerStatus: 'seen' as const } : {}),
    },
  })
}

export async function lockCase(tx: Tx, scope: TenantScope, caseId: string): Promise<CaseRow> {
  const row = (await lockRows(tx, scope, [caseId])).get(caseId)
  if (row === undefined || row.close_reason === 'merged') {
    throw new RetryTransaction('the case was merged meanwhile')
  }
  return row
}

/** The case, or the one at the end of its merges; not locked. Null when there is none. */
export async function findRootCase(
  tx: Tx,
  scope: TenantScope,
  caseId: string | null,
): Promise<CaseRow | null> {
  if (caseId === null) return null
  const root = (await findMergeRoots(tx, scope, [caseId])).get(caseId)
  return root === undefined ? null : await findCase(tx, scope, root.id)
}
