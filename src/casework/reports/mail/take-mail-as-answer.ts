// Takes a mail over as an answer because a person says so: where the key is missing or expired, the
// sender is foreign, or the mail answers a digest. The person decides what decide-answer.ts left
// open, and whether a run goes on by it.

import { inTransaction, type Tx } from '../../../kernel/db/database.ts'
import type { ReadLetter } from '../../../reader/reading.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { ChangeOrigin } from '../../cases/case-history-store.ts'
import type { Actor, CaseRow } from '../../cases/case-tables.ts'
import { findCommentOfReport } from '../../cases/comments/comment-store.ts'
import {
  answerTakesNoPath,
  caseNotFound,
  rawReportNotKept,
  reportIsCorrected,
  reportIsNoAnswer,
  reportNotFound,
  reportNotReadYet,
} from '../../cases/errors.ts'
import type { NoticeParty } from '../../notices/notice.ts'
import {
  findReplyComment,
  insertReply,
  type RepliedNotice,
  setReplyComment,
} from '../../notices/notice-reply-store.ts'
import { isContactOf } from '../../notices/record-bounce.ts'
import { type AnswerResult, acceptAnswer } from '../../playbooks/runs/accept-answer.ts'
import { findKeptReport, type KeptReport, lockVerdict } from '../kept-report-store.ts'
import { findReport } from '../report-store.ts'
import { addAnswer, findRootCase } from './add-answer.ts'
import { findReplied, isMailChannel } from './find-replied.ts'
import { hashMail, type ReplyDeps, writeTaken } from './take-reply.ts'

interface MailCommand {
  readonly reportId: string
  /** Null where the mail names its case itself. */
  readonly caseId: string | null
  /** Null for whoever the sender is by what we know of him. */
  readonly party: NoticeParty | null
  /** A run that waits for an answer of this party goes on. */
  readonly takesPath: boolean
  readonly actor: Actor
}

interface TakenAnswer {
  readonly caseId: string
  readonly commentId: string
  readonly party: NoticeParty
  /** It was taken before, and nothing was changed now. */
  readonly isRepeated: boolean
  readonly trigger: TakenPath | null
}

type TakenPath = Extract<AnswerResult, { kind: 'accepted' }>

export type TakeMailAsAnswer = (scope: TenantScope, command: MailCommand) => Promise<TakenAnswer>

/** Throws an operating error, and stores nothing, when the mail cannot be taken. */
export function createMailAsAnswer(deps: ReplyDeps): TakeMailAsAnswer {
  return async (scope, command) => {
    const { reportId } = command
    if ((await findReport(deps.db, scope, reportId)) === null) throw reportNotFound()
    const kept = await findKeptReport(deps.db, scope, reportId)
    const letter = kept === null ? null : await readMail(deps, kept)
    const taken = await inTransaction(deps.db, (tx) =>
      takeOnce(
        tx,
        deps,
        scope,
        command,
        kept === null || letter === null ? null : { kept, letter },
      ),
    )
    if (!taken.isRepeated) deps.countReply({ kind: 'by_hand' })
    if (taken.trigger !== null) deps.wakeWorkers()
    return taken
  }
}

interface ReadMail {
  readonly kept: KeptReport
  readonly letter: ReadLetter
}

async function readMail(deps: ReplyDeps, kept: KeptReport): Promise<ReadLetter> {
  const letter = isMailChannel(kept.via) ? await deps.readLetter(kept.bytes) : null
  if (letter === null) throw reportIsNoAnswer('it did not come as a mail')
  return letter
}

async function takeOnce(
  tx: Tx,
  deps: ReplyDeps,
  scope: TenantScope,
  command: MailCommand,
  mail: ReadMail | null,
): Promise<TakenAnswer> {
  const verdict = await lockVerdict(tx, scope, command.reportId)
  if (verdict === null) throw reportNotFound()
  const named = await findNamedCase(tx, scope, command)
  const before = await findCommentOfReport(tx, scope, command.reportId)
  if (before !== null) return await repeat(tx, scope, before, named)
  if (verdict.isUnread) throw reportNotReadYet()
  if (verdict.version > 1) throw reportIsCorrected()
  if (verdict.state === 'accepted') {
    throw reportIsNoAnswer('it was accepted as a report, or as a bounce or complaint')
  }
  if (mail === null) throw rawReportNotKept()
  return await takeMail(tx, deps, scope, command, mail, named)
}

async function findNamedCase(
  tx: Tx,
  scope: TenantScope,
  { caseId }: MailCommand,
): Promise<CaseRow | null> {
  if (caseId === null) return null
  const row = await findRootCase(tx, scope, caseId)
  if (row === null) throw caseNotFound()
  return row
}

type EarlierComment = NonNullable<Awaited<ReturnType<typeof findCommentOfReport>>>

async function repeat(
  tx: Tx,
  scope: TenantScope,
  { id: commentId, caseId, party }: EarlierComment,
  named: CaseRow | null,
): Promise<TakenAnswer> {
  const current = await findRootCase(tx, scope, caseId)
  if (named !== null && current !== null && named.id !== current.id) {
    throw reportIsNoAnswer(`it is a comment of the case ${current.id} already`)
  }
  return { caseId, commentId, party: party ?? 'other', isRepeated: true, trigger: null }
}

async function takeMail(
  tx: Tx,
  deps: ReplyDeps,
  scope: TenantScope,
  command: MailCommand,
  mail: ReadMail,
  named: CaseRow | null,
): Promise<TakenAnswer> {
  const { kept, letter } = mail
  const replied = await findReplied(tx, deps.domains, scope, kept, letter)
  const notice = replied.notice ?? null
  const tagged = replied.kind === 'tagged' ? replied.caseId : null
  const caseRow = named ?? (await findRootCase(tx, scope, notice?.caseId ?? tagged))
  if (caseRow === null) {
    throw reportIsNoAnswer('it names no case, so the request must name one as case_id')
  }
  const isAutomatic = kept.from === '' || letter.automatic !== null
  const kind: 'automatic' | 'answer' = isAutomatic ? 'automatic' : 'answer'
  const party = command.party ?? (await chooseParty(tx, scope, letter.from, notice, caseRow))
  const { id: reportId } = kept
  const { id: caseId } = caseRow
  const mailHash = hashMail(mail)
  if (notice !== null) {
    const reply = { noticeId: notice.id, kind, caseId, reportId, commentId: null, status: null }
    const isNew = await insertReply(tx, scope, mailHash, reply)
    const commentId = isNew ? null : await findReplyComment(tx, scope, notice.id, mailHash)
    if (commentId !== null) {
      await writeTaken(tx, scope, { kept, authentication: null }, kind)
      return { caseId, commentId, party, isRepeated: true, trigger: null }
    }
  }
  await writeTaken(tx, scope, { kept, authentication: null }, kind)
  const origin = {
    actor: command.actor,
    at: new Date(deps.clock.nowMs()),
    reason: 'A person took the mail over as an answer.',
    causeId: reportId,
  }
  const trigger = command.takesPath
    ? await takePath(tx, deps, scope, { caseId, party, notice, origin })
    : null
  const commentId = await addAnswer(tx, deps.ids, scope, {
    caseId,
    party,
    isAutomatic,
    letter,
    reportId,
    hasSignal: trigger !== null,
    origin,
  })
  if (notice !== null) await setReplyComment(tx, scope, notice.id, mailHash, commentId)
  return { caseId, commentId, party, isRepeated: false, trigger }
}

/** The party of the notice for its recipient; customer for a contact; else neither of them. */
async function chooseParty(
  tx: Tx,
  scope: TenantScope,
  sender: string | null,
  notice: RepliedNotice | null,
  { customer_id: customerId }: CaseRow,
): Promise<NoticeParty> {
  if (sender === null) return 'other'
  if (notice !== null && sender === notice.recipient.toLowerCase()) return notice.party
  if (customerId === null) return 'other'
  return (await isContactOf(tx, scope, customerId, sender)) ? 'customer' : 'other'
}

interface PathWanted {
  readonly caseId: string
  readonly party: NoticeParty
  readonly notice: RepliedNotice | null
  readonly origin: ChangeOrigin
}

/** Before the case is locked: see `acceptAnswer`. */
async function takePath(
  tx: Tx,
  deps: ReplyDeps,
  scope: TenantScope,
  { caseId, party, notice, origin: { actor, causeId } }: PathWanted,
): Promise<TakenPath> {
  if (party === 'other') {
    throw answerTakesNoPath('no node waits for somebody who is neither customer nor reporter')
  }
  const result = await acceptAnswer(tx, deps, scope, {
    caseId,
    party,
    noticeCreatedBy: notice?.createdBy ?? '',
    actor,
    causeId: causeId ?? '',
  })
  switch (result.kind) {
    case 'accepted':
      return result
    case 'none':
      throw answerTakesNoPath(`no node of the case waits for an answer of the ${party}`)
    case 'several_runs':
      throw answerTakesNoPath('several runs of the case wait for an answer')
  }
}
