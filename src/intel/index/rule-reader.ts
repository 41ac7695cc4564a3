// Reads the table of sighting rules from the database, for the copy in memory that look-ups use.

import { sql } from 'kysely'
import { type Db, seeTables } from '../../kernel/db/database.ts'
import type { SightingRule } from '../facts/sighting-rules.ts'

// A look-up may ask each rule of its kind, and each policy is built from all of them.
export const SIGHTING_RULES_MAX = 500

interface RuleTables {
  sighting_rule: {
    name: string
    kind: string
    types: readonly string[]
    services: readonly string[] | null
    count_min: number
    sources_min: number
    within_seconds: number | null
    tags: readonly string[]
    is_enabled: boolean
  }
}

/** Every rule that is not switched off, by kind and name. */
export async function listEnabledRules(db: Db): Promise<readonly SightingRule[]> {
  const rows = await seeTables<RuleTables>(db)
    .selectFrom('sighting_rule')
    .select(['name', 'kind', 'types', 'services', 'count_min', 'sources_min', 'within_seconds'])
    .select('tags')
    .where('is_enabled', '=', true)
    .orderBy(sql`kind collate "C", name collate "C"`)
    .limit(SIGHTING_RULES_MAX)
    .execute()
  return rows.map(({ services, count_min, sources_min, within_seconds, ...rule }) => ({
    ...rule,
    ...(services === null ? {} : { services }),
    countMin: count_min,
    sourcesMin: sources_min,
    ...(within_seconds === null ? {} : { withinSeconds: within_seconds }),
  }))
}
