// How sources are named: by kind and name, since one name may exist in several kinds (design
// section 10). Apart from the store, so that a thread which only names them loads no database.

/**
 * Kinds of sources that say something of a subject; every other kind is one of a sensor, whose
 * sightings it names.
 */
export const STATEMENT_SOURCE_KINDS = {
  listing: 'mail-blocklist',
  tagging: 'tag-list',
  allowance: 'allow-list',
} as const

export interface SourceName {
  readonly kind: string
  readonly name: string
}

/** The tables of facts; a push writes to one of them. */
export type FactTable = 'listing' | 'allowance' | 'tagging' | 'sighting'

export type StatementTable = keyof typeof STATEMENT_SOURCE_KINDS
