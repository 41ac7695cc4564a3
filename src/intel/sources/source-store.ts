// The sources of intel in the database: name, description, terms of use, time to live, fetch
// settings, and when each was last heard of. A source is keyed by kind and name, since one name may
// exist in several kinds (design section 10).

import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import { textArray } from '../../kernel/db/sql-array.ts'
import type { SourceName } from '../facts/source-kinds.ts'

// Far more than one service has; it bounds the answer of the list.
const SOURCES_MAX = 2_000
// Noting the time of each push of a sensor would double the cost of the push.
const HEARD_SECONDS = 10

export interface FetchSettings {
  readonly url: string
  readonly format: string
  /** The list or tag that the entries are on. */
  readonly entryName: string
  readonly isEnabled: boolean
  readonly intervalSeconds: number
}

export interface SourceDescription {
  readonly description: string | null
  readonly origin: string | null
  readonly licence: string | null
  readonly ttlSeconds: number | null
  readonly fetch: FetchSettings | null
}

export interface KnownSource extends SourceDescription {
  readonly id: number
  readonly kind: string
  readonly name: string
  readonly createdAtMs: number
  readonly heardAtMs: number | null
  readonly heardSerial: number | null
  readonly triedAtMs: number | null
  /** A node fetches the source now. Not for long after that node died. */
  readonly isLeased: boolean
  readonly nextAtMs: number | null
  readonly trouble: string | null
}

interface SourceRecord {
  readonly id: number
  readonly kind: string
  readonly name: string
  readonly created_at: Date
  readonly description: string | null
  readonly origin: string | null
  readonly licence: string | null
  readonly ttl_seconds: number | null
  readonly heard_at: Date | null
  readonly heard_serial: number | null
  readonly url: string | null
  readonly format: string | null
  readonly entry_name: string | null
  readonly is_enabled: boolean | null
  readonly interval_seconds: number | null
  readonly tried_at: Date | null
  readonly is_leased: boolean
  readonly next_at: Date | null
  readonly trouble: string | null
}

const SELECT = sql.raw(`
  select id, kind, name, created_at, description, origin, licence, ttl_seconds, heard_at, heard_serial,
    url, format, entry_name, is_enabled, interval_seconds, tried_at, coalesce(leased_until > now(), false) as is_leased, next_at, trouble
  from intel_source left join source_fetch on source_id = id`)

/** Every source, by kind and name. */
export async function listSources(db: Db): Promise<readonly KnownSource[]> {
  const { rows } = await sql<SourceRecord>`
    ${SELECT} order by kind collate "C", name collate "C" limit ${SOURCES_MAX}`.execute(db)
  return rows.map(toKnownSource)
}

export async function findSource(db: Db, { kind, name }: SourceName): Promise<KnownSource | null> {
  const { rows } =
    await sql<SourceRecord>`${SELECT} where kind = ${kind} and name = ${name}`.execute(db)
  return rows[0] === undefined ? null : toKnownSource(rows[0])
}

/** True when a source of this kind is there. */
export async function hasSourceOfKind(db: Db, kind: string): Promise<boolean> {
  const { rows } = await sql<{ is_there: boolean }>`
    select exists (select from intel_source where kind = ${kind}) as is_there`.execute(db)
  return rows[0]?.is_there === true
}

/** As the audit log names a source. */
export function nameSource({ kind, name }: SourceName): string {
  return `${kind}/${name}`
}

/** Null without such a source. No other transaction changes it before this one ends. */
export async function lockDescription(
  tx: Tx,
  source: SourceName,
): Promise<SourceDescription | null> {
  const { kind, name } = source
  await sql`select from intel_source where kind = ${kind} and name = ${name} for update`.execute(tx)
  const found = await findSource(tx, source)
  if (found === null) return null
  const { description, origin, licence, ttlSeconds, fetch } = found
  return { description, origin, licence, ttlSeconds, fetch }
}

/** Creates the source or replaces its whole description. True when it was created. */
export async function putSource(
  db: Db,
  { kind, name }: SourceName,
  source: SourceDescription,
  nowMs: number,
): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ id: number; is_new: boolean }>`
      insert into intel_source (kind, name, description, origin, licence, ttl_seconds)
      values (${kind}, ${name}, ${source.description}, ${source.origin}, ${source.licence}, ${source.ttlSeconds})
      on conflict (kind, name) do update set
        description = excluded.description, origin = excluded.origin,
        licence = excluded.licence, ttl_seconds = excluded.ttl_seconds
      returning id, xmax = 0 as is_new`.execute(tx)
    const row = rows[0]
    if (row === undefined) throw new Error('the source was not stored')
    await putFetch(tx, row.id, source.fetch, nowMs)
    return row.is_new
  })
}

// A changed URL, format or entry name makes the source due at once, and forgets ETag and last
// error. A changed interval only moves the next fetch.
async function putFetch(
  tx: Tx,
  sourceId: number,
  fetch: FetchSettings | null,
  nowMs: number,
): Promise<void> {
  if (fetch === null) {
    await sql`delete from source_fetch where source_id = ${sourceId}`.execute(tx)
    return
  }
  const { url, format, entryName, isEnabled, intervalSeconds } = fetch
  const now = new Date(nowMs)
  await sql`
    insert into source_fetch as known
      (source_id, url, format, entry_name, is_enabled, interval_seconds, next_at)
    values (${sourceId}, ${url}, ${format}, ${entryName}, ${isEnabled}, ${intervalSeconds}, ${now})
    on conflict (source_id) do update set
      url = excluded.url, format = excluded.format, entry_name = excluded.entry_name,
      is_enabled = excluded.is_enabled, interval_seconds = excluded.interval_seconds,
      (etag, last_modified, trouble, next_at) = (
        select
          case when is_same then known.etag end, case when is_same then known.last_modified end,
          case when is_same then known.trouble end,
          case when is_same
            then least(known.next_at, ${now}::timestamptz + make_interval(secs => excluded.interval_seconds))
            else excluded.next_at end
        from (
          select (known.url, known.format, known.entry_name)
            = (excluded.url, excluded.format, excluded.entry_name) as is_same
        ) as compared
      )`.execute(tx)
}

/**
 * Notes that data of these sources was stored just now. A row that another transaction has locked
 * is skipped: that transaction notes the same.
 */
export async function noteHeard(db: Db, sources: readonly SourceName[]): Promise<void> {
  const kinds = textArray(sources.map((source) => source.kind))
  const names = textArray(sources.map((source) => source.name))
  await sql`
    update intel_source
    set heard_at = now(), heard_serial = (select serial from intel_serial)
    where id in (
      select id from intel_source
      join unnest(${kinds}::text[], ${names}::text[]) as heard (kind, name) using (kind, name)
      where heard_at is null or heard_at < now() - make_interval(secs => ${HEARD_SECONDS})
      for update of intel_source skip locked
    )`.execute(db)
}

function toKnownSource(row: SourceRecord): KnownSource {
  const { url, format, entry_name: entryName, interval_seconds: intervalSeconds } = row
  const hasFetch = url !== null && format !== null && entryName !== null && intervalSeconds !== null
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    createdAtMs: row.created_at.getTime(),
    description: row.description,
    origin: row.origin,
    licence: row.licence,
    ttlSeconds: row.ttl_seconds,
    heardAtMs: row.heard_at?.getTime() ?? null,
    heardSerial: row.heard_serial,
    fetch: hasFetch
      ? { url, format, entryName, intervalSeconds, isEnabled: row.is_enabled === true }
      : null,
    triedAtMs: row.tried_at?.getTime() ?? null,
    isLeased: row.is_leased,
    nextAtMs: row.next_at?.getTime() ?? null,
    trouble: row.trouble,
  }
}

/**
 * Ids of the sources in the given order; missing sources are created. Runs outside any push
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

/**
 * Creates missing sources of one kind inside the transaction that stores their entries, and notes
 * that they were heard of. The rows stay locked until its end, so that a removal of a source comes
 * before all of its entries or after them.
 */
export async function ensureHeardSources(
  tx: Tx,
  kind: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  await sql`
    insert into intel_source (kind, name, heard_at)
    select ${kind}, name, now() from unnest(${textArray([...names].toSorted())}::text[]) as heard (name)
    on conflict (kind, name) do update set heard_at = excluded.heard_at`.execute(tx)
}

/** Locks the row of a source until the end of the transaction; false when it is gone. */
export async function lockSource(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql`select id from intel_source where id = ${id} for update`.execute(tx)
  return rows.length > 0
}

/** Its entries are removed before, in the same transaction. */
export async function deleteSourceRow(tx: Tx, id: number): Promise<void> {
  await sql`delete from intel_source where id = ${id}`.execute(tx)
}

async function findSources(db: Db, kinds: string, names: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; kind: string; name: string }>`
    select id, kind, name
    from unnest(${kinds}::text[], ${names}::text[]) as wanted (kind, name)
    join intel_source using (kind, name)`.execute(db)
  return new Map(rows.map((row) => [keyOf(row), row.id]))
}

function toIds(sources: readonly SourceName[], known: ReadonlyMap<string, number>): number[] {
  return sources.map((source) => {
    const id = known.get(keyOf(source))
    if (id === undefined) throw new Error(`the source ${source.kind}/${source.name} was not stored`)
    return id
  })
}

// The database stores no NUL, so two different pairs never give the same key.
function keyOf({ kind, name }: SourceName): string {
  return `${kind}\0${name}`
}
