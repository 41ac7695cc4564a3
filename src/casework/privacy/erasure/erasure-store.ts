// Requests to erase addresses (migrations 0020 and 0024): what was asked and how far it has come.

import { sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import { buildPage, type PageRequest } from '../../../kernel/db/page-request.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'

/** Where to go on. */
export interface ErasurePlace {
  /** Everything is gone through until nothing was found; so what moved meanwhile is found too. */
  readonly pass: number
  readonly hasChanged: boolean
  /** The first table from this name on. */
  readonly table: string
  /** The page of it. */
  readonly page: number
  /** Hexadecimal; of raw reports, which have a key instead of pages. */
  readonly key: string
  /** Cases that are counted anew when their events have been gone through. */
  readonly recount: readonly string[]
}

export interface ErasureRecord {
  readonly id: string
  /** What stands in place of the address; of several, one word for all of them. */
  readonly replacedBy: string
  /** What stands in place of each. */
  readonly subjects: readonly string[]
  /** Erasures that this one repeats, without knowing the addresses. */
  readonly repeats: readonly string[]
  readonly isPreview: boolean
  readonly requestedBy: string
  readonly startedAt: Date
  readonly finishedAt: Date | null
  readonly place: ErasurePlace
  /** Rows by table. */
  readonly changed: Readonly<Record<string, number>>
  readonly kept: Readonly<Record<string, number>>
  readonly held: Readonly<Record<string, number>>
}

const COLUMNS = sql`id, replaced_by as "replacedBy", subjects, repeats::text[], is_preview as "isPreview",
  requested_by as "requestedBy", started_at as "startedAt", finished_at as "finishedAt", place, changed, kept, held`

export type ErasureWish = Pick<
  ErasureRecord,
  'replacedBy' | 'subjects' | 'repeats' | 'isPreview' | 'requestedBy'
>

export const ERASURE_START: ErasurePlace = {
  pass: 0,
  hasChanged: false,
  table: '',
  page: 0,
  key: '',
  recount: [],
}

/** The one that is under way for the same, else a new one. */
export async function beginErasure(
  db: Db,
  scope: TenantScope,
  newId: string,
  { replacedBy, subjects, repeats, isPreview, requestedBy }: ErasureWish,
): Promise<string> {
  const begun = await sql<{ id: string }>`
    insert into erasure (tenant_id, id, replaced_by, subjects, repeats, is_preview, requested_by, place)
    values (${scope.tenantId}, ${newId}, ${replacedBy}, ${[...subjects]}::text[], ${[...repeats]}::uuid[], ${isPreview},
      ${requestedBy}, ${JSON.stringify(ERASURE_START)}::jsonb)
    on conflict (tenant_id, replaced_by, is_preview) where finished_at is null
      do update set requested_by = erasure.requested_by
    returning id`.execute(db)
  const [row] = begun.rows
  if (row === undefined) throw new Error('an erasure has no id')
  return row.id
}

/**
 * Locked until the transaction ends: who does the same at the same time waits, and goes on from
 * there.
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

export async function settleErasure(
  tx: Tx,
  scope: TenantScope,
  {
    id,
    place,
    changed,
    kept,
    held,
  }: Pick<ErasureRecord, 'id' | 'place' | 'changed' | 'kept' | 'held'>,
  isFinished: boolean,
): Promise<void> {
  await sql`
    update erasure set place = ${JSON.stringify(place)}::jsonb, changed = ${JSON.stringify(changed)}::jsonb,
      kept = ${JSON.stringify(kept)}::jsonb, held = ${JSON.stringify(held)}::jsonb, finished_at = case when ${isFinished} then now() end
    where tenant_id = ${scope.tenantId} and id = ${id}::uuid`.execute(tx)
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

export interface TenantErasure extends ErasureRecord {
  readonly tenantId: string
}

/** Repeats that are not done, of all tenants: they need nobody to send an address. */
export async function listRepeatsUnderWay(
  db: Db,
  limit: number,
): Promise<readonly TenantErasure[]> {
  const found = await sql<TenantErasure>`
    select tenant_id as "tenantId", ${COLUMNS} from erasure
    where finished_at is null and not is_preview and repeats <> '{}' order by id limit ${limit}`.execute(
    db,
  )
  return found.rows
}

/** Of all tenants: the erasures that were done at this time or later, up to `limit`. */
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
