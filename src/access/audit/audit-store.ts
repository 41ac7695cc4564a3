// SQL of the chains of the audit log. Entries are added and never changed; `forget_audit` of the
// database removes those that retention has signed off.

import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/db/database.ts'
import { CHAIN_START, type ChainEntry, type ChainHead, INSTANCE_CHAIN } from './audit-entry.ts'
import type { Checkpoint } from './audit-key.ts'

/** What an entry says beside the chain: values, names and addresses. */
export interface EntryDetail {
  readonly salt: Buffer
  readonly objectName: string | null
  readonly actorName: string | null
  readonly address: string | null
  readonly before: unknown
  readonly after: unknown
  /** When an erasure changed it. */
  readonly erasedAt: Date | null
}

/**
 * The end of the chain; its row stays locked until the transaction ends, so take it as late as
 * possible.
 */
export async function lockHead(tx: Tx, chain: string): Promise<ChainHead> {
  const lock = sql<{ seq: number; hash: string }>`
    select seq, encode(hash, 'hex') as hash from audit_head where tenant_id = ${chain} for update`
  const found = (await lock.execute(tx)).rows[0]
  if (found !== undefined) return found
  await sql`
    insert into audit_head (tenant_id, seq, hash)
    values (${chain}, 0, decode(${CHAIN_START}, 'hex')) on conflict (tenant_id) do nothing`.execute(
    tx,
  )
  const made = (await lock.execute(tx)).rows[0]
  if (made === undefined) throw new Error(`the chain ${chain} has no head`)
  return made
}

/** Adds the entry behind the locked head. A detail is left out when it would say nothing. */
export async function appendEntry(
  tx: Tx,
  entry: ChainEntry,
  detail: Omit<EntryDetail, 'erasedAt'> | null,
): Promise<void> {
  const { chain, seq, digests } = entry
  const added = sql`
    insert into audit_entry (tenant_id, seq, at, act, object_id, actor_kind, actor_id, request_id, key_id,
      before_digest, after_digest, origin_digest, hash)
    values (${chain}, ${seq}, ${entry.at}, ${entry.act}, ${entry.objectId}, ${entry.actor.kind}, ${entry.actor.id},
      ${entry.requestId}, ${entry.keyId}, decode(${digests.before}, 'hex'), decode(${digests.after}, 'hex'),
      decode(${digests.origin}, 'hex'), decode(${entry.hash}, 'hex'))`
  const detailed =
    detail === null
      ? sql``
      : sql`, detailed as (
    insert into audit_detail (tenant_id, seq, salt, object_name, actor_name, address, before, after)
    values (${chain}, ${seq}, ${detail.salt}, ${detail.objectName}, ${detail.actorName}, ${detail.address},
      ${writeJson(detail.before)}::jsonb, ${writeJson(detail.after)}::jsonb))`
  await sql`
    with added as (${added}) ${detailed}
    update audit_head set seq = ${seq}, hash = decode(${entry.hash}, 'hex') where tenant_id = ${chain}`.execute(
    tx,
  )
}

function writeJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

const ENTRY = sql`
  e.tenant_id as chain, e.seq, e.at, e.act, e.object_id as "objectId", e.actor_kind as "actorKind",
  e.actor_id as "actorId", e.request_id as "requestId", e.key_id as "keyId", encode(e.before_digest, 'hex') as "beforeDigest",
  encode(e.after_digest, 'hex') as "afterDigest", encode(e.origin_digest, 'hex') as "originDigest",
  encode(e.hash, 'hex') as hash, d.salt, d.object_name as "objectName", d.actor_name as "actorName",
  d.address, d.before, d.after, d.erased_at as "erasedAt"`

const JOINED = sql`
  audit_entry as e left join audit_detail as d on d.tenant_id = e.tenant_id and d.seq = e.seq`

interface EntryRow {
  readonly chain: string
  readonly seq: number
  readonly at: Date
  readonly act: string
  readonly objectId: string
  readonly actorKind: string
  readonly actorId: string
  readonly requestId: string | null
  readonly keyId: string | null
  readonly beforeDigest: string | null
  readonly afterDigest: string | null
  readonly originDigest: string | null
  readonly hash: string
  readonly salt: Buffer | null
  readonly objectName: string | null
  readonly actorName: string | null
  readonly address: string | null
  readonly before: unknown
  readonly after: unknown
  readonly erasedAt: Date | null
}

/** An entry and what is still known beside the chain; null when nothing is. */
export interface DetailedEntry extends ChainEntry {
  readonly detail: EntryDetail | null
}

export interface AuditQuery {
  readonly chain: string
  readonly acts: readonly string[] | null
  /** Any of these ids. */
  readonly objectIds: readonly string[] | null
  readonly actorId: string | null
  readonly requestId: string | null
  readonly from: Date | null
  readonly before: Date | null
  readonly order: 'asc' | 'desc'
  /** The number of the last entry of the page before. */
  readonly afterSeq: number | null
  readonly limit: number
}

export async function listEntries(db: Db, query: AuditQuery): Promise<readonly DetailedEntry[]> {
  const { acts, objectIds, actorId, requestId, from, before, afterSeq } = query
  const isAscending = query.order === 'asc'
  const filters = [
    ...(acts === null ? [] : [sql`e.act = any(${[...acts]}::text[])`]),
    ...(objectIds === null ? [] : [sql`e.object_id = any(${[...objectIds]}::text[])`]),
    ...(actorId === null ? [] : [sql`e.actor_id = ${actorId}`]),
    ...(requestId === null ? [] : [sql`e.request_id = ${requestId}`]),
    ...(from === null ? [] : [sql`e.at >= ${from}`]),
    ...(before === null ? [] : [sql`e.at < ${before}`]),
    ...(afterSeq === null
      ? []
      : [isAscending ? sql`e.seq > ${afterSeq}` : sql`e.seq < ${afterSeq}`]),
  ]
  const found = await sql<EntryRow>`
    select ${ENTRY} from ${JOINED}
    where ${sql.join([sql`e.tenant_id = ${query.chain}`, ...filters], sql` and `)}
    order by e.seq ${isAscending ? sql`asc` : sql`desc`} limit ${query.limit}`.execute(db)
  return found.rows.map(readEntry)
}

function readEntry(row: EntryRow): DetailedEntry {
  const { salt, objectName, actorName, address, before, after, erasedAt } = row
  return {
    chain: row.chain,
    seq: row.seq,
    at: row.at,
    act: row.act,
    objectId: row.objectId,
    actor: { kind: row.actorKind, id: row.actorId },
    requestId: row.requestId,
    keyId: row.keyId,
    digests: { before: row.beforeDigest, after: row.afterDigest, origin: row.originDigest },
    hash: row.hash,
    detail:
      salt === null
        ? null
        : {
            salt,
            objectName,
            actorName,
            address,
            before: before ?? undefined,
            after: after ?? undefined,
            erasedAt,
          },
  }
}

export async function findHead(db: Db, chain: string): Promise<ChainHead | null> {
  const found = await sql<ChainHead>`
    select seq, encode(hash, 'hex') as hash from audit_head where tenant_id = ${chain}`.execute(db)
  return found.rows[0] ?? null
}

// A chain each tenant, and one of the instance.
const CHAINS_MAX = 100_000

/** Also those of tenants whose end was taken away, and of tenants without an entry. */
export async function listChains(db: Db): Promise<readonly string[]> {
  const found = await sql<{ chain: string }>`
    select tenant_id as chain from audit_head union select id from tenant union select ${INSTANCE_CHAIN}
    order by 1 limit ${CHAINS_MAX}`.execute(db)
  return found.rows.map(({ chain }) => chain)
}

export async function insertCheckpoint(tx: Tx, checkpoint: Checkpoint): Promise<void> {
  const { chain, seq, kind, at, hash, keyId, signature } = checkpoint
  await sql`
    insert into audit_checkpoint (tenant_id, seq, kind, at, hash, key_id, signature)
    values (${chain}, ${seq}, ${kind}, ${at}, decode(${hash}, 'hex'), ${keyId}, ${signature})
    on conflict (tenant_id, seq, kind) do nothing`.execute(tx)
}

const CHECKPOINT = sql`
  tenant_id as chain, seq, kind, at, encode(hash, 'hex') as hash, key_id as "keyId", signature`

/** Up to `limit` in the order of their numbers, those after `after`; null for the first. */
export async function listCheckpoints(
  db: Db,
  chain: string,
  after: Pick<Checkpoint, 'seq' | 'kind'> | null,
  limit: number,
): Promise<readonly Checkpoint[]> {
  const rest =
    after === null ? sql`true` : sql`(seq, kind) > (${after.seq}::bigint, ${after.kind}::text)`
  const found = await sql<Checkpoint>`
    select ${CHECKPOINT} from audit_checkpoint where tenant_id = ${chain} and ${rest}
    order by seq, kind limit ${limit}`.execute(db)
  return found.rows
}
