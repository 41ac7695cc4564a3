// SQL of notices and of the attempts to send them. Times are those of the database, so the clocks
// of nodes may differ.

import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import {
  claimFullByTenant,
  type DueRows,
  hasDueRows,
  listDueTenants,
  renewByTenant,
  type TenantPass,
} from '../../kernel/db/due-tenants.ts'
import { buildPage, type PageRequest, type TimeRange } from '../../kernel/db/page-request.ts'
import { writeTexts, writeWords } from '../../kernel/db/write-arrays.ts'
import { defineRows } from '../../kernel/db/write-rows.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { ReplyKey } from './mail-identity.ts'
import type {
  EvidenceFile,
  NoticeParty,
  NoticePurpose,
  NoticeState,
  RedactionProfile,
} from './notice.ts'

export interface NewNotice {
  readonly id: string
  readonly caseId: string | null
  readonly purpose: NoticePurpose
  readonly template: string
  readonly language: string
  readonly party: NoticeParty
  readonly customerId: string | null
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly state: NoticeState
  readonly reason: string | null
  readonly messageId: string
  readonly thread: string
  readonly inReplyTo: string | null
  readonly effectKey: string | null
  /** Null where no mail domain is set. */
  readonly replyKey: string | null
  readonly replyKeyHash: Buffer | null
  /** The evidence for this profile goes with the notice; null: none. */
  readonly evidenceProfile: RedactionProfile | null
  readonly createdBy: string
}

// An answer that comes later is an ordinary report.
const REPLY_DAYS = 90

const writeNotices = defineRows<NewNotice>({
  id: ['uuid', ({ id }) => id],
  case_id: ['text', ({ caseId }) => caseId],
  purpose: ['text', ({ purpose }) => purpose],
  template: ['text', ({ template }) => template],
  language: ['text', ({ language }) => language],
  party: ['text', ({ party }) => party],
  customer_id: ['text', ({ customerId }) => customerId],
  recipient: ['text', ({ recipient }) => recipient],
  subject: ['text', ({ subject }) => subject],
  text: ['text', ({ text }) => text],
  state: ['text', ({ state }) => state],
  reason: ['text', ({ reason }) => reason],
  message_id: ['text', ({ messageId }) => messageId],
  thread: ['text', ({ thread }) => thread],
  in_reply_to: ['text', ({ inReplyTo }) => inReplyTo],
  effect_key: ['text', ({ effectKey }) => effectKey],
  reply_key: ['text', ({ replyKey }) => replyKey],
  reply_key_hash: ['bytea', ({ replyKeyHash }) => replyKeyHash?.toString('hex') ?? null],
  evidence_profile: ['text', ({ evidenceProfile }) => evidenceProfile],
  created_by: ['text', ({ createdBy }) => createdBy],
})

/** The ids of those that were stored; the others have a notice of the effect key already. */
export async function insertNotices(
  tx: Tx,
  { tenantId }: TenantScope,
  notices: readonly NewNotice[],
): Promise<ReadonlySet<string>> {
  const { names, values, given } = writeNotices(notices)
  const stored = await sql<{ id: string }>`
    insert into notice (tenant_id, reply_until, ${names})
    select ${tenantId}, now() + ${REPLY_DAYS} * interval '1 day', ${values} from ${given}
    on conflict (tenant_id, effect_key) where effect_key is not null do nothing
    returning id`.execute(tx)
  return new Set(stored.rows.map(({ id }) => id))
}

/** Keeps the evidence of the first attempt; later attempts send the same. */
export async function storeEvidence(
  db: Db,
  { tenantId }: TenantScope,
  id: string,
  evidence: readonly EvidenceFile[],
): Promise<void> {
  await sql`
    update notice set evidence = ${JSON.stringify(evidence)}::jsonb
    where tenant_id = ${tenantId} and id = ${id}::uuid and evidence is null`.execute(db)
}

export interface NoticeRecord {
  readonly id: string
  readonly caseId: string | null
  readonly purpose: NoticePurpose
  readonly template: string
  readonly language: string
  readonly party: NoticeParty
  readonly customerId: string | null
  readonly recipient: string
  readonly subject: string
  readonly state: NoticeState
  readonly reason: string | null
  readonly attempts: number
  readonly digestId: string | null
  readonly messageId: string
  readonly thread: string
  readonly createdAt: Date
  readonly createdBy: string
  readonly sentAt: Date | null
  /** When its next attempt is due; null when there is none. */
  readonly nextAt: Date | null
}

const RECORD = sql`id, case_id as "caseId", purpose, template, language, party, customer_id as "customerId", recipient, subject, state, reason, attempts,
  digest_id as "digestId", message_id as "messageId", thread, created_at as "createdAt", created_by as "createdBy",
  sent_at as "sentAt", case when state = 'waiting' then wake_at end as "nextAt"`

export interface NoticeDetail extends NoticeRecord {
  readonly evidence: readonly EvidenceFile[] | null
  readonly text: string
}

export async function findNotice(
  db: Db,
  { tenantId }: TenantScope,
  id: string,
): Promise<NoticeDetail | null> {
  const found = await sql<NoticeDetail>`
    select ${RECORD}, text, evidence from notice where tenant_id = ${tenantId} and id = ${id}::uuid`.execute(
    db,
  )
  return found.rows[0] ?? null
}

/** For whom its evidence is redacted; null when none goes with it. */
export async function findEvidenceProfile(
  db: Db,
  { tenantId }: TenantScope,
  id: string,
): Promise<RedactionProfile | null> {
  const found = await sql<{ profile: RedactionProfile | null }>`
    select evidence_profile as profile from notice where tenant_id = ${tenantId} and id = ${id}::uuid`.execute(
    db,
  )
  return found.rows[0]?.profile ?? null
}

export interface NoticeOfEffect {
  readonly id: string
  readonly effectKey: string
  readonly state: NoticeState
  readonly reason: string | null
  readonly sentAt: Date | null
}

/** Those that were made under one of the keys, in no order. */
export async function findNoticesOfEffects(
  db: Db,
  { tenantId }: TenantScope,
  effectKeys: readonly string[],
): Promise<readonly NoticeOfEffect[]> {
  if (effectKeys.length === 0) return []
  const found = await sql<NoticeOfEffect>`
    select id, effect_key as "effectKey", state, reason, sent_at as "sentAt" from notice
    where tenant_id = ${tenantId} and effect_key = any(${[...effectKeys]}::text[])`.execute(db)
  return found.rows
}

/** Ends a notice that still waits, as failed; null while an attempt is made, and for any other. */
export async function giveUpNotice(
  tx: Tx,
  { tenantId }: TenantScope,
  id: string,
  reason: string,
): Promise<Pick<NoticeRecord, 'purpose' | 'party'> | null> {
  const ended = await sql<Pick<NoticeRecord, 'purpose' | 'party'>>`
    update notice set state = 'failed', reason = ${reason}, changed_at = now()
    where tenant_id = ${tenantId} and id = ${id}::uuid and state = 'waiting'
      and (lease_until is null or lease_until <= now())
    returning purpose, party`.execute(tx)
  return ended.rows[0] ?? null
}

export interface CancelledNotice extends Pick<NoticeRecord, 'id' | 'purpose' | 'party'> {
  readonly caseId: string
  readonly effectKey: string
}

/**
 * Cancels what still waits of the notices that were made under one of the keys, or under a key and
 * a number. Not one that is with the relay at this moment. The caller has locked the cases.
 */
export async function cancelNoticesOfEffects(
  tx: Tx,
  { tenantId }: TenantScope,
  effects: readonly { readonly caseId: string; readonly key: string }[],
): Promise<readonly CancelledNotice[]> {
  const cancelled = await sql<CancelledNotice>`
    update notice set state = 'suppressed', reason = 'cancelled', changed_at = now(), reply_key = null
    from unnest(${writeTexts(effects.map(({ caseId }) => caseId))}::text[], ${writeTexts(effects.map(({ key }) => key))}::text[]) as given (case_id, key)
    where notice.tenant_id = ${tenantId} and notice.case_id = given.case_id and split_part(notice.effect_key, '#', 1) = given.key
      and notice.state = 'waiting' and (notice.lease_until is null or notice.lease_until <= now())
    returning notice.id, notice.case_id as "caseId", notice.purpose, notice.party, given.key as "effectKey"`.execute(
    tx,
  )
  return cancelled.rows
}

/** Null: any. */
export interface NoticeFilter {
  readonly caseId: string | null
  readonly state: NoticeState | null
  readonly reason: string | null
  readonly party: NoticeParty | null
  readonly purpose: NoticePurpose | null
  readonly customerId: string | null
  /** In any case of letters. */
  readonly recipient: string | null
  readonly digestId: string | null
  readonly createdAt: TimeRange
}

export const ANY_NOTICE: NoticeFilter = {
  caseId: null,
  state: null,
  reason: null,
  party: null,
  purpose: null,
  customerId: null,
  recipient: null,
  digestId: null,
  createdAt: {},
}

function writeConditions(filter: NoticeFilter): readonly RawBuilder<unknown>[] {
  const { caseId, state, reason, party, purpose, customerId, recipient, digestId } = filter
  const { after, before } = filter.createdAt
  return [
    ...(caseId === null ? [] : [sql`case_id = ${caseId}`]),
    ...(state === null ? [] : [sql`state = ${state}`]),
    ...(reason === null ? [] : [sql`reason = ${reason}`]),
    ...(party === null ? [] : [sql`party = ${party}`]),
    ...(purpose === null ? [] : [sql`purpose = ${purpose}`]),
    ...(customerId === null ? [] : [sql`customer_id = ${customerId}`]),
    ...(recipient === null ? [] : [sql`lower(recipient) = lower(${recipient})`]),
    ...(digestId === null ? [] : [sql`digest_id = ${digestId}::uuid`]),
    ...(after === undefined ? [] : [sql`created_at >= ${after}`]),
    ...(before === undefined ? [] : [sql`created_at < ${before}`]),
  ]
}

/** Up to `limit` and one more; the order of ids is that of time. */
export async function listNotices(
  db: Db,
  { tenantId }: TenantScope,
  filter: NoticeFilter,
  page: PageRequest,
): Promise<readonly NoticeRecord[]> {
  const keyset = buildPage([{ name: 'id', type: 'uuid' }], page)
  const conditions = [
    sql`tenant_id = ${tenantId}`,
    ...writeConditions(filter),
    ...keyset.conditions,
  ]
  const found = await sql<NoticeRecord>`
    select ${RECORD} from notice where ${sql.join(conditions, sql` and `)} ${keyset.orderAndLimit}`.execute(
    db,
  )
  return found.rows
}

export interface ThreadPosition {
  readonly thread: string
  /** The last message of the thread. */
  readonly messageId: string
}

export interface ThreadQuestion {
  readonly caseId: string
  readonly recipient: string
}

/** The thread of a case with a recipient, in the order of the questions; null before the first. */
export async function findThreads(
  db: Db,
  { tenantId }: TenantScope,
  questions: readonly ThreadQuestion[],
): Promise<readonly (ThreadPosition | null)[]> {
  if (questions.length === 0) return []
  const found = await sql<ThreadPosition & { at: number }>`
    select given.at::integer, last.thread, last.message_id as "messageId"
    from unnest(${writeTexts(questions.map(({ caseId }) => caseId))}::text[],
      ${writeTexts(questions.map(({ recipient }) => recipient))}::text[]) with ordinality as given (case_id, recipient, at)
    cross join lateral (
      select thread, message_id from notice
      where tenant_id = ${tenantId} and case_id = given.case_id and lower(recipient) = lower(given.recipient)
      order by id desc limit 1
    ) as last`.execute(db)
  const threads = new Map(found.rows.map((one) => [one.at, one]))
  return questions.map((_, at) => threads.get(at + 1) ?? null)
}

export interface ClaimedNotice {
  readonly tenantId: string
  readonly id: string
  readonly caseId: string | null
  readonly purpose: NoticePurpose
  readonly party: NoticeParty
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly messageId: string
  readonly thread: string
  readonly inReplyTo: string | null
  readonly replyKey: string | null
  readonly evidenceProfile: RedactionProfile | null
  /** Null before the first attempt. */
  readonly evidence: readonly EvidenceFile[] | null
  /** Including the one that now begins. */
  readonly attempts: number
  readonly createdAt: Date
}

// Renewed while the attempt runs (send-notices.ts): one whose process died is tried again in 5 s.
const LEASE_SECONDS = 4
// Domains of recipients take turns among so many notices of a tenant, the oldest that are due.
const WINDOW = 200

const DUE: DueRows = {
  table: 'notice',
  isDue: sql`state = 'waiting' and wake_at <= now()`,
  since: sql`wake_at`,
}

/** Whether a claim may find some (kernel/db/due-poll.ts). */
export const HAS_DUE_NOTICES = hasDueRows(DUE)

/**
 * Claims due notices. Tenants take turns, and domains of recipients within a tenant, the oldest
 * first. An attempt whose process died counts.
 */
export async function claimNotices(
  { db, log }: TenantPass,
  owner: string,
  limit: number,
): Promise<readonly ClaimedNotice[]> {
  const tenants = await listDueTenants(db, DUE)
  return await claimFullByTenant({ tenants, limit, log }, (tenantId, share) =>
    claimNoticesOf(db, owner, { tenantId }, share),
  )
}

async function claimNoticesOf(
  db: Db,
  owner: string,
  { tenantId }: TenantScope,
  share: number,
): Promise<readonly ClaimedNotice[]> {
  const claimed = await sql<ClaimedNotice>`
    with turns as (
      select id from (
        select id, wake_at,
          row_number() over (partition by lower(split_part(recipient, '@', 2)) order by wake_at) as turn
        from (
          select id, wake_at, recipient from notice
          where tenant_id = ${tenantId} and state = 'waiting' and wake_at <= now() and (lease_until is null or lease_until <= now())
          order by wake_at limit ${WINDOW}
        ) as oldest
      ) as one
      order by turn, wake_at limit ${share}
    ), due as (
      select notice.id from notice join turns on turns.id = notice.id
      where tenant_id = ${tenantId} and state = 'waiting' and wake_at <= now() and (lease_until is null or lease_until <= now())
      for update of notice skip locked
    )
    update notice set lease_owner = ${owner}, lease_until = now() + ${LEASE_SECONDS} * interval '1 second',
      attempts = notice.attempts + 1
    from due where notice.tenant_id = ${tenantId} and notice.id = due.id
    returning notice.tenant_id as "tenantId", notice.id, notice.case_id as "caseId", notice.purpose, notice.party, notice.recipient,
      notice.subject, notice.text, notice.message_id as "messageId", notice.thread, notice.in_reply_to as "inReplyTo",
      notice.reply_key as "replyKey", notice.evidence_profile as "evidenceProfile", notice.evidence, notice.attempts, notice.created_at as "createdAt"`.execute(
    db,
  )
  return claimed.rows
}

export interface AttemptOutcome {
  readonly outcome: 'sent' | 'postponed' | 'failed'
  readonly durationMs: number
  readonly replyCode: number | null
  /** One public sentence; null for a success. */
  readonly failure: string | null
  /** The reason of the notice when it failed. */
  readonly reason: string | null
  readonly pauseMs: number
}

/**
 * Keeps notices that this process sends from being claimed by another one. A notice whose end is
 * being recorded is locked, so it is skipped: nobody can claim it either.
 */
export async function keepLeases(
  { db, log }: TenantPass,
  owner: string,
  notices: readonly Pick<ClaimedNotice, 'tenantId' | 'id' | 'attempts'>[],
): Promise<void> {
  await renewByTenant(log, notices, async (tenantId, own) => {
    await sql`
      update notice set lease_until = now() + ${LEASE_SECONDS} * interval '1 second'
      from (
        select notice.id from notice
        join unnest(${writeWords(own.map(({ id }) => id))}::uuid[], ${writeWords(own.map(({ attempts }) => attempts))}::smallint[])
          as given (id, attempts) on given.id = notice.id and given.attempts = notice.attempts
        where notice.tenant_id = ${tenantId} and notice.state = 'waiting' and notice.lease_owner = ${owner}
        for update of notice skip locked
      ) as kept
      where notice.tenant_id = ${tenantId} and notice.id = kept.id`.execute(db)
  })
}

const STATES = { sent: 'sent', postponed: 'waiting', failed: 'failed' } as const

/**
 * Writes the outcomes of attempts. Returns the ids of the notices whose lease was still ours: where
 * it was lost, another process has begun the next attempt, and its outcome counts.
 */
export async function recordAttempts(
  tx: Tx,
  owner: string,
  tenantId: string,
  ended: readonly { readonly notice: ClaimedNotice; readonly attempt: AttemptOutcome }[],
): Promise<ReadonlySet<string>> {
  const given = ended.map(({ notice: { id, attempts }, attempt }) => ({
    id,
    attempts,
    state: STATES[attempt.outcome],
    outcome: attempt.outcome,
    reason: attempt.reason,
    pause_ms: attempt.pauseMs,
    duration_ms: attempt.durationMs,
    reply_code: attempt.replyCode,
    failure: attempt.failure,
  }))
  const recorded = await sql<{ id: string }>`
    with given as (
      select *, now() + pause_ms * interval '1 millisecond' as wake_at
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as one (id uuid, attempts smallint, state text, outcome text,
        reason text, pause_ms double precision, duration_ms integer, reply_code smallint, failure text)
    ), changed as (
      update notice set state = given.state, reason = given.reason, lease_owner = null, lease_until = null, changed_at = now(),
        wake_at = given.wake_at, sent_at = case when given.state = 'sent' then clock.at end,
        reply_key = case when given.state = 'sent' then null else reply_key end
      from given cross join (select now() as at) as clock
      where notice.tenant_id = ${tenantId} and notice.id = given.id and lease_owner = ${owner} and notice.attempts = given.attempts
      returning notice.id
    ), noted as (
      insert into notice_attempt (tenant_id, notice_id, attempt, started_at, duration_ms, outcome, reply_code, failure)
      select ${tenantId}, given.id, given.attempts, now() - given.duration_ms * interval '1 millisecond', given.duration_ms,
        given.outcome, given.reply_code, given.failure
      from given join changed on changed.id = given.id
      on conflict (tenant_id, notice_id, attempt) do nothing
    )
    select id from changed`.execute(tx)
  return new Set(recorded.rows.map(({ id }) => id))
}

export interface AttemptRecord {
  readonly attempt: number
  readonly startedAt: Date
  readonly durationMs: number
  readonly outcome: AttemptOutcome['outcome']
  readonly replyCode: number | null
  readonly failure: string | null
}

export async function listAttempts(
  db: Db,
  { tenantId }: TenantScope,
  id: string,
): Promise<readonly AttemptRecord[]> {
  const found = await sql<AttemptRecord>`
    select attempt, started_at as "startedAt", duration_ms as "durationMs", outcome, reply_code as "replyCode", failure
    from notice_attempt where tenant_id = ${tenantId} and notice_id = ${id}::uuid order by attempt limit 1000`.execute(
    db,
  )
  return found.rows
}

/**
 * Lets a notice be sent again, with a new key for its answers. False when it waits already: it may
 * be with the relay at this moment.
 */
export async function awakeNotice(
  tx: Tx,
  { tenantId }: TenantScope,
  id: string,
  { domain, key, hash }: { readonly domain: string } & ReplyKey,
): Promise<boolean> {
  // A notice that was made without a relay has a Message-ID with a stand-in for the domain.
  const messageId = sql`replace(message_id, '@held.invalid', ${`@${domain}`})`
  const awake = await sql`
    update notice set state = 'waiting', reason = null, wake_at = now(), changed_at = now(), lease_owner = null,
      lease_until = null, former_key_hash = reply_key_hash, reply_key = ${key}, reply_key_hash = ${hash}, reply_until = now() + ${REPLY_DAYS} * interval '1 day',
      message_id = ${messageId}, thread = case when thread = message_id then ${messageId} else thread end
    where tenant_id = ${tenantId} and id = ${id}::uuid and state <> 'waiting'`.execute(tx)
  return (awake.numAffectedRows ?? 0n) > 0n
}

/** False when it is too late: sent, given up, with the relay at this moment, or in a digest. */
export async function cancelNotice(
  tx: Tx,
  { tenantId }: TenantScope,
  id: string,
): Promise<boolean> {
  const cancelled = await sql`
    update notice set state = 'suppressed', reason = 'cancelled', changed_at = now(), reply_key = null
    where tenant_id = ${tenantId} and id = ${id}::uuid and (
      (state = 'held' and reason <> 'in_digest') or
      (state = 'waiting' and (lease_until is null or lease_until <= now())))`.execute(tx)
  return (cancelled.numAffectedRows ?? 0n) > 0n
}
