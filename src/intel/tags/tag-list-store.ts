// The lists behind GET /beta/tags/{name}/ips: the items that carry a tag. One statement builds a
// list in the database, and its pages are read from there. So no node has it in memory, and all
// nodes and threads give the same pages.

import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { textArray } from '../../kernel/db/sql-array.ts'
import { REPORT_KIND, type SightingRule, UNVERIFIED_SERVICE } from '../facts/sighting-rules.ts'

/** Entries in one row of tag_list_page. */
const ROW_ENTRIES = 10_000
// A first page may show a list that is up to a minute old, so a popular tag is built at most once a
// minute.
const FRESH_MS = 60_000
// Building a large list takes seconds. So from this many entries on, a fresh list is used although
// there are newer changes.
const LARGE_MIN = 10_000
// A reader that needs longer must begin again. A million entries are a hundred pages.
const KEPT_MS = 3_600_000
// About 300 MB of the database; the newest list is kept whatever its size.
const KEPT_ENTRIES = 20_000_000
const KEPT_LISTS = 1_000
// A scan of ten million taggings takes some seconds; one that takes minutes is stuck.
const BUILD_TIMEOUT_MS = 120_000

export interface TagList {
  readonly id: number
  readonly serial: number
  readonly total: number
  readonly lastUpdateMs: number
}

interface ListRecord {
  readonly id: number
  readonly serial: number
  readonly total: number
  readonly last_update: Date
}

const COLUMNS = sql.raw('id, serial, total, last_update')

/** The list of this id; null when it was removed or never existed. */
export async function findTagList(
  db: Db,
  wanted: { readonly tag: string; readonly serial: number; readonly id: number },
): Promise<TagList | null> {
  const { rows } = await sql<ListRecord>`
    select ${COLUMNS} from tag_list
    where id = ${wanted.id} and tag = ${wanted.tag} and serial = ${wanted.serial}`.execute(db)
  return rows[0] === undefined ? null : toTagList(rows[0])
}

/** The newest list that is still fresh, or null. */
export async function findFreshTagList(
  db: Db,
  tag: string,
  nowMs: number,
): Promise<TagList | null> {
  const { rows } = await sql<ListRecord>`
    select ${COLUMNS} from tag_list
    where tag = ${tag} and made_at > ${new Date(nowMs - FRESH_MS)}
      and (total >= ${LARGE_MIN} or serial = (select serial from intel_serial))
    order by id desc
    limit 1`.execute(db)
  return rows[0] === undefined ? null : toTagList(rows[0])
}

export interface TagListQuestion {
  readonly tag: string
  readonly nowMs: number
  /** Rules that set the tag. */
  readonly rules: readonly SightingRule[]
  readonly lookBackSeconds: number
}

/**
 * Builds the list of subjects that carry the tag by a live tagging or by their own sightings, in
 * byte order. Removes old lists.
 */
export async function makeTagList(db: Db, question: TagListQuestion): Promise<TagList> {
  const { tag, nowMs } = question
  const now = new Date(nowMs)
  return await inTransaction(db, async (tx) => {
    await sql.raw(`set local statement_timeout = ${BUILD_TIMEOUT_MS}`).execute(tx)
    await removeOldLists(tx, now)
    // One statement sees one state, so the serial belongs to exactly these facts.
    const { rows } = await sql<ListRecord>`
      with carrying as materialized (${selectSubjects(question)}),
      numbered as materialized (
        select subject, row_number() over (order by subject) - 1 as ordinal from carrying
      ),
      made as (
        insert into tag_list (tag, serial, total, made_at, last_update)
        select ${tag}, serial, (select count(*) from numbered), ${now},
          coalesce((select created_at from intel_push where intel_push.serial = intel_serial.serial), ${now})
        from intel_serial
        returning id, serial, total, last_update
      ),
      pages as (
        insert into tag_list_page (list_id, page, entries)
        select (select id from made), ordinal / ${sql.lit(ROW_ENTRIES)}, array_agg(subject order by ordinal)
        from numbered
        group by ordinal / ${sql.lit(ROW_ENTRIES)}
      )
      select ${COLUMNS} from made`.execute(tx)
    const row = rows[0]
    if (row === undefined) throw new Error('the row of the serial is gone')
    return toTagList(row)
  })
}

/** A query for the subjects of the list, each once. */
function selectSubjects(question: TagListQuestion): RawBuilder<unknown> {
  const { tag, nowMs, rules } = question
  const tagged = sql`
    select subject from tagging
    where name = ${tag} and is_active and (expires_at is null or expires_at > ${new Date(nowMs)})`
  const sighted = rules.map((rule) => selectByRule(rule, question))
  return sql.join([tagged, ...sighted], sql` union `)
}

// The same rule as `ruleCovers` and `ruleHolds` of facts: all observations of one origin are one
// fact, which counts as a whole when it was last seen within the window.
function selectByRule(rule: SightingRule, question: TagListQuestion): RawBuilder<unknown> {
  const { nowMs, lookBackSeconds } = question
  const window = Math.min(lookBackSeconds, rule.withinSeconds ?? lookBackSeconds)
  const since = new Date((Math.floor(nowMs / 1_000) - window) * 1_000)
  const services =
    rule.services === undefined
      ? sql`and not (kind = ${REPORT_KIND} and service = ${UNVERIFIED_SERVICE})`
      : sql`and service = any(${textArray(rule.services)}::text[])`
  return sql`
    select subject from (
      select subject, source.name, sum(count) as count
      from known_sighting
      join intel_source source on source.id = source_id
      where kind = ${rule.kind} and type = any(${textArray(rule.types)}::text[]) ${services}
      group by subject, source.name, service, type
      having max(last_seen) >= ${since}
    ) as counted
    group by subject
    having sum(count) >= ${rule.countMin} and count(distinct name) >= ${rule.sourcesMin}`
}

async function removeOldLists(db: Db, now: Date): Promise<void> {
  await sql`
    delete from tag_list using (
      select id, made_at, row_number() over newest as age_rank, sum(total) over newest - total as newer
      from tag_list
      window newest as (order by id desc)
    ) as known
    where tag_list.id = known.id and age_rank > 1 and (
      known.made_at < ${new Date(now.getTime() - KEPT_MS)}
      or newer > ${KEPT_ENTRIES} or age_rank > ${KEPT_LISTS}
    )`.execute(db)
}

/** At most `limit` entries from `offset` on, counted from 0. */
export async function readTagListPage(
  db: Db,
  { id }: TagList,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly string[]> {
  const first = Math.floor(offset / ROW_ENTRIES)
  const last = Math.floor((offset + limit - 1) / ROW_ENTRIES)
  const { rows } = await sql<{ entries: string[] }>`
    select entries[
      greatest(${offset}::bigint - page * ${sql.lit(ROW_ENTRIES)}, 0) + 1
      : least(${offset + limit}::bigint - page * ${sql.lit(ROW_ENTRIES)}, ${sql.lit(ROW_ENTRIES)})
    ] as entries
    from tag_list_page
    where list_id = ${id} and page >= ${first} and page <= ${last}
    order by page`.execute(db)
  return rows.flatMap((row) => row.entries)
}

function toTagList(row: ListRecord): TagList {
  return {
    id: row.id,
    serial: row.serial,
    total: row.total,
    lastUpdateMs: row.last_update.getTime(),
  }
}
