// Reads the facts of the few subjects that changed, for the overlay. Many subjects, or all, are
// read by fact-stream.ts.

import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { textArray } from '../../kernel/db/sql-array.ts'
import type { SubjectFacts } from '../facts/facts.ts'
import type { StatementTable } from '../facts/source-kinds.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import { SnapshotBuilder } from '../snapshot/snapshot-builder.ts'
import {
  type BuildTime,
  factsOf,
  parseStored,
  SIGHTING_COLUMNS,
  SIGHTING_GROUP,
  STATEMENT_COLUMNS,
} from './fact-columns.ts'
import { readSerials } from './serial-store.ts'

interface StatementRecord {
  readonly subject: string
  readonly first_seconds: number
  readonly last_seconds: number
  readonly expires_seconds: number
  readonly name: string
  readonly source: string
}

interface SightingRecord {
  readonly subject: string
  readonly first_seconds: number
  readonly last_seconds: number
  readonly count: number
  readonly kind: string
  readonly service: string
  readonly type: string
  readonly source: string
}

type FactLists = { -readonly [Kind in keyof SubjectFacts]: SubjectFacts[Kind][number][] }

interface FewOptions extends BuildTime {
  readonly after: number
  readonly upTo: number
  /** Skips pushes of more subjects. The layer then has this serial, up to which all is known. */
  readonly small?: { readonly subjectsMax: number; readonly serial: number; readonly mark: string }
}

export interface FewChanges {
  /** Has the serial that was asked for. */
  readonly layer: Snapshot
  /** The serial at which its facts were read: the one asked for, or a later one. */
  readonly seenTo: number
}

/**
 * The same as `readSnapshot` for a few changes, with ordinary queries in this thread: for hundreds
 * of subjects that is quicker than anything prepared for more.
 */
export async function readFewChanges(db: Db, options: FewOptions): Promise<FewChanges> {
  // One snapshot of all tables, so that it is known which pushes the facts hold.
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => await readFew(tx, options))
}

async function readFew(db: Db, options: FewOptions): Promise<FewChanges> {
  const { after, upTo, small, seed, builtAtMs, lookBackSeconds } = options
  const { mark, serial: seenTo } = await readSerials(db, upTo)
  const changed = await sql<{ subject: string }>`
    select distinct subject
    from intel_push
    join intel_change on push_id = intel_push.id
    cross join unnest(subjects) as changed (subject)
    where serial > ${after} and serial <= ${upTo}
      and subject_count <= ${small?.subjectsMax ?? Number.MAX_SAFE_INTEGER}::bigint`.execute(db)
  const subjects = changed.rows.map((row) => row.subject)
  const builder = new SnapshotBuilder(seed === undefined ? {} : { seed })
  for (const [text, facts] of await loadFacts(db, subjects, options)) {
    const subject = parseStored(text)
    builder.addNothing(subject)
    builder.add(subject, facts)
  }
  const { serial, mark: ownMark } = small ?? { serial: upTo, mark: mark ?? '' }
  const layer = builder.build({ serial, mark: ownMark, builtAtMs, lookBackSeconds })
  return { layer, seenTo }
}

/** All facts of each subject; a subject without any is there with empty lists. */
async function loadFacts(
  db: Db,
  subjects: readonly string[],
  time: BuildTime,
): Promise<ReadonlyMap<string, SubjectFacts>> {
  const facts = new Map<string, FactLists>(
    subjects.map((subject) => [
      subject,
      { listings: [], taggings: [], sightings: [], allowances: [] },
    ]),
  )
  const among = sql`and subject = any(${textArray(subjects)}::text[])`
  const readStatements = async (table: StatementTable): Promise<readonly StatementRecord[]> => {
    const from = sql.raw(factsOf(table, time))
    const { rows } = await sql<StatementRecord>`
      select ${sql.raw(STATEMENT_COLUMNS)} ${from} ${among}`.execute(db)
    return rows
  }
  for (const row of await readStatements('listing')) {
    facts.get(row.subject)?.listings.push({ list: row.name, ...statementOf(row) })
  }
  for (const row of await readStatements('allowance')) {
    facts.get(row.subject)?.allowances.push({ list: row.name, ...statementOf(row) })
  }
  for (const row of await readStatements('tagging')) {
    facts.get(row.subject)?.taggings.push({ tag: row.name, ...statementOf(row) })
  }
  const sightings = await sql<SightingRecord>`
    select ${sql.raw(SIGHTING_COLUMNS)} ${sql.raw(factsOf('sighting', time))} ${among}
    group by ${sql.raw(SIGHTING_GROUP)}`.execute(db)
  for (const row of sightings.rows) {
    const { kind, service, type, source, count } = row
    const times = { firstSeenSeconds: row.first_seconds, lastSeenSeconds: row.last_seconds }
    facts.get(row.subject)?.sightings.push({ kind, service, type, source, count, ...times })
  }
  return facts
}

function statementOf(row: StatementRecord): {
  readonly source: string
  readonly firstSeenSeconds: number
  readonly lastSeenSeconds: number
  readonly expiresSeconds: number
} {
  return {
    source: row.source,
    firstSeenSeconds: row.first_seconds,
    lastSeenSeconds: row.last_seconds,
    expiresSeconds: row.expires_seconds,
  }
}
