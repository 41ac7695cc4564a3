// What a push writes: all its rows, one serial and the list of changed subjects, in one transaction. Each key is there once and in one
// order, so that two pushes of the same subjects wait for each other instead of locking each other out.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import type { Database } from '../../kernel/db/database.ts'
import { COPY_NULL, copyText, inPush, stageRows } from './push-transaction.ts'
import { ensureSources, type SourceName, STATEMENT_SOURCE_KINDS } from './source-store.ts'

/** One observation. Times are milliseconds since 1970. */
export interface SightingRow {
  /** Canonical text of an item. */
  readonly subject: string
  readonly kind: string
  /** Empty when the sensor named none. */
  readonly service: string
  readonly type: string
  readonly source: string
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  readonly count: number
}

export type StatementTable = keyof typeof STATEMENT_SOURCE_KINDS

/** What a source says of a subject: a listing, a tagging or an allowance. Times are milliseconds since 1970. */
export interface StatementRow {
  /** Canonical text of an item or range. */
  readonly subject: string
  /** Name of the list or tag. */
  readonly name: string
  readonly source: string
  readonly isActive: boolean
  readonly reason: string | null
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  /** False when the push gave no time: then a known row keeps its own, so that a repeat changes nothing. */
  readonly hasLastSeen: boolean
  /** Null: until it is withdrawn. */
  readonly expiresMs: number | null
}

type Stores = Pick<Database, 'kysely' | 'pool'>

/** Keeps observations. Of two that differ in their count only, the larger counts. True when anything changed. */
export async function pushSightings(
  { kysely, pool }: Stores,
  rows: readonly SightingRow[],
): Promise<boolean> {
  const distinct = await joinEqual(rows, keyOfSighting, (known, next) =>
    next.count > known.count ? next : known,
  )
  const sources = await resolveSources(kysely, distinct)
  return await inPush(pool, async ({ client, noteChanges }) => {
    await stageRows(client, STAGED_SIGHTINGS, distinct, (row) => {
      const { subject, service, type, firstSeenMs, lastSeenMs, count } = row
      const source = sources(row.kind, row.source)
      return `${subject}\t${source}\t${copyText(service)}\t${copyText(type)}\t${firstSeenMs}\t${lastSeenMs}\t${count}\n`
    })
    await noteChanges(MERGE_SIGHTINGS)
  })
}

const STAGED_SIGHTINGS = {
  name: 'staged_sighting',
  columns:
    'subject text collate "C", source_id integer, service text, type text, first_ms float8, last_ms float8, count bigint',
} as const

const MERGE_SIGHTINGS = `
  insert into sighting as known (subject, source_id, service, type, first_seen, last_seen, count)
  select subject, source_id, service, type,
    to_timestamp(first_ms / 1000), to_timestamp(last_ms / 1000), count
  from staged_sighting
  order by subject, source_id, service, type, first_ms, last_ms
  on conflict (subject, source_id, service, type, first_seen, last_seen)
    do update set count = excluded.count where known.count < excluded.count
  returning subject`

/** Keeps statements. A known one takes over status, reason and expiry; its times only widen. True when anything changed. */
export async function pushStatements(
  { kysely, pool }: Stores,
  table: StatementTable,
  rows: readonly StatementRow[],
): Promise<boolean> {
  const kind = STATEMENT_SOURCE_KINDS[table]
  // The later of two rows of one key is what the caller ended with.
  const distinct = await joinEqual(rows, keyOfStatement, mergeStatements)
  const sources = await resolveSources(kysely, distinct, kind)
  return await inPush(pool, async ({ client, noteChanges }) => {
    await stageStatements(client, distinct, (row) => sources(kind, row.source))
    for (const merge of mergesOf(table, distinct)) await noteChanges(merge)
  })
}

const STAGED_STATEMENTS = {
  name: 'staged_statement',
  columns:
    'subject text collate "C", source_id integer, name text, is_active boolean, reason text, first_ms float8, last_ms float8, has_last boolean, expires_ms float8',
} as const

/** Puts distinct rows into the table that `mergesOf` reads. */
export async function stageStatements(
  client: PoolClient,
  rows: readonly StatementRow[],
  sourceIdOf: (row: StatementRow) => number,
): Promise<void> {
  await stageRows(client, STAGED_STATEMENTS, rows, (row) => {
    const { subject, isActive, firstSeenMs, lastSeenMs, hasLastSeen, expiresMs } = row
    const reason = row.reason === null ? COPY_NULL : copyText(row.reason)
    return `${subject}\t${sourceIdOf(row)}\t${copyText(row.name)}\t${isActive ? 't' : 'f'}\t${reason}\t${firstSeenMs}\t${lastSeenMs}\t${hasLastSeen ? 't' : 'f'}\t${expiresMs ?? COPY_NULL}\n`
  })
}

/** The statements that take the staged rows into `table`; those with and without a time of their own differ. */
export function mergesOf(table: StatementTable, rows: readonly StatementRow[]): readonly string[] {
  return [true, false]
    .filter((hasLastSeen) => rows.some((row) => row.hasLastSeen === hasLastSeen))
    .map((hasLastSeen) => mergeStatement(table, hasLastSeen))
}

function mergeStatement(table: StatementTable, hasLastSeen: boolean): string {
  const lastSeen = hasLastSeen ? 'greatest(known.last_seen, excluded.last_seen)' : 'known.last_seen'
  return `
    insert into ${table} as known
      (subject, source_id, name, is_active, reason, first_seen, last_seen, expires_at)
    select subject, source_id, name, is_active, reason,
      to_timestamp(first_ms / 1000), to_timestamp(last_ms / 1000), to_timestamp(expires_ms / 1000)
    from staged_statement
    where has_last = ${hasLastSeen}
    order by subject, source_id, name
    on conflict (subject, source_id, name) do update set
      is_active = excluded.is_active,
      reason = excluded.reason,
      expires_at = excluded.expires_at,
      first_seen = least(known.first_seen, excluded.first_seen),
      last_seen = ${lastSeen}
    where (known.is_active, known.reason, known.expires_at)
        is distinct from (excluded.is_active, excluded.reason, excluded.expires_at)
      or known.first_seen > excluded.first_seen
      or known.last_seen < ${lastSeen}
    returning subject`
}

type SourceIds = (kind: string, name: string) => number

// A push names few sources, in many rows.
async function resolveSources(
  db: Database['kysely'],
  rows: readonly { readonly kind?: string; readonly source: string }[],
  fixedKind = '',
): Promise<SourceIds> {
  const wanted = new Map<string, SourceName>()
  let last = { kind: '', name: '' }
  for (const { kind = fixedKind, source: name } of rows) {
    if (last.name === name && last.kind === kind) continue
    last = { kind, name }
    wanted.set(`${kind}\0${name}`, last)
  }
  const ids = await ensureSources(db, [...wanted.values()])
  const idByKey = new Map([...wanted.keys()].map((key, at) => [key, ids[at]]))
  return (kind, name) => {
    const id = idByKey.get(`${kind}\0${name}`)
    if (id === undefined) throw new Error(`the source ${kind}/${name} was not asked for`)
    return id
  }
}

// The database keeps no NUL, so the parts cannot run into each other.
function keyOfSighting(row: SightingRow): string {
  const { subject, kind, source, service, type, firstSeenMs, lastSeenMs } = row
  return `${subject}\0${kind}\0${source}\0${service}\0${type}\0${firstSeenMs}\0${lastSeenMs}`
}

export function keyOfStatement({ subject, source, name }: StatementRow): string {
  return `${subject}\0${source}\0${name}`
}

/** Of two rows of one key: what the later says, with the times of both. */
export function mergeStatements(known: StatementRow, next: StatementRow): StatementRow {
  return {
    ...next,
    firstSeenMs: Math.min(known.firstSeenMs, next.firstSeenMs),
    lastSeenMs: mergedLastSeen(known, next),
    hasLastSeen: known.hasLastSeen || next.hasLastSeen,
  }
}

// A time that was given counts more than the moment of the push.
function mergedLastSeen(known: StatementRow, next: StatementRow): number {
  if (known.hasLastSeen === next.hasLastSeen) return Math.max(known.lastSeenMs, next.lastSeenMs)
  return known.hasLastSeen ? known.lastSeenMs : next.lastSeenMs
}

// Well under 1 ms; in between other requests get their turn.
const ROWS_PER_TURN = 500

/** Rows with one of each key, joined in the order they came. */
export async function joinEqual<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  join: (known: Row, next: Row) => Row,
): Promise<readonly Row[]> {
  const parts = Array.from({ length: PARTS }, () => new Map<string, Row>())
  for (const [at, row] of rows.entries()) {
    const key = keyOf(row)
    const distinct = parts[partOf(key)] ?? new Map<string, Row>()
    const known = distinct.get(key)
    distinct.set(key, known === undefined ? row : join(known, row))
    if (at % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn()
  }
  const size = parts.reduce((sum, distinct) => sum + distinct.size, 0)
  return size === rows.length ? rows : parts.flatMap((distinct) => [...distinct.values()])
}

// A map of half a million keys takes 30 ms to grow; so many small ones never take one.
const PARTS = 256

// The characters that differ most from one address or name to the next, whatever follows the subject.
function partOf(key: string): number {
  const middle = Math.min(key.indexOf('\0'), 12)
  return (
    (key.charCodeAt(middle - 1) * 31 +
      key.charCodeAt(middle - 2) * 7 +
      key.charCodeAt(middle - 3)) &
    (PARTS - 1)
  )
}
