// SQL of what comes back for notices by mail: the notice of a key or of a Message-ID, and each mail
// once. A key is asked for before any tenant is known.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { NoticeParty, NoticeState } from './notice.ts'

export interface RepliedNotice {
  readonly tenantId: string
  readonly id: string
  readonly caseId: string | null
  readonly party: NoticeParty
  readonly customerId: string | null
  readonly recipient: string
  readonly state: NoticeState
  readonly messageId: string
  readonly createdBy: string
  /** The time for answers is over. */
  readonly isExpired: boolean
}

const COLUMNS = sql`tenant_id as "tenantId", id, case_id as "caseId", party, customer_id as "customerId", recipient, state,
  message_id as "messageId", created_by as "createdBy", coalesce(reply_until <= now(), true) as "isExpired"`

/** The notice whose mail, or the one before its last resend, was sent with this key. */
export async function findNoticeOfKey(db: Db, keyHash: Buffer): Promise<RepliedNotice | null> {
  const found = await sql<RepliedNotice>`
    (select ${COLUMNS} from notice where reply_key_hash = ${keyHash})
    union all (select ${COLUMNS} from notice where former_key_hash = ${keyHash}) limit 1`.execute(
    db,
  )
  return found.rows[0] ?? null
}

/** The newest of the notices with these Message-IDs, given without angle brackets. */
export async function findNoticeOfMessage(
  db: Db,
  { tenantId }: TenantScope,
  messageIds: readonly string[],
): Promise<RepliedNotice | null> {
  if (messageIds.length === 0) return null
  const found = await sql<RepliedNotice>`
    select ${COLUMNS} from notice
    where tenant_id = ${tenantId} and message_id = any(${[...messageIds]}::text[]) order by id desc limit 1`.execute(
    db,
  )
  return found.rows[0] ?? null
}

export type ReplyKind = 'answer' | 'automatic' | 'bounce' | 'delay' | 'delivery' | 'complaint'

export interface NoticeReply {
  readonly noticeId: string
  readonly kind: ReplyKind
  readonly caseId: string | null
  readonly reportId: string
  readonly commentId: string | null
  readonly status: string | null
}

/** False when the mail came before for this notice. */
export async function insertReply(
  tx: Tx,
  { tenantId }: TenantScope,
  mailHash: Buffer,
  { noticeId, kind, caseId, reportId, commentId, status }: NoticeReply,
): Promise<boolean> {
  const stored = await sql`
    insert into notice_reply (tenant_id, notice_id, mail_hash, kind, case_id, report_id, comment_id, status)
    values (${tenantId}, ${noticeId}::uuid, ${mailHash}, ${kind}, ${caseId}, ${reportId}::uuid, ${commentId}::uuid, ${status})
    on conflict (tenant_id, notice_id, mail_hash) do nothing`.execute(tx)
  return (stored.numAffectedRows ?? 0n) > 0n
}

export async function setReplyComment(
  tx: Tx,
  { tenantId }: TenantScope,
  noticeId: string,
  mailHash: Buffer,
  commentId: string,
): Promise<void> {
  await sql`
    update notice_reply set comment_id = ${commentId}::uuid
    where tenant_id = ${tenantId} and notice_id = ${noticeId}::uuid and mail_hash = ${mailHash}`.execute(
    tx,
  )
}

/** The comment that an earlier copy of this mail became; null when it became none. */
export async function findReplyComment(
  tx: Tx,
  { tenantId }: TenantScope,
  noticeId: string,
  mailHash: Buffer,
): Promise<string | null> {
  const found = await sql<{ commentId: string | null }>`
    select comment_id as "commentId" from notice_reply
    where tenant_id = ${tenantId} and notice_id = ${noticeId}::uuid and mail_hash = ${mailHash}`.execute(
    tx,
  )
  return found.rows[0]?.commentId ?? null
}

/** How many mails of this kind came for a notice within a day. */
export async function countReplies(
  db: Db,
  { tenantId }: TenantScope,
  noticeId: string,
  kind: ReplyKind,
): Promise<number> {
  const found = await sql<{ count: number }>`
    select count(*)::integer as count from notice_reply
    where tenant_id = ${tenantId} and notice_id = ${noticeId}::uuid and kind = ${kind}
      and received_at > now() - interval '1 day'`.execute(db)
  return found.rows[0]?.count ?? 0
}

/** Whether the report was taken as a reply of a notice. */
export async function isReply(db: Db, { tenantId }: TenantScope, reportId: string) {
  const found = await sql`
    select from notice_reply where tenant_id = ${tenantId} and report_id = ${reportId}::uuid limit 1`.execute(
    db,
  )
  return found.rows.length > 0
}

export interface ReplyRecord extends Omit<NoticeReply, 'noticeId' | 'caseId'> {
  readonly receivedAt: Date
}

/** The newest first; bounded. */
export async function listReplies(
  db: Db,
  { tenantId }: TenantScope,
  noticeId: string,
): Promise<readonly ReplyRecord[]> {
  const found = await sql<ReplyRecord>`
    select kind, report_id as "reportId", comment_id as "commentId", status, received_at as "receivedAt"
    from notice_reply where tenant_id = ${tenantId} and notice_id = ${noticeId}::uuid
    order by received_at desc limit 100`.execute(db)
  return found.rows
}

/** False when the notice was never sent, or had bounced already. */
export async function markBounced(
  tx: Tx,
  { tenantId }: TenantScope,
  noticeId: string,
  reason: string,
): Promise<boolean> {
  const changed = await sql`
    update notice set state = 'bounced', reason = ${reason}, changed_at = now(), lease_owner = null, lease_until = null
    where tenant_id = ${tenantId} and id = ${noticeId}::uuid and (state = 'sent' or (state = 'waiting' and attempts > 0))`.execute(
    tx,
  )
  return (changed.numAffectedRows ?? 0n) > 0n
}

/** Notices to this address that came back for good within this time. */
export async function countBounces(
  db: Db,
  { tenantId }: TenantScope,
  address: string,
  days: number,
): Promise<number> {
  const found = await sql<{ count: number }>`
    select count(*)::integer as count from notice
    where tenant_id = ${tenantId} and lower(recipient) = lower(${address}) and state = 'bounced' and reason = 'hard_bounce'
      and changed_at > now() - ${days} * interval '1 day'`.execute(db)
  return found.rows[0]?.count ?? 0
}
