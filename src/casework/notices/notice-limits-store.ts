// SQL of the limits of notices: the settings of a tenant, and the lock of a recipient under which
// it is decided whether one more notice may go out.

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import { type DueRows, type TenantPass, workByTenant } from '../../kernel/db/due-tenants.ts'
import { writeTexts, writeWords } from '../../kernel/db/write-arrays.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { NoticePurpose } from './notice.ts'
import { type NoticeCount, type NoticeLimits, SHIPPED_LIMITS } from './notice-limits.ts'

const COLUMNS = sql`jsonb_build_object('isOn', is_on, 'limits', limits, 'digestHour', digest_hour, 'timeZone', time_zone)`

/** Null while the tenant has those that the program ships with. */
export async function findNoticeLimits(
  db: Db,
  { tenantId }: TenantScope,
): Promise<NoticeLimits | null> {
  const found = await sql<{ limits: NoticeLimits }>`
    select ${COLUMNS} as limits from notice_limits where tenant_id = ${tenantId}`.execute(db)
  return found.rows[0]?.limits ?? null
}

/** As `findNoticeLimits`; no other transaction changes the limits before this one ends. */
export async function lockNoticeLimits(tx: Tx, scope: TenantScope): Promise<NoticeLimits | null> {
  await sql`select from notice_limits where tenant_id = ${scope.tenantId} for update`.execute(tx)
  return await findNoticeLimits(tx, scope)
}

export async function putNoticeLimits(
  db: Db,
  { tenantId }: TenantScope,
  { isOn, limits, digestHour, timeZone }: NoticeLimits,
): Promise<void> {
  await sql`
    insert into notice_limits (tenant_id, is_on, limits, digest_hour, time_zone)
    values (${tenantId}, ${isOn}, ${JSON.stringify(limits)}::jsonb, ${digestHour}, ${timeZone})
    on conflict (tenant_id) do update set is_on = excluded.is_on, limits = excluded.limits,
      digest_hour = excluded.digest_hour, time_zone = excluded.time_zone, updated_at = excluded.updated_at`.execute(
    db,
  )
}

/** The database computes the hour of the digest, so it must know the zone. */
export async function isTimeZone(db: Db, name: string): Promise<boolean> {
  const found = await sql`select from pg_timezone_names where name = ${name}`.execute(db)
  return found.rows.length > 0
}

/**
 * Locks the addresses and their customers until the transaction ends, so that two workers at the
 * same time do not both see one free place. The order is the same in each, so none waits for
 * another in a circle. Returns the limits of the tenant.
 */
export async function lockRecipients(
  tx: Tx,
  { tenantId }: TenantScope,
  recipients: readonly { readonly address: string; readonly customerId: string | null }[],
): Promise<NoticeLimits> {
  // An address has no blank, so none can be taken for a customer.
  const names = recipients.flatMap(({ address, customerId }) =>
    customerId === null ? [address] : [address, `customer ${customerId}`],
  )
  const hashes = new Set(names.map(hashName))
  const locked = await sql<{ limits: NoticeLimits | null }>`
    with locked as (
      insert into notice_recipient (tenant_id, address_hash)
      select ${tenantId}, decode(one, 'hex') from unnest(${writeWords([...hashes].toSorted())}::text[]) as one
      on conflict (tenant_id, address_hash) do update set used_at = excluded.used_at
      returning 1
    )
    select (select ${COLUMNS} from notice_limits where tenant_id = ${tenantId}) as limits from locked limit 1`.execute(
    tx,
  )
  return locked.rows[0]?.limits ?? SHIPPED_LIMITS
}

function hashName(name: string): string {
  return createHash('sha256').update(name.toLowerCase()).digest('hex')
}

export interface CountQuestion {
  readonly address: string
  /** Null for a notice that goes to no customer. */
  readonly customerId: string | null
  readonly caseId: string
  readonly purpose: NoticePurpose
}

/**
 * In the order of the questions. Asked after `lockRecipients`, in a statement of its own: only so
 * it sees the notices of transactions that held the locks before.
 */
export async function countNotices(
  tx: Tx,
  { tenantId }: TenantScope,
  questions: readonly CountQuestion[],
): Promise<readonly NoticeCount[]> {
  if (questions.length === 0) return []
  // `went_out`: by itself, so neither cancelled nor held back nor taken up by a digest.
  const found = await sql<NoticeCount>`
    select counted."ofThread", counted."ofRecipient", counted."ofCasePurpose", counted."ofPurpose", of_customer."ofCustomerCase", of_customer."ofCustomer"
    from unnest(${writeTexts(questions.map(({ address }) => address))}::text[], ${writeTexts(questions.map(({ caseId }) => caseId))}::text[],
      ${writeTexts(questions.map(({ purpose }) => purpose))}::text[], ${writeTexts(questions.map(({ customerId }) => customerId))}::text[])
      with ordinality as given (address, case_id, purpose, customer_id, at)
    cross join lateral (
      select count(*) filter (where case_id = given.case_id)::integer as "ofThread",
        count(*)::integer as "ofRecipient",
        count(*) filter (where went_out and case_id = given.case_id and purpose = given.purpose)::integer as "ofCasePurpose",
        count(*) filter (where went_out and purpose = given.purpose)::integer as "ofPurpose"
      from (
        select case_id, purpose, state in ('waiting', 'sent', 'bounced') and digest_id is null as went_out
        from notice where tenant_id = ${tenantId} and lower(recipient) = lower(given.address) and created_at > now() - interval '1 day'
        order by created_at desc limit ${COUNTED_MAX}
      ) as recent
    ) as counted
    cross join lateral (
      select count(*) filter (where case_id = given.case_id)::integer as "ofCustomerCase", count(*)::integer as "ofCustomer"
      from (
        select case_id from notice
        where tenant_id = ${tenantId} and customer_id = given.customer_id and purpose = given.purpose and created_at > now() - interval '1 day'
          and state in ('waiting', 'sent', 'bounced') and digest_id is null
        order by created_at desc limit ${COUNTED_MAX}
      ) as recent
    ) as of_customer
    order by given.at`.execute(tx)
  return found.rows
}

// A limit is at most a thousand; what is held back counts for nothing.
const COUNTED_MAX = 5_000

const IDLE: DueRows = {
  table: 'notice_recipient',
  isDue: sql`used_at < now() - interval '2 days'`,
  since: sql`used_at`,
}

/** Removes lock rows that were not used for two days, up to a bound of each tenant. */
export async function removeOldRecipients(pass: TenantPass): Promise<void> {
  const { db } = pass
  await workByTenant(pass, IDLE, 1_000, async (tenantId, limit) => {
    const removed = await sql`
      delete from notice_recipient using (
        select address_hash from notice_recipient where tenant_id = ${tenantId} and ${IDLE.isDue}
        order by used_at limit ${limit} for update skip locked
      ) as idle
      where notice_recipient.tenant_id = ${tenantId} and notice_recipient.address_hash = idle.address_hash`.execute(
      db,
    )
    return Number(removed.numAffectedRows ?? 0)
  })
}
