// Sightings as versions before migration 0099 stored them, a row an observation. They are moved
// into the days of sightings in small steps, while the service works. Readers sum up both
// (known_sighting), and a push takes over the former rows of what it brings, so each observation
// counts once at any time.

import type { Pool, PoolClient } from 'pg'
import { mergeSightings, SOURCE_AS_STAGED, STAGED_SIGHTINGS } from './merge-sightings.ts'
import { createStaging } from './push-transaction.ts'

// Databases of which no former sighting is left. None is ever written again.
const summedUp = new WeakSet<Pool>()

/** False once all are moved. */
export async function hasFormerSightings(pool: Pool): Promise<boolean> {
  if (summedUp.has(pool)) return false
  const { rows } = await pool.query<{ is_there: boolean }>(
    'select exists (select from former_sighting) as is_there',
  )
  const isThere = rows[0]?.is_there === true
  if (!isThere) summedUp.add(pool)
  return isThere
}

/**
 * Adds to the staged rows the former ones of the same observations, which are then theirs. Returns
 * their number.
 */
export async function takeFormerSightings(
  client: PoolClient,
  source: string,
  values: readonly unknown[],
): Promise<number> {
  const { rowCount } = await client.query(
    `with taken as (
      delete from former_sighting as former using ${STAGED_SIGHTINGS.name} as staged
      where former.subject = staged.subject and former.source_id = ${source}
        and former.service = staged.service and former.type = staged.type
        and former.first_seen = to_timestamp(staged.first_ms / 1000)::timestamptz(3)
        and former.last_seen = to_timestamp(staged.last_ms / 1000)::timestamptz(3)
      returning staged.subject, source_no, staged.service, staged.type, first_ms, last_ms, former.count
    )
    insert into ${STAGED_SIGHTINGS.name}
    select *, -row_number() over () from taken`,
    [...values],
  )
  return rowCount ?? 0
}

export interface SummedUp {
  readonly moved: number
  /** There may be more. */
  readonly isMore: boolean
}

/** Moves up to `limit` former sightings, in one transaction. Several nodes may do so at once. */
export async function sumFormerSightings(pool: Pool, limit: number): Promise<SummedUp> {
  if (!(await hasFormerSightings(pool))) return { moved: 0, isMore: false }
  const client = await pool.connect()
  try {
    await client.query('begin')
    await createStaging(client, STAGED_SIGHTINGS)
    const { rowCount } = await client.query(
      `with step as (
        select subject, source_id, service, type, first_seen, last_seen from former_sighting
        order by subject, source_id, service, type, first_seen, last_seen
        limit $1 for update skip locked
      ),
      taken as (
        delete from former_sighting as former using step
        where (former.subject, former.source_id, former.service, former.type, former.first_seen, former.last_seen)
          = (step.subject, step.source_id, step.service, step.type, step.first_seen, step.last_seen)
        returning former.*
      )
      insert into ${STAGED_SIGHTINGS.name}
      select subject, source_id, service, type,
        date_part('epoch', first_seen) * 1000, date_part('epoch', last_seen) * 1000, count
      from taken`,
      [limit],
    )
    // Nodes know these sightings: nothing is noted in the change log.
    const noteChanges = async (statement: string | { before: string; changed: string }) => {
      const text =
        typeof statement === 'string' ? statement : `with ${statement.before} ${statement.changed}`
      return (await client.query(text)).rowCount ?? 0
    }
    await mergeSightings({ client, noteChanges }, SOURCE_AS_STAGED, [])
    await client.query('commit')
    client.release()
    const moved = rowCount ?? 0
    return { moved, isMore: moved === limit }
  } catch (error) {
    client.release(true)
    throw error
  }
}
