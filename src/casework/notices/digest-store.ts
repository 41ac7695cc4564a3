// SQL of digests: who is due for one, the notices that it takes up, and what becomes of those.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { NoticeParty, NoticePurpose, NoticeState } from './notice.ts'

export interface DueDigest extends TenantScope {
  /** In lower case. */
  readonly recipient: string
  /** One digest has it: the recipient and the day of the tenant are in it. */
  readonly effectKey: string
  /** The hour of the digest: notices made later wait for the next one. */
  readonly until: Date
}

/**
 * Recipients for whom a limit held notices before the last hour of digests, and who got no digest
 * since then.
 */
export async function listDueDigests(db: Db, limit: number): Promise<readonly DueDigest[]> {
  const found = await sql<DueDigest>`
    select held.tenant_id as "tenantId", held.recipient, held.effect_key as "effectKey", held.until from (
      select distinct notice.tenant_id, lower(notice.recipient) as recipient, hour.until,
        'digest:' || hour.day || ':' || encode(sha256(convert_to(lower(notice.recipient), 'UTF8')), 'hex') as effect_key
      from (
        select tenant_id, recipient, created_at, now() as read_at from notice where state = 'held' and reason = 'throttled'
      ) as notice
      left join notice_limits as own on own.tenant_id = notice.tenant_id
      cross join lateral (select coalesce(own.time_zone, 'UTC') as zone, make_interval(hours => coalesce(own.digest_hour, 8)::integer) as hours) as setting
      cross join lateral (select ((notice.read_at at time zone setting.zone) - setting.hours)::date as day) as local
      cross join lateral (select local.day, (local.day + setting.hours) at time zone setting.zone as until) as hour
      where notice.created_at <= hour.until
    ) as held
    where not exists (
      select from notice as made where made.tenant_id = held.tenant_id and made.effect_key = held.effect_key
    )
    limit ${limit}`.execute(db)
  return found.rows
}

export interface PendingNotice {
  readonly id: string
  readonly caseId: string
  readonly purpose: NoticePurpose
  readonly party: NoticeParty
  readonly customerId: string | null
  readonly recipient: string
  readonly language: string
  readonly subject: string
  readonly text: string
  /** A digest does not take it along. */
  readonly hasEvidence: boolean
}

const HELD = sql`id, case_id as "caseId", purpose, party, customer_id as "customerId", recipient, language, subject, text,
  evidence_profile is not null as "hasEvidence"`

/** The oldest ones that wait for the digest, in the order of time. */
export async function listPendingNotices(
  db: Db,
  { tenantId, recipient, until }: DueDigest,
  limit: number,
): Promise<readonly PendingNotice[]> {
  const found = await sql<PendingNotice>`
    select ${HELD} from notice
    where tenant_id = ${tenantId} and lower(recipient) = ${recipient} and state = 'held' and reason = 'throttled'
      and case_id is not null and created_at <= ${until}
    order by id limit ${limit}`.execute(db)
  return found.rows
}

/** Those of the notices that still wait for a digest, locked until the transaction ends. */
export async function lockPendingNotices(
  tx: Tx,
  { tenantId }: TenantScope,
  ids: readonly string[],
): Promise<readonly PendingNotice[]> {
  const locked = await sql<PendingNotice>`
    select ${HELD} from notice
    where tenant_id = ${tenantId} and id = any(${[...ids]}::uuid[]) and state = 'held' and reason = 'throttled'
    order by id for update`.execute(tx)
  return locked.rows
}

/** Gives the notices a state, and the digest that took them up, if there is one. */
export async function endPendingNotices(
  tx: Tx,
  { tenantId }: TenantScope,
  ids: readonly string[],
  {
    state,
    reason,
    digestId,
  }: { readonly state: NoticeState; readonly reason: string; readonly digestId: string | null },
): Promise<void> {
  await sql`
    update notice set state = ${state}, reason = ${reason}, digest_id = ${digestId}, changed_at = now(), reply_key = null
    where tenant_id = ${tenantId} and id = any(${[...ids]}::uuid[])`.execute(tx)
}

export interface DigestItem {
  readonly id: string
  readonly digestId: string
  readonly caseId: string
  readonly purpose: NoticePurpose
  readonly party: NoticeParty
}

/** The notices that share the state of these digests: those not sent by themselves since then. */
export async function listDigestItems(
  db: Db,
  { tenantId }: TenantScope,
  digestIds: readonly string[],
): Promise<readonly DigestItem[]> {
  if (digestIds.length === 0) return []
  const found = await sql<DigestItem>`
    select id, digest_id as "digestId", case_id as "caseId", purpose, party from notice
    where tenant_id = ${tenantId} and digest_id = any(${[...digestIds]}::uuid[]) and reason = 'in_digest' and case_id is not null
    order by id`.execute(db)
  return found.rows
}

/** The notices of a digest, or of several, get the state of theirs; the reason stays. */
export async function endDigestItems(
  tx: Tx,
  { tenantId }: TenantScope,
  digestIds: readonly string[],
): Promise<void> {
  if (digestIds.length === 0) return
  await sql`
    update notice set state = digest.state, sent_at = digest.sent_at, changed_at = now()
    from notice as digest
    where notice.tenant_id = ${tenantId} and notice.digest_id = any(${[...digestIds]}::uuid[]) and notice.reason = 'in_digest'
      and digest.tenant_id = notice.tenant_id and digest.id = notice.digest_id`.execute(tx)
}
