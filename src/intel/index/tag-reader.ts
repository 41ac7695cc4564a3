// Reads the tag catalogue from the database, for the copy in memory that look-ups use.

import { sql } from 'kysely'
import { type Db, seeTables } from '../../kernel/db/database.ts'
import { TAGS_MAX, type Tag } from '../facts/tag-catalogue.ts'

interface TagTables {
  tag: Omit<Tag, 'references'> & { readonly reference_links: Tag['references'] }
}

/** Every tag, by name. */
export async function listTags(db: Db): Promise<readonly Tag[]> {
  const rows = await seeTables<TagTables>(db)
    .selectFrom('tag')
    .select(['name', 'intent', 'category', 'description', 'reference_links', 'timeline'])
    .orderBy(sql`name collate "C"`)
    .limit(TAGS_MAX)
    .execute()
  return rows.map(({ reference_links: references, ...tag }) => ({ ...tag, references }))
}
