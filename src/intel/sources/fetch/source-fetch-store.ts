// The table of fetches: which source is due, which node fetches it, and the last result. A node
// leases a source here before it fetches it, so that only one node or request does. The lease of a
// dead node expires. Leases go by the clock of the database, since those of two nodes may differ.

import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'

// Longer than a fetch can take: 2 minutes for the download, 5 for each statement of the
// replacement.
const LEASE_SECONDS = 15 * 60
// A failed fetch is retried after the interval of the source, or after an hour if that is sooner.
const RETRY_SECONDS_MAX = 3_600

export interface LeasedSource {
  readonly id: number
  readonly kind: string
  readonly name: string
  readonly url: string
  readonly format: string
  readonly entryName: string
  readonly etag: string | null
  readonly lastModified: string | null
}

interface LeaseRecord {
  readonly id: number
  readonly kind: string
  readonly name: string
  readonly url: string
  readonly format: string
  readonly entry_name: string
  readonly etag: string | null
  readonly last_modified: string | null
}

/** Leases the enabled source that is due for longest; null when none is due. */
export async function leaseDueSource(db: Db, nowMs: number): Promise<LeasedSource | null> {
  const now = new Date(nowMs)
  const { rows } = await sql<LeaseRecord>`
    update source_fetch
    set leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    from intel_source
    where id = source_id and source_id = (
      select source_id from source_fetch
      where is_enabled and next_at <= ${now} and (leased_until is null or leased_until <= now())
      order by next_at, source_id
      limit 1
      for update skip locked
    )
    returning id, kind, name, url, format, entry_name, etag, last_modified`.execute(db)
  return rows[0] === undefined ? null : toLease(rows[0])
}

/** Leases this source, due or not; null when another request or node has it. */
export async function leaseSource(db: Db, id: number): Promise<LeasedSource | null> {
  const { rows } = await sql<LeaseRecord>`
    update source_fetch
    set leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    from intel_source
    where id = source_id and source_id = ${id} and (leased_until is null or leased_until <= now())
    returning id, kind, name, url, format, entry_name, etag, last_modified`.execute(db)
  return rows[0] === undefined ? null : toLease(rows[0])
}

export interface FetchEnd {
  /** Null after a success. */
  readonly trouble: string | null
  /** ETag and Last-Modified to send next time; undefined keeps the former ones. */
  readonly validators?: { readonly etag: string | null; readonly lastModified: string | null }
}

/**
 * Ends the lease and sets the next fetch. When the settings of the source changed during the fetch,
 * no result is stored and the source is due at once.
 */
export async function endFetch(
  db: Db,
  source: LeasedSource,
  { trouble, validators }: FetchEnd,
  nowMs: number,
): Promise<void> {
  const now = new Date(nowMs)
  const { etag, lastModified } = validators ?? source
  const isSame = sql`(url, format, entry_name) = (${source.url}, ${source.format}, ${source.entryName})`
  await sql`
    update source_fetch
    set leased_until = null,
      tried_at = ${now},
      trouble = case when ${isSame} then ${trouble} end,
      etag = case when ${isSame} then ${etag} end,
      last_modified = case when ${isSame} then ${lastModified} end,
      next_at = case
        when not (${isSame}) then ${now}::timestamptz
        when ${trouble === null} then ${now}::timestamptz + make_interval(secs => interval_seconds)
        else ${now}::timestamptz + make_interval(secs => least(interval_seconds, ${RETRY_SECONDS_MAX}))
      end
    where source_id = ${source.id}`.execute(db)
}

function toLease(row: LeaseRecord): LeasedSource {
  const { entry_name: entryName, last_modified: lastModified, ...rest } = row
  return { ...rest, entryName, lastModified }
}
