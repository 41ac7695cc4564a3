// SQL of the entries of sources whose entries are facts: listings, allowances, taggings, and the
// observations of sensors. No index leads by source, which would slow down every push: a page reads
// the key of its table (subject first) from its first subject on. Reading all pages of a source
// reads the whole key once, also for a source that has none of the entries.

import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../../../kernel/clock.ts'
import type { Database, Db } from '../../../kernel/db/database.ts'
import { seeTransaction } from '../../../kernel/db/see-transaction.ts'
import { textArray } from '../../../kernel/db/sql-array.ts'
import { type FactTable, STATEMENT_SOURCE_KINDS } from '../../facts/source-kinds.ts'
import type { IntelIndex } from '../../index/intel-index.ts'
import { deleteSightings } from '../push/merge-sightings.ts'
import { inPush, type PushTransaction } from '../push/push-transaction.ts'
import type { EntryPage, EntryStore, SourceEntry, StoredSource } from './entry-store.ts'

/** The table of the entries of such sources. Every kind without a list of its own is a sensor. */
function tableOfSourceKind(kind: string): FactTable {
  switch (kind) {
    case STATEMENT_SOURCE_KINDS.listing:
      return 'listing'
    case STATEMENT_SOURCE_KINDS.tagging:
      return 'tagging'
    case STATEMENT_SOURCE_KINDS.allowance:
      return 'allowance'
    default:
      return 'sighting'
  }
}

/** Sightings are read with those that are not summed up yet. */
function readFrom(table: FactTable): string {
  return table === 'sighting' ? 'known_sighting' : table
}

// Nodes learn of a removal from the change log.
const NO_AUDIENCE = { facts: null, listener: null } as const

export interface FactEntriesDeps {
  readonly database: Pick<Database, 'kysely' | 'pool'>
  readonly clock: Clock
  readonly index: Pick<IntelIndex, 'refreshNow'>
}

export function createFactEntries({ database, clock, index }: FactEntriesDeps): EntryStore {
  const { kysely: db, pool } = database
  // The change is durable. When reading it back fails, the call has still succeeded and the next
  // poll reads it.
  const show = (): Promise<void> => index.refreshNow().catch(() => undefined)
  return {
    async list(source, page) {
      const table = tableOfSourceKind(source.kind)
      return table === 'sighting'
        ? await listSightings(db, source, page)
        : await listStatements(db, { table, source, page, now: new Date(clock.nowMs()) })
    },
    async findAmong(source, subjects) {
      const table = tableOfSourceKind(source.kind)
      const { rows } = await sql<{ subject: string }>`
        select wanted.subject
        from unnest(${textArray(subjects)}::text[]) with ordinality as wanted (subject, at)
        where exists (
          select from ${sql.table(readFrom(table))} as known
          where known.subject = wanted.subject and known.source_id = ${source.id}
            ${table === 'sighting' ? sql`` : sql`and is_active`}
        )
        order by at`.execute(db)
      return rows.map(({ subject }) => subject)
    },
    async delist(source, subject, record) {
      const table = tableOfSourceKind(source.kind)
      let removed = 0
      await inPush(pool, table, NO_AUDIENCE, async (push) => {
        const values = [subject.text, source.id]
        removed = await deleteFacts(push, table, 'subject = $1 and source_id = $2', values)
        if (removed > 0) await record(seeTransaction(push.client), removed)
        return false
      })
      if (removed > 0) await show()
      return removed
    },
    async remove(source, record) {
      const table = tableOfSourceKind(source.kind)
      let removed = 0
      await inPush(pool, table, NO_AUDIENCE, async (push) => {
        const { client } = push
        // Wait for a running replacement of the whole list.
        await client.query('select id from intel_source where id = $1 for update', [source.id])
        removed = await deleteFacts(push, table, 'source_id = $1', [source.id])
        await client.query('delete from intel_source where id = $1', [source.id])
        await record(seeTransaction(client), removed)
        return false
      })
      if (removed > 0) await show()
    },
  }
}

async function deleteFacts(
  push: PushTransaction,
  table: FactTable,
  condition: string,
  values: readonly unknown[],
): Promise<number> {
  return table === 'sighting'
    ? await deleteSightings(push, condition, values)
    : await push.noteChanges(`delete from ${table} where ${condition} returning subject`, values)
}

interface StatementQuestion {
  readonly table: Exclude<FactTable, 'sighting'>
  readonly source: StoredSource
  readonly page: EntryPage
  readonly now: Date
}

interface StatementRecord {
  readonly subject: string
  readonly name: string
  readonly reason: string | null
  readonly first_seen: Date
  readonly last_seen: Date
  readonly expires_at: Date | null
}

async function listStatements(
  db: Db,
  { table, source, page, now }: StatementQuestion,
): Promise<readonly SourceEntry[]> {
  const { rows } = await sql<StatementRecord>`
    select subject, name, reason, first_seen, last_seen, expires_at
    from ${sql.table(table)}
    where source_id = ${source.id} and is_active and (expires_at is null or expires_at > ${now})
      ${behind(page, sql`(subject, name)`, page.after?.part ?? '')}
    order by subject, name
    limit ${page.limit}`.execute(db)
  return rows.map((row) => ({
    subject: row.subject,
    part: row.name,
    ...(table === 'tagging' ? { tag: row.name } : { list: row.name }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    firstSeenMs: row.first_seen.getTime(),
    lastSeenMs: row.last_seen.getTime(),
    ...(row.expires_at === null ? {} : { expiresMs: row.expires_at.getTime() }),
  }))
}

interface SightingRecord {
  readonly subject: string
  readonly service: string
  readonly type: string
  readonly first_seen: Date
  readonly last_seen: Date
  readonly count: number
}

// Neither a service nor a type has a space.
const PART_SPACE = ' '

async function listSightings(
  db: Db,
  source: StoredSource,
  page: EntryPage,
): Promise<readonly SourceEntry[]> {
  const [service = '', type = ''] = (page.after?.part ?? '').split(PART_SPACE)
  const { rows } = await sql<SightingRecord>`
    select subject, service, type, min(first_seen) as first_seen, max(last_seen) as last_seen,
      sum(count)::bigint as count
    from known_sighting
    where source_id = ${source.id} ${behind(page, sql`(subject, service, type)`, service, type)}
    group by subject, service, type
    order by subject, service, type
    limit ${page.limit}`.execute(db)
  return rows.map((row) => ({
    subject: row.subject,
    part: `${row.service}${PART_SPACE}${row.type}`,
    type: row.type,
    ...(row.service === '' ? {} : { service: row.service }),
    count: row.count,
    firstSeenMs: row.first_seen.getTime(),
    lastSeenMs: row.last_seen.getTime(),
  }))
}

/** The condition on a page. The bound on the subject alone lets the index begin there. */
function behind(
  { after }: EntryPage,
  key: RawBuilder<unknown>,
  ...parts: readonly string[]
): RawBuilder<unknown> {
  if (after === null) return sql``
  const values = sql.join([sql`${after.subject} collate "C"`, ...parts.map((part) => sql`${part}`)])
  return sql`and subject >= ${after.subject} and ${key} > (${values})`
}
