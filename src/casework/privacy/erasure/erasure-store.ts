// SQL of erasures: the requests to erase addresses, and their progress.

import { sql } from 'kysely'
import type { ClientBase } from 'pg'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import { buildPage, type PageRequest } from '../../../kernel/db/page-request.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'

/** Where the next slice of an erasure begins. */
export interface ErasurePosition {
  /**
   * Number of the pass. Passes end when one finds nothing, so that rows that were written meanwhile
   * are found too.
   */
  readonly pass: number
  readonly hasChanged: boolean
  /** The slice is in the first table at or after this name. */
  readonly table: string
  /** The last row before: hexadecimal for raw reports, else JSON; empty at the start. */
  readonly key: string
  /** Cases to recount after the pass has been through the events. */
  readonly recount: readonly string[]
}

export interface ErasureRecord {
  readonly id: string
  /** The replacement of the address; for several addresses, one name for all of them. */
  readonly replacedBy: string
  /** The replacement of each address. */
  readonly subjects: readonly string[]
  /** Ids of erasures that this one repeats; it does not need their addresses. */
  readonly repeats: readonly string[]
  readonly isPreview: boolean
  readonly requestedBy: string
  readonly startedAt: Date
  readonly finishedAt: Date | null
  readonly position: ErasurePosition
  /** Rows by table. */
  readonly changed: Readonly<Record<string, number>>
  readonly kept: Readonly<Record<string, number>>
  /** Rows that stayed as they were because of a legal hold. */
  readonly onLegalHold: Readonly<Record<string, number>>
  /** Ids of reports whose bytes could not be searched. */
  readonly unsearched: readonly string[]
}

// A position with the member `page` was written by an earlier version, which walked the pages of a
// table. It is read as the start of its pass.
const COLUMNS = sql`id, replaced_by as "replacedBy", subjects, repeats::text[], is_preview as "isPreview",
  requested_by as "requestedBy", started_at as "startedAt", finished_at as "finishedAt", case when place ? 'page' then place - 'page' || '{"table": "", "key": ""}' else place end as position, changed, kept,
  held as "onLegalHold", unsearched::text[]`

export type ErasureRequest = Pick<
  ErasureRecord,
  'replacedBy' | 'subjects' | 'repeats' | 'isPreview' | 'requestedBy'
>

export const ERASURE_START: ErasurePosition = {
  pass: 0,
  hasChanged: false,
  table: '',
  key: '',
  recount: [],
}

/** The id of the unfinished erasure of the same addresses, or of a new one. */
export async function beginErasure(
  db: Db,
  scope: TenantScope,
  newId: string,
  { replacedBy, subjects, repeats, isPreview, requestedBy }: ErasureRequest,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const begun = await sql<{ id: string }>`
    insert into erasure (tenant_id, id, replaced_by, subjects, repeats, is_preview, requested_by, place)
    values (${scope.tenantId}, ${newId}, ${replacedBy}, ${[...subjects]}::text[], ${[...repeats]}::uuid[], ${isPreview},
      ${requestedBy}, ${JSON.stringify(ERASURE_START)}::jsonb)
    on conflict (tenant_id, replaced_by, is_preview) where finished_at is null
      do update set requested_by = erasure.requested_by
    returning id`.execute(db)
  const [row] = begun.rows
  if (row === undefined) throw new Error('an erasure has no id')
  return { id: row.id, isNew: row.id === newId }
}

/**
 * Locks the erasure until the transaction ends. A second request for the same erasure waits, and
 * continues from the new position.
 */
export async function lockErasure(tx: Tx, scope: TenantScope, id: string): Promise<ErasureRecord> {
  const found = await sql<ErasureRecord>`
    select ${COLUMNS} from erasure where tenant_id = ${scope.tenantId} and id = ${id}::uuid for update`.execute(
    tx,
  )
  const [row] = found.rows
  if (row === undefined) throw new Error('an erasure that was begun is gone')
  return row
}

export async function saveErasureProgress(
  tx: Tx,
  scope: TenantScope,
  {
    id,
    position,
    changed,
    kept,
    onLegalHold,
    unsearched,
  }: Pick<ErasureRecord, 'id' | 'position' | 'changed' | 'kept' | 'onLegalHold' | 'unsearched'>,
  isFinished: boolean,
): Promise<void> {
  await sql`
    update erasure set place = ${JSON.stringify(position)}::jsonb, changed = ${JSON.stringify(changed)}::jsonb,
      kept = ${JSON.stringify(kept)}::jsonb, held = ${JSON.stringify(onLegalHold)}::jsonb,
      unsearched = ${[...unsearched]}::uuid[], finished_at = ${isFinished ? sql`now()` : null},
      statistics_due = ${isFinished ? sql`not is_preview` : sql`false`}
    where tenant_id = ${scope.tenantId} and id = ${id}::uuid`.execute(tx)
}

/** The planner's statistics of the tables that it changed are made anew. */
export async function markStatisticsRenewed(db: Db, scope: TenantScope, id: string): Promise<void> {
  await sql`
    update erasure set statistics_due = false where tenant_id = ${scope.tenantId} and id = ${id}::uuid`.execute(
    db,
  )
}

/** Erasures of all tenants whose statistics are still to be made anew, the oldest first. */
export async function listStatisticsDue(db: Db, limit: number): Promise<readonly TenantErasure[]> {
  const found = await sql<TenantErasure>`
    select tenant_id as "tenantId", ${COLUMNS} from erasure
    where statistics_due order by id limit ${limit}`.execute(db)
  return found.rows
}

/** Up to `limit` rows and one more; ids are UUIDv7, so their order is that of time. */
export async function listErasures(
  db: Db,
  scope: TenantScope,
  page: PageRequest,
): Promise<readonly ErasureRecord[]> {
  const keyset = buildPage([{ name: 'id', type: 'uuid' }], page)
  const conditions = [sql`tenant_id = ${scope.tenantId}`, ...keyset.conditions]
  const found = await sql<ErasureRecord>`
    select ${COLUMNS} from erasure where ${sql.join(conditions, sql` and `)} ${keyset.orderAndLimit}`.execute(
    db,
  )
  return found.rows
}

/** The erasure, or null when the tenant has none of that id (a UUID). */
export async function findErasure(
  db: Db,
  scope: TenantScope,
  id: string,
): Promise<ErasureRecord | null> {
  const found = await sql<ErasureRecord>`
    select ${COLUMNS} from erasure where tenant_id = ${scope.tenantId} and id = ${id}::uuid`.execute(
    db,
  )
  return found.rows[0] ?? null
}

/** Adds an erasure that nobody requests again; it is continued by `continueRepeats`. */
export async function insertRepeat(
  client: ClientBase,
  { tenantId }: TenantScope,
  id: string,
  { replacedBy, subjects, repeats, requestedBy }: Omit<ErasureRequest, 'isPreview'>,
): Promise<void> {
  await client.query(
    `insert into erasure (tenant_id, id, replaced_by, subjects, repeats, is_preview, requested_by, place)
     values ($1, $2, $3, $4, $5, false, $6, $7)`,
    [tenantId, id, replacedBy, subjects, repeats, requestedBy, JSON.stringify(ERASURE_START)],
  )
}

/** Ids of all erasures that were finished, or that another one repeats, of all tenants. */
export async function listKnownErasures(client: ClientBase): Promise<ReadonlySet<string>> {
  const known = await client.query<{ id: string }>(
    `select id::text from erasure where finished_at is not null
     union select unnest(repeats)::text from erasure where not is_preview`,
  )
  return new Set(known.rows.map(({ id }) => id))
}

export interface TenantErasure extends ErasureRecord {
  readonly tenantId: string
}

/** Unfinished repeats of all tenants but these; they continue without a request. */
export async function listUnfinishedRepeats(
  db: Db,
  limit: number,
  passedOver: ReadonlySet<string>,
): Promise<readonly TenantErasure[]> {
  const found = await sql<TenantErasure>`
    select tenant_id as "tenantId", ${COLUMNS} from erasure
    where finished_at is null and not is_preview and repeats <> '{}'
      and id <> all(${[...passedOver]}::uuid[])
    order by id limit ${limit}`.execute(db)
  return found.rows
}

/** Finished erasures of all tenants, in the order of their end after `since`, up to `limit`. */
export async function listFinished(
  db: Db,
  since: { readonly finishedAt: Date; readonly id: string },
  limit: number,
): Promise<readonly TenantErasure[]> {
  const found = await sql<TenantErasure>`
    select tenant_id as "tenantId", ${COLUMNS} from erasure
    where finished_at is not null and not is_preview and (finished_at, id) > (${since.finishedAt}, ${since.id}::uuid)
    order by finished_at, id limit ${limit}`.execute(db)
  return found.rows
}
