// Requests to erase an address (migration 0020): what was asked and how far it has come.

import { sql } from 'kysely'
import type { TenantScope } from '../../kernel/auth/caller.ts'
import type { Db, Tx } from '../../kernel/db/database.ts'
import { buildPage, type PageRequest } from './page-request.ts'

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
}

export interface ErasureRecord {
  readonly id: string
  readonly replacedBy: string
  readonly isPreview: boolean
  readonly requestedBy: string
  readonly startedAt: Date
  readonly finishedAt: Date | null
  readonly place: ErasurePlace
  /** Rows by table. */
  readonly changed: Readonly<Record<string, number>>
  readonly kept: Readonly<Record<string, number>>
}

const COLUMNS = sql`id, replaced_by as "replacedBy", is_preview as "isPreview", requested_by as "requestedBy",
  started_at as "startedAt", finished_at as "finishedAt", place, changed, kept`

/** The one that is under way for this address, else a new one. */
export async function beginErasure(
  db: Db,
  scope: TenantScope,
  wish: Pick<ErasureRecord, 'id' | 'replacedBy' | 'isPreview' | 'requestedBy' | 'place'>,
): Promise<string> {
  const { id, replacedBy, isPreview, requestedBy, place } = wish
  const begun = await sql<{ id: string }>`
    insert into erasure (tenant_id, id, replaced_by, is_preview, requested_by, place)
    values (${scope.tenantId}, ${id}, ${replacedBy}, ${isPreview}, ${requestedBy}, ${JSON.stringify(place)}::jsonb)
    on conflict (tenant_id, replaced_by, is_preview) where finished_at is null
      do update set requested_by = erasure.requested_by
    returning id`.execute(db)
  const [row] = begun.rows
  if (row === undefined) throw new Error('an erasure has no id')
  return row.id
}

/** Locked until the transaction ends: who does the same at the same time waits, and goes on from there. */
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
  { id, place, changed, kept }: Pick<ErasureRecord, 'id' | 'place' | 'changed' | 'kept'>,
  isFinished: boolean,
): Promise<void> {
  await sql`
    update erasure set place = ${JSON.stringify(place)}::jsonb, changed = ${JSON.stringify(changed)}::jsonb,
      kept = ${JSON.stringify(kept)}::jsonb, finished_at = case when ${isFinished} then now() end
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
