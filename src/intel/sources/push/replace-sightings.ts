// Replaces the sightings that accepted reports wrote about some subjects, in one transaction and
// one serial. The same rows again change nothing and raise no serial.

import { sql } from 'kysely'
import type { Database } from '../../../kernel/db/database.ts'
import { REPORT_KIND, REPORT_SOURCE_PREFIX } from '../../facts/sighting-rules.ts'
import { ensureSources } from '../source-store.ts'
import {
  deleteDays,
  deleteSightings,
  SOURCE_OF_PUSH,
  STAGED_SIGHTINGS,
  stagedSightings,
} from './merge-sightings.ts'
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
    // As versions before migration 0099 stored them.
    const former = [[...subjects], allIds]
    await noteChanges(REMOVE_FORMER, former)
    const others = { before: deleteDays(IS_OTHER), changed: 'select subject from gone' }
    await noteChanges(others, [sourceIds, [...subjects], allIds])
    if (staged.rowCount > 0) await noteChanges(MERGE, [sourceIds])
    return false
  })
}

const REMOVE_FORMER = `
  delete from former_sighting
  where subject = any($1::text[]) and source_id = any($2::integer[])
  returning subject`

const IS_OTHER = `
  subject = any($2::text[]) and source_id = any($3::integer[]) and not exists (
    select from ${stagedSightings(SOURCE_OF_PUSH)} as staged
    where staged.subject = known.subject and staged.source_id = known.source_id
      and staged.service = known.service and staged.type = known.type and staged.day = known.day
  )`

// Unlike a push of a sensor, a count may become less, and the span of a day shorter.
const MERGE = `
  insert into sighting as known
    (subject, source_id, service, type, day, first_seen, last_seen, count, is_single)
  select subject, source_id, service, type, day, min(first_seen), max(last_seen), sum(count), true
  from ${stagedSightings(SOURCE_OF_PUSH)} as staged
  group by subject, source_id, service, type, day
  order by subject, source_id, service, type, day
  on conflict (subject, source_id, service, type, day) do update set
    first_seen = excluded.first_seen, last_seen = excluded.last_seen, count = excluded.count
  where (known.first_seen, known.last_seen, known.count)
    is distinct from (excluded.first_seen, excluded.last_seen, excluded.count)
  returning subject`

/** Removes all sightings and sources of this key. True when anything changed. */
export async function removeReportSightings(stores: Stores, sourceKey: string): Promise<boolean> {
  const ids = await listReportSources(stores, sourceKey)
  if (ids.length === 0) return false
  const values = [integerArray(ids)]
  return await inPush(stores.pool, 'sighting', NO_AUDIENCE, async (push) => {
    await deleteSightings(push, 'source_id = any($1::integer[])', values)
    await push.client.query('delete from intel_source where id = any($1::integer[])', values)
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
