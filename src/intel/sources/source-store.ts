// Where intel comes from. A source is keyed by kind and name (design section 10): one name may
// exist in several kinds.

import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { textArray } from '../../kernel/db/sql-array.ts'
import type { SourceName } from '../facts/source-kinds.ts'

/**
 * Ids of the sources in the order given; those not known yet are created. Outside any push
 * transaction, so that two first pushes of one source do not wait for each other's rows.
 */
export async function ensureSources(db: Db, sources: readonly SourceName[]): Promise<number[]> {
  const kinds = textArray(sources.map((source) => source.kind))
  const names = textArray(sources.map((source) => source.name))
  const known = await findSources(db, kinds, names)
  if (sources.every((source) => known.has(keyOf(source)))) return toIds(sources, known)
  await sql`
    insert into intel_source (kind, name)
    select kind, name from unnest(${kinds}::text[], ${names}::text[]) as wanted (kind, name)
    on conflict (kind, name) do nothing`.execute(db)
  return toIds(sources, await findSources(db, kinds, names))
}

async function findSources(db: Db, kinds: string, names: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; kind: string; name: string }>`
    select s.id, s.kind, s.name
    from unnest(${kinds}::text[], ${names}::text[]) as wanted (kind, name)
    join intel_source s on s.kind = wanted.kind and s.name = wanted.name`.execute(db)
  return new Map(rows.map((row) => [keyOf(row), row.id]))
}

function toIds(sources: readonly SourceName[], known: ReadonlyMap<string, number>): number[] {
  return sources.map((source) => {
    const id = known.get(keyOf(source))
    if (id === undefined) throw new Error(`the source ${source.kind}/${source.name} was not kept`)
    return id
  })
}

// The database keeps no NUL, so the two parts cannot run into each other.
function keyOf({ kind, name }: SourceName): string {
  return `${kind}\0${name}`
}
