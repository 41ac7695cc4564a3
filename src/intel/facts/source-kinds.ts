// Names and kinds of sources, and the tables of their entries. A source is named by kind and name,
// since one name may exist in several kinds (design section 10). Not in the store, so that the
// thread that reads pushes loads no database.

/**
 * The kinds of sources whose entries are statements, by table. Sources of every other kind are
 * sensors, and their entries are sightings of that kind.
 */
export const STATEMENT_SOURCE_KINDS = {
  listing: 'mail-blocklist',
  tagging: 'tag-list',
  allowance: 'allow-list',
} as const

/** The kind of sources whose entries are abuse contacts. */
export const CONTACT_SOURCE_KIND = 'contact'

/** The kind of sources whose entries are the operator's own address ranges. */
export const NETWORK_SOURCE_KIND = 'network'

/** The sensors that this program knows. The first push of another sensor brings its kind. */
const SENSOR_SOURCE_KINDS = ['honeypot', 'spamtrap', 'report'] as const

/** Every kind of source that has a meaning before its first entry. */
export const SOURCE_KINDS: readonly string[] = [
  ...Object.values(STATEMENT_SOURCE_KINDS),
  ...SENSOR_SOURCE_KINDS,
  CONTACT_SOURCE_KIND,
  NETWORK_SOURCE_KIND,
]

export interface SourceName {
  readonly kind: string
  readonly name: string
}

/** The tables of facts; a push writes to one of them. */
export type FactTable = 'listing' | 'allowance' | 'tagging' | 'sighting'

/** The tables of statements. */
export type StatementTable = keyof typeof STATEMENT_SOURCE_KINDS

/** The tables whose rows are staged as statements: those of facts, and own networks. */
export type StagedTable = StatementTable | typeof NETWORK_SOURCE_KIND

/** The kind of the sources whose entries are in the table. */
export function kindOfTable(table: StagedTable): string {
  return table === NETWORK_SOURCE_KIND ? NETWORK_SOURCE_KIND : STATEMENT_SOURCE_KINDS[table]
}
