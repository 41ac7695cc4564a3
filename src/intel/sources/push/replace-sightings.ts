// Replaces the sightings that accepted reports wrote about some subjects, in one transaction and
// one serial. The same rows again change nothing and raise no serial.

import { sql } from 'kysely'
import type { Database } from '../../../kernel/db/database.ts'
import { REPORT_KIND, REPORT_SOURCE_PREFIX } from '../../facts/sighting-rules.ts'
import { ensureSources } from '../source-store.ts'
import { STAGED_SIGHTINGS } from './merge-staged.ts'
import { integerArray } from './push-store.ts'
import { inPush, stageRows } from './push-transaction.ts'
import { RowStager, type SightingRow } from './staged-rows.ts'

type Stores = Pick<Database, 'kysely' | 'pool'>

// Nodes learn of the change from the change log.
const NO_AUDIENCE = { facts: null, listener: null } as const

export interface ReplacedSightings {
  /** The part of the names of the sources that stands for the tenant. */
  readonly sourceKey: string
  readonly subjects: readonly string[]
  /** All of the sightings of the subjects; each key once, of sources of this key. */
  readonly rows: readonly SightingRow[]
}

/** True when anything changed. */
export async function replaceReportSightings(
  { kysely, pool }: Stores,
  { sourceKey, subjects, rows }: ReplacedSightings,
): Promise<boolean> {
  const stager = new RowStager()
  for (const row of rows) stager.addSighting(row)
  const staged = stager.build()
  const sourceIds = integerArray(await ensureSources(kysely, staged.sources))
  const allIds = integerArray(await listReportSources({ kysely }, sourceKey))
  return await inPush(pool, 'sighting', NO_AUDIENCE, async ({ client, noteChanges }) => {
    await stageRows(client, STAGED_SIGHTINGS, staged.pieces)
    await noteChanges(REMOVE_OTHERS, [[...subjects], allIds, sourceIds])
    if (staged.rowCount > 0) await noteChanges(MERGE, [sourceIds])
    return false
  })
}

const REMOVE_OTHERS = `
  delete from sighting as known
  where subject = any($1::text[]) and source_id = any($2::integer[]) and not exists (
    select from ${STAGED_SIGHTINGS.name} as staged
    where staged.subject = known.subject and ($3::integer[])[staged.source_no] = known.source_id
      and staged.service = known.service and staged.type = known.type
      and to_timestamp(staged.first_ms / 1000) = known.first_seen
      and to_timestamp(staged.last_ms / 1000) = known.last_seen
  )
  returning subject`

// Unlike a push of a sensor, a count may become less.
const MERGE = `
  insert into sighting as known (subject, source_id, service, type, first_seen, last_seen, count)
  select subject, ($1::integer[])[source_no] as source_id, service, type,
    to_timestamp(first_ms / 1000), to_timestamp(last_ms / 1000), count
  from ${STAGED_SIGHTINGS.name}
  order by subject, source_id, service, type, first_ms, last_ms
  on conflict (subject, source_id, service, type, first_seen, last_seen)
    do update set count = excluded.count where known.count <> excluded.count
  returning subject`

/** Removes all sightings and sources of this key. True when anything changed. */
export async function removeReportSightings(stores: Stores, sourceKey: string): Promise<boolean> {
  const ids = await listReportSources(stores, sourceKey)
  if (ids.length === 0) return false
  const values = [integerArray(ids)]
  return await inPush(stores.pool, 'sighting', NO_AUDIENCE, async ({ client, noteChanges }) => {
    await noteChanges(
      'delete from sighting where source_id = any($1::integer[]) returning subject',
      values,
    )
    await client.query('delete from intel_source where id = any($1::integer[])', values)
    return false
  })
}

async function listReportSources(
  { kysely }: Pick<Stores, 'kysely'>,
  sourceKey: string,
): Promise<number[]> {
  const found = await sql<{ id: number }>`
    select id from intel_source
    where kind = ${REPORT_KIND} and starts_with(name, ${`${REPORT_SOURCE_PREFIX}${sourceKey}:`})`.execute(
    kysely,
  )
  return found.rows.map(({ id }) => id)
}
