// Which sources are to be fetched, by whom, and how it went. A node that fetches a source leases it
// in this table, so that of all nodes and requests only one does; the lease of a node that died
// runs out.

import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'

// Longer than a fetch with its replacement can take: 2 minutes for the list, 5 for each statement.
const LEASE_SECONDS = 15 * 60
// A failed fetch is tried again after an hour at most, and never sooner than a list may be asked
// for.
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

/** The enabled source that is due for longest, leased; null when none is. */
export async function leaseDueSource(db: Db, nowMs: number): Promise<LeasedSource | null> {
  const now = new Date(nowMs)
  const { rows } = await sql<LeaseRecord>`
    update source_fetch
    set leased_until = ${now}::timestamptz + make_interval(secs => ${LEASE_SECONDS})
    from intel_source
    where id = source_id and source_id = (
      select source_id from source_fetch
      where is_enabled and next_at <= ${now} and (leased_until is null or leased_until <= ${now})
      order by next_at, source_id
      limit 1
      for update skip locked
    )
    returning id, kind, name, url, format, entry_name, etag, last_modified`.execute(db)
  return rows[0] === undefined ? null : toLease(rows[0])
}

/** This source, leased, whether it is due or not; null when somebody else has it. */
export async function leaseSource(db: Db, id: number, nowMs: number): Promise<LeasedSource | null> {
  const now = new Date(nowMs)
  const { rows } = await sql<LeaseRecord>`
    update source_fetch
    set leased_until = ${now}::timestamptz + make_interval(secs => ${LEASE_SECONDS})
    from intel_source
    where id = source_id and source_id = ${id} and (leased_until is null or leased_until <= ${now})
    returning id, kind, name, url, format, entry_name, etag, last_modified`.execute(db)
  return rows[0] === undefined ? null : toLease(rows[0])
}

export interface FetchEnd {
  /** Null when all went well. */
  readonly trouble: string | null
  /** What to send next time; left as it is when undefined. */
  readonly validators?: { readonly etag: string | null; readonly lastModified: string | null }
}

/**
 * Gives the lease back and says when the source is due again. What was changed meanwhile is fetched
 * anew, so nothing is noted of it.
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
