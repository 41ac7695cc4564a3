// Takes mails that come back for our notices: answers become comments of the case, bounces and
// complaints change the notice. Only the key of the notice proves that a mail belongs to it;
// decide-answer.ts says what else an answer needs.

import { createHash } from 'node:crypto'
import { type Db, inTransaction, type Tx } from '../../../kernel/db/database.ts'
import type { ReadLetter } from '../../../reader/reading.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { MailAuthentication } from '../../../vocabulary/mail-authentication.ts'
import type { ChangeOrigin } from '../../cases/case-history-store.ts'
import type { CaseRow } from '../../cases/case-tables.ts'
import { type ReplyDomains, readReplyAddress } from '../../notices/mail-identity.ts'
import type { CountReply } from '../../notices/notice-metrics.ts'
import {
  findNoticeOfKey,
  insertReply,
  type RepliedNotice,
  type ReplyKind,
  setReplyComment,
} from '../../notices/notice-reply-store.ts'
import { recordBounce, recordComplaint } from '../../notices/record-bounce.ts'
import { type AcceptAnswerDeps, acceptAnswer } from '../../playbooks/runs/accept-answer.ts'
import type { KeptReport } from '../kept-report-store.ts'
import type { NoticeReplies, ReplyEnd } from '../process-report.ts'
import { writeVerdict } from '../report-store.ts'
import { addAnswer, findRootCase, lockCase } from './add-answer.ts'
import { type AnswerFacts, decideAnswer } from './decide-answer.ts'
import {
  findReplied,
  hasEnclosedNotice,
  isBounce,
  isComplaint,
  isPossibleReply,
} from './find-replied.ts'

export interface ReplyDeps extends AcceptAnswerDeps {
  readonly db: Db
  readonly domains: ReplyDomains
  /** In a thread that can be killed; null when the bytes cannot be read as a mail. */
  readonly readLetter: (bytes: Uint8Array) => Promise<ReadLetter | null>
  readonly wakeWorkers: () => void
  readonly countReply: CountReply
}

export function createReplies(deps: ReplyDeps): NoticeReplies {
  return {
    async findTenant(address) {
      const key = readReplyAddress(deps.domains.keys, address)
      return key === null ? null : ((await findNoticeOfKey(deps.db, key.keyHash))?.tenantId ?? null)
    },
    async take(kept, facts, claim) {
      if (!isPossibleReply(deps.domains, kept)) return NO_REPLY
      const letter = await deps.readLetter(kept.bytes)
      if (letter === null) return NO_REPLY
      const end = await inTransaction(deps.db, (tx) =>
        takeLetter(tx, deps, { kept, letter, ...facts }, claim),
      )
      if (end.kind === 'refused') deps.countReply({ kind: end.word })
      if (end.kind === 'taken') deps.countReply({ kind: end.as })
      if (end.kind === 'taken' && end.hasSignal) deps.wakeWorkers()
      return end
    },
  }
}

const NO_REPLY = { kind: 'no_reply' } as const
const GONE = { kind: 'taken', as: 'gone', isClaimed: false, hasSignal: false } as const

interface Arrived {
  readonly kept: KeptReport
  readonly letter: ReadLetter
  readonly authentication: MailAuthentication | null
  readonly isMachineReport: boolean
}

async function takeLetter(
  tx: Tx,
  deps: ReplyDeps,
  arrived: Arrived,
  claim: (tx: Tx) => Promise<boolean>,
): Promise<ReplyEnd> {
  const { kept, letter, isMachineReport } = arrived
  const scope = { tenantId: kept.tenantId }
  const replied = await findReplied(tx, deps.domains, scope, kept, letter)
  if (replied.kind === 'none') return NO_REPLY
  const { notice } = replied
  const isLive = replied.kind === 'keyed' && !replied.notice.isExpired
  if (isBounce(kept, letter) || isComplaint(letter)) {
    // Without a key that is valid, anybody may have written it.
    if (!isLive || notice === null) return NO_REPLY
    const isOurs = await hasEnclosedNotice(tx, deps.domains, scope, letter, notice)
    const returned = describeReturned(letter, notice, isOurs)
    if (returned === null) return NO_REPLY
    if (!(await claim(tx))) return GONE
    return await takeReturned(tx, deps, scope, arrived, notice, returned)
  }
  const facts = await loadFacts(tx, scope, arrived, notice, replied.kind)
  const decision = await decideAnswer(tx, scope, facts)
  if (decision.kind === 'refused') return isMachineReport ? NO_REPLY : decision
  // A program may report again as an answer to our notice: its mail is read as a report.
  if (decision.kind === 'automatic' && isMachineReport) return NO_REPLY
  if (notice === null || facts.caseRow === null) return NO_REPLY
  if (!(await claim(tx))) return GONE
  return await takeAnswer(
    tx,
    deps,
    scope,
    arrived,
    { notice, caseRow: facts.caseRow },
    decision.kind,
  )
}

async function loadFacts(
  tx: Tx,
  scope: TenantScope,
  { kept, letter, authentication }: Arrived,
  notice: RepliedNotice | null,
  proof: AnswerFacts['proof'],
): Promise<AnswerFacts> {
  return {
    notice,
    proof,
    sender: letter.from,
    isAutomatic: kept.from === '' || letter.automatic !== null,
    isOwnMail: notice !== null && letter.messageId === notice.messageId,
    checks: authentication,
    caseRow: notice === null ? null : await findRootCase(tx, scope, notice.caseId),
  }
}

const ACTOR = { kind: 'system', id: 'mail', name: 'mail' } as const

function writeOrigin(deps: ReplyDeps, kept: KeptReport): ChangeOrigin {
  return { actor: ACTOR, at: new Date(deps.clock.nowMs()), causeId: kept.id }
}

/** A mail that is delivered again has the same Message-ID. */
export function hashMail({ kept, letter }: Pick<Arrived, 'kept' | 'letter'>): Buffer {
  const hash = createHash('sha256')
  return letter.messageId === null
    ? hash.update(kept.bytes).digest()
    : hash.update(`<${letter.messageId}>`).digest()
}

/** A bounce, a delay or a complaint. */
async function takeReturned(
  tx: Tx,
  deps: ReplyDeps,
  scope: TenantScope,
  arrived: Arrived,
  notice: RepliedNotice,
  { kind, status }: Returned,
): Promise<ReplyEnd> {
  const { kept } = arrived
  const found = await findRootCase(tx, scope, notice.caseId)
  const caseId = found?.id ?? null
  const reply = { noticeId: notice.id, kind, caseId, reportId: kept.id, commentId: null, status }
  const isNew = await insertReply(tx, scope, hashMail(arrived), reply)
  if (isNew && (kind === 'bounce' || kind === 'complaint')) {
    const caseRow = caseId === null ? null : await lockCase(tx, scope, caseId)
    const record = { notice, caseRow, origin: writeOrigin(deps, kept) }
    if (kind === 'complaint') await recordComplaint(tx, deps.ids, scope, record)
    else await recordBounce(tx, deps.ids, scope, { ...record, status: status ?? '' })
  }
  await writeTaken(tx, scope, arrived, kind)
  return { kind: 'taken', as: isNew ? kind : 'repeated', isClaimed: true, hasSignal: false }
}

interface Returned {
  readonly kind: Exclude<ReplyKind, 'answer' | 'automatic'>
  readonly status: string | null
}

/**
 * What the mail says of the recipient of the notice; a permanent failure counts before all else.
 * Null when it is about other recipients. A bounce that names no recipient must enclose our mail.
 */
function describeReturned(
  letter: ReadLetter,
  { recipient }: RepliedNotice,
  isOurs: boolean,
): Returned | null {
  const bounces = letter.bounces.filter(({ recipients }) =>
    recipients.length === 0 ? isOurs : recipients.includes(recipient.toLowerCase()),
  )
  if (bounces.length === 0) return isComplaint(letter) ? { kind: 'complaint', status: null } : null
  const failed = bounces.filter(({ action }) => action === 'failed')
  const worst = failed.find(({ status }) => status.startsWith('5')) ?? failed[0]
  if (worst !== undefined) return { kind: 'bounce', status: worst.status || '5.0.0' }
  const [first] = bounces
  const kind = first?.action === 'delayed' ? 'delay' : 'delivery'
  return { kind, status: first?.status || null }
}

async function takeAnswer(
  tx: Tx,
  deps: ReplyDeps,
  scope: TenantScope,
  arrived: Arrived,
  { notice, caseRow: { id: caseId } }: { notice: RepliedNotice; caseRow: CaseRow },
  kind: 'answer' | 'automatic',
): Promise<ReplyEnd> {
  const { kept, letter } = arrived
  const mailHash = hashMail(arrived)
  const { id: reportId } = kept
  const reply = { noticeId: notice.id, kind, caseId, reportId, commentId: null, status: null }
  const isNew = await insertReply(tx, scope, mailHash, reply)
  await writeTaken(tx, scope, arrived, kind)
  if (!isNew) return { kind: 'taken', as: 'repeated', isClaimed: true, hasSignal: false }
  const { party } = notice
  const origin = writeOrigin(deps, kept)
  const signal =
    kind === 'automatic' || party === 'other'
      ? null
      : await acceptAnswer(tx, deps, scope, {
          caseId,
          party,
          noticeCreatedBy: notice.createdBy,
          actor: ACTOR,
          causeId: kept.id,
        })
  const hasSignal = signal?.kind === 'accepted'
  const commentId = await addAnswer(tx, deps.ids, scope, {
    caseId,
    party,
    isAutomatic: kind === 'automatic',
    letter,
    reportId: kept.id,
    hasSignal,
    origin,
  })
  await setReplyComment(tx, scope, notice.id, mailHash, commentId)
  return { kind: 'taken', as: kind, isClaimed: true, hasSignal }
}

/** Accepts the mail, which is kept like a report, and has no events. */
export async function writeTaken(
  tx: Tx,
  scope: TenantScope,
  { kept, authentication }: Pick<Arrived, 'kept' | 'authentication'>,
  kind: ReplyKind,
): Promise<void> {
  await writeVerdict(tx, scope, kept.id, {
    state: 'accepted',
    reason: null,
    problems: [],
    format: `notice_${kind}`,
    reporterReportId: null,
    eventCount: 0,
    isMail: true,
    authentication,
  })
}
