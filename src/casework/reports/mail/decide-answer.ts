// Decides what becomes of a mail that answers a notice: a comment of the case, with or without a
// path of its playbook, or nothing before a person has looked. Every reason is a public sentence.

import type { Db } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { MailAuthentication } from '../../../vocabulary/mail-authentication.ts'
import type { CaseRow } from '../../cases/case-tables.ts'
import { countReplies, type RepliedNotice } from '../../notices/notice-reply-store.ts'
import { isContactOf } from '../../notices/record-bounce.ts'

export interface AnswerFacts {
  /** Null where the mail names a case only. */
  readonly notice: RepliedNotice | null
  /** Only `keyed` proves that the mail belongs to the notice. */
  readonly proof: 'keyed' | 'named' | 'tagged'
  /** The one address in From, in lower case; null when there is none, or several. */
  readonly sender: string | null
  /** A program wrote it (RFC 3834). */
  readonly isAutomatic: boolean
  /** It is the very mail that we sent. */
  readonly isOwnMail: boolean
  /** Null when it was not checked. */
  readonly checks: Pick<MailAuthentication, 'spf' | 'dmarc'> | null
  /** The case of the notice, or the one it was merged into; null when there is none. */
  readonly caseRow: CaseRow | null
}

export type AnswerDecision =
  | { readonly kind: 'answer' | 'automatic' }
  | {
      readonly kind: 'refused'
      /** A stable word, for the metric. */
      readonly word: RefusedAnswer
      /** `quarantined` waits for a person. */
      readonly state: 'quarantined' | 'rejected'
      readonly reason: string
    }

const ASKS_PERSON = 'A person decides what becomes of it.'
const REASONS = {
  no_key: 'It answers a notice or names a case, and is not sent to the address of the notice.',
  expired: 'It answers a notice whose time for answers is over.',
  not_sent: 'It answers a notice that was never sent.',
  no_case: 'It answers a notice that is about no case.',
  other_customer: 'It answers a notice of a case that belongs to another customer now.',
  foreign_sender:
    'It answers a notice, and its sender is neither the recipient nor a proven contact of the customer.',
  forged_sender: 'It answers a notice, and its sender failed DMARC.',
  too_many: 'It answers a notice that was answered a hundred times today.',
} as const
const REJECTED = {
  own_mail: 'It is a notice of ours that came back.',
  stranger_program: 'A program of somebody else answered a notice.',
  repeating_program: 'A program answered a notice again and again.',
} as const

type RefusedAnswer = keyof typeof REASONS | keyof typeof REJECTED

// Of one notice within a day. A person writes less, and programs that answer programs never end.
const ANSWERS_MAX = 100
const AUTOMATIC_MAX = 3

export async function decideAnswer(
  db: Db,
  scope: TenantScope,
  facts: AnswerFacts,
): Promise<AnswerDecision> {
  if (facts.isOwnMail) return reject('own_mail')
  const obstacle = await findObstacle(db, scope, facts)
  if (facts.isAutomatic) {
    if (obstacle !== null || facts.notice === null) return reject('stranger_program')
    const count = await countReplies(db, scope, facts.notice.id, 'automatic')
    return count < AUTOMATIC_MAX ? { kind: 'automatic' } : reject('repeating_program')
  }
  if (obstacle !== null || facts.notice === null) return askPerson(obstacle ?? 'no_key')
  const count = await countReplies(db, scope, facts.notice.id, 'answer')
  return count < ANSWERS_MAX ? { kind: 'answer' } : askPerson('too_many')
}

function reject(word: keyof typeof REJECTED): AnswerDecision {
  return { kind: 'refused', word, state: 'rejected', reason: REJECTED[word] }
}

function askPerson(word: keyof typeof REASONS): AnswerDecision {
  const reason = `${REASONS[word]} ${ASKS_PERSON}`
  return { kind: 'refused', word, state: 'quarantined', reason }
}

async function findObstacle(
  db: Db,
  scope: TenantScope,
  facts: AnswerFacts,
): Promise<keyof typeof REASONS | null> {
  const { notice, proof, caseRow } = facts
  if (notice === null || proof !== 'keyed') return 'no_key'
  if (notice.isExpired) return 'expired'
  if (notice.state === 'suppressed' || notice.state === 'held') return 'not_sent'
  if (caseRow === null) return 'no_case'
  if (notice.customerId !== null && notice.customerId !== caseRow.customer_id) {
    return 'other_customer'
  }
  return await findSenderObstacle(db, scope, facts, notice)
}

async function findSenderObstacle(
  db: Db,
  scope: TenantScope,
  { sender, checks }: AnswerFacts,
  { recipient, customerId }: RepliedNotice,
): Promise<'foreign_sender' | 'forged_sender' | null> {
  if (sender === null) return 'foreign_sender'
  if (sender === recipient.toLowerCase()) {
    // The key is proof enough, unless the owner of the domain wants such mail refused.
    return isForged(checks) ? 'forged_sender' : null
  }
  if (customerId === null || checks?.dmarc.result !== 'pass') return 'foreign_sender'
  return (await isContactOf(db, scope, customerId, sender)) ? null : 'foreign_sender'
}

// By LMTP and IMAP nobody knows the client, so SPF is skipped and DMARC fails for every domain that
// signs nothing. Such a fail is no sign of a forgery.
function isForged(checks: AnswerFacts['checks']): boolean {
  if (checks === null || checks.spf.result === 'skipped') return false
  return checks.dmarc.result === 'fail' && (checks.dmarc.policy ?? 'none') !== 'none'
}
