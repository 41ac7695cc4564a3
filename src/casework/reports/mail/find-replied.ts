// Finds the notice to which a mail belongs: by the key in one of its addresses, which proves it;
// else by the Message-IDs that it answers, or by the tag of a case in its subject.

import type { Db } from '../../../kernel/db/database.ts'
import type { ReadLetter } from '../../../reader/reading.ts'
import { parseCaseId } from '../../../values/uuid.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { findCase } from '../../cases/case-store.ts'
import {
  hasReplyAddress,
  type ReplyDomains,
  readReplyAddress,
} from '../../notices/mail-identity.ts'
import { CASE_TAG } from '../../notices/notice.ts'
import {
  findNoticeOfKey,
  findNoticeOfMessage,
  type RepliedNotice,
} from '../../notices/notice-reply-store.ts'
import type { KeptReport } from '../kept-report-store.ts'

export type Replied =
  | { readonly kind: 'none'; readonly notice?: null }
  /** Its recipient address holds the key, or the mail of ours that a program sent back. */
  | { readonly kind: 'keyed'; readonly notice: RepliedNotice }
  /** It names one of our mails, without the key. */
  | { readonly kind: 'named'; readonly notice: RepliedNotice }
  /** It names a case only. */
  | { readonly kind: 'tagged'; readonly notice: null; readonly caseId: string }

const CHANNELS: ReadonlySet<KeptReport['via']> = new Set(['smtp', 'lmtp', 'imap'])

export function isMailChannel(via: KeptReport['via']): boolean {
  return CHANNELS.has(via)
}

// Longer headers are not searched to their end.
const HEAD_BYTES = 65_536
// A bounce encloses our mail, or its headers, behind a few kilobytes of explanation.
const RETURNED_BYTES = 1_048_576
const RETURNED_TYPE = /^content-type:\s*multipart\/report/im

/** Cheap: most mails are reports and are not read a second time. */
export function isPossibleReply(domains: ReplyDomains, { via, to, bytes }: KeptReport): boolean {
  if (!isMailChannel(via)) return false
  if (to.some((one) => readReplyAddress(domains.keys, one) !== null)) return true
  const head = bytes.subarray(0, HEAD_BYTES).toString('latin1')
  const end = head.search(/\r?\n\r?\n/)
  const headers = end < 0 ? head : head.slice(0, end)
  if (hasReplyAddress(domains.keys, headers) || CASE_TAG.test(headers)) return true
  if (domains.ids !== null && headers.toLowerCase().includes(`@${domains.ids}>`)) return true
  if (!RETURNED_TYPE.test(headers)) return false
  return hasReplyAddress(domains.keys, bytes.subarray(0, RETURNED_BYTES).toString('latin1'))
}

export async function findReplied(
  db: Db,
  domains: ReplyDomains,
  scope: TenantScope,
  { to }: KeptReport,
  letter: ReadLetter,
): Promise<Replied> {
  const isReturned = letter.bounces.length > 0 || letter.complaint !== null
  const addresses = [...to, ...letter.recipients, ...(isReturned ? letter.enclosedAddresses : [])]
  const keyed = await findByKey(db, domains, scope, addresses)
  if (keyed !== null) return { kind: 'keyed', notice: keyed }
  const ids = domains.ids === null ? [] : listOwnIds(letter, domains.ids)
  const named = await findNoticeOfMessage(db, scope, ids)
  if (named !== null) return { kind: 'named', notice: named }
  const caseId = parseCaseId(CASE_TAG.exec(letter.subject)?.[1] ?? '')
  if (caseId === null || (await findCase(db, scope, caseId)) === null) return { kind: 'none' }
  return { kind: 'tagged', notice: null, caseId }
}

// A mail to everybody in a thread has a few of them.
const KEYS_MAX = 5

/** Only a notice of this tenant: a key of another tenant proves nothing here. */
async function findByKey(
  db: Db,
  domains: ReplyDomains,
  { tenantId }: TenantScope,
  addresses: readonly string[],
): Promise<RepliedNotice | null> {
  const keys = addresses.flatMap((one) => readReplyAddress(domains.keys, one) ?? [])
  for (const { keyHash } of keys.slice(0, KEYS_MAX)) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const notice = await findNoticeOfKey(db, keyHash)
    if (notice?.tenantId === tenantId) return notice
  }
  return null
}

/** Whether the letter encloses the mail of this notice, or its headers, which hold the key. */
export async function hasEnclosedNotice(
  db: Db,
  domains: ReplyDomains,
  scope: TenantScope,
  { enclosedAddresses }: ReadLetter,
  notice: RepliedNotice,
): Promise<boolean> {
  return (await findByKey(db, domains, scope, enclosedAddresses))?.id === notice.id
}

/**
 * Our Message-IDs that the mail answers, or its own one when it is a mail of ours that came back.
 */
function listOwnIds({ messageId, answeredIds }: ReadLetter, domain: string): readonly string[] {
  return [...answeredIds, ...(messageId === null ? [] : [messageId])].filter((one) =>
    one.toLowerCase().endsWith(`@${domain}`),
  )
}

const MAILER = /^(?:mailer-daemon|postmaster)@/

/** A report on delivery (RFC 3464), or a bounce of a program that writes none. */
export function isBounce({ from }: Pick<KeptReport, 'from'>, letter: ReadLetter): boolean {
  if (letter.bounces.length === 0) return false
  return from === '' || letter.automatic !== null || MAILER.test(letter.from ?? '')
}

const COMPLAINTS: ReadonlySet<string> = new Set(['abuse', 'fraud', 'opt-out', 'opt-out-list'])

/** A report of RFC 5965 on mail of ours. */
export function isComplaint({ complaint }: ReadLetter): boolean {
  return complaint !== null && COMPLAINTS.has(complaint)
}
