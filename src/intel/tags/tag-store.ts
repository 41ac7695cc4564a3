// Writes the tag catalogue to the database. Shipped tags are written at start-up, except those that
// an operator has edited.

import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import { STATEMENT_SOURCE_KINDS } from '../facts/source-kinds.ts'
import { TAGS_MAX, type Tag } from '../facts/tag-catalogue.ts'
import { raiseTagSerial } from '../index/serial-store.ts'

/**
 * Adds and updates the shipped tags in one statement, so that several nodes may do it at once.
 * Edited tags stay. The tag serial is raised only when a tag differs.
 */
export async function seedTags(db: Db, tags: readonly Tag[]): Promise<void> {
  const rows = JSON.stringify(
    tags
      .map(({ references, ...tag }) => ({ ...tag, reference_links: references }))
      // All nodes lock the rows in one order, so they cannot deadlock.
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  )
  await inTransaction(db, async (tx) => {
    const changed = await sql<{ name: string }>`
      insert into tag as known (name, intent, category, description, reference_links, timeline)
      select name, intent, category, description, reference_links, timeline
      from jsonb_to_recordset(${rows}::jsonb) as shipped (
        name text, intent text, category text, description text, reference_links jsonb, timeline jsonb
      )
      on conflict (name) do update set
        intent = excluded.intent,
        category = excluded.category,
        description = excluded.description,
        reference_links = excluded.reference_links,
        timeline = excluded.timeline
      where not known.is_edited
        and (known.intent, known.category, known.description, known.reference_links, known.timeline)
          is distinct from (excluded.intent, excluded.category, excluded.description,
            excluded.reference_links, excluded.timeline)
      returning name`.execute(tx)
    if (changed.rows.length > 0) await raiseTagSerial(tx)
  })
}

interface TagRow {
  readonly name: string
  readonly intent: Tag['intent']
  readonly category: string
  readonly description: string
  readonly references: Tag['references']
  readonly timeline: Tag['timeline']
}

/** The tag, which no other transaction changes before this one ends. */
export async function lockTag(tx: Tx, name: string): Promise<Tag | null> {
  const { rows } = await sql<TagRow>`
    select name, intent, category, description, reference_links as "references", timeline
    from tag where name = ${name} for update`.execute(tx)
  return rows[0] ?? null
}

/**
 * Stores a tag of the operator. A shipped tag is marked as edited, so that an upgrade keeps it.
 * Null when there are too many tags.
 */
export async function putTag(db: Db, tag: Tag): Promise<'created' | 'replaced' | null> {
  return await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ is_new: boolean }>`
      insert into tag as known (name, intent, category, description, reference_links, timeline, is_edited)
      select ${tag.name}, ${tag.intent}, ${tag.category}, ${tag.description},
        ${JSON.stringify(tag.references)}::jsonb, ${JSON.stringify(tag.timeline)}::jsonb, true
      where exists (select from tag where name = ${tag.name})
        or (select count(*) from tag) < ${TAGS_MAX}
      on conflict (name) do update set
        intent = excluded.intent,
        category = excluded.category,
        description = excluded.description,
        reference_links = excluded.reference_links,
        timeline = excluded.timeline,
        is_edited = true
      returning xmax = 0 as is_new`.execute(tx)
    const [row] = rows
    if (row === undefined) return null
    await raiseTagSerial(tx)
    return row.is_new ? 'created' : 'replaced'
  })
}

/** Removes a tag that no live tagging, no fetched list and no sighting rule uses. */
export async function removeTag(
  db: Db,
  name: string,
  nowMs: number,
): Promise<'removed' | 'in-use' | 'absent'> {
  return await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ is_used: boolean }>`
      select exists (
        select from tagging
        where tagging.name = tag.name and is_active
          and (expires_at is null or expires_at > ${new Date(nowMs)})
      ) or exists (
        select from source_fetch join intel_source on id = source_id
        where kind = ${STATEMENT_SOURCE_KINDS.tagging} and entry_name = tag.name
      ) or exists (
        select from sighting_rule where tag.name = any(sighting_rule.tags)
      ) as is_used
      from tag where tag.name = ${name}
      for update`.execute(tx)
    const [row] = rows
    if (row === undefined) return 'absent'
    if (row.is_used) return 'in-use'
    await sql`delete from tag where name = ${name}`.execute(tx)
    await raiseTagSerial(tx)
    return 'removed'
  })
}
