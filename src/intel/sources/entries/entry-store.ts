// The entries of one source, by the kind of the source: facts of the change log here; abuse
// contacts and own networks in stores of their own, which keep the same promises.

import type { Tx } from '../../../kernel/db/database.ts'
import type { Subject } from '../../../values/range.ts'
import type { SourceName } from '../../facts/source-kinds.ts'

/** One entry. Members that its kind of source does not have are absent. */
export interface SourceEntry {
  /** Canonical text of the address, range or domain. */
  readonly subject: string
  /** What tells several entries of one subject apart; empty where a subject has one entry. */
  readonly part: string
  readonly list?: string
  readonly tag?: string
  readonly type?: string
  readonly service?: string
  readonly count?: number
  readonly email?: string
  readonly reason?: string
  readonly firstSeenMs?: number
  readonly lastSeenMs?: number
  readonly expiresMs?: number
}

/** The key of the last entry of the former page. */
export type EntryKey = Pick<SourceEntry, 'subject' | 'part'>

export interface EntryPage {
  /** Null begins with the first entry. */
  readonly after: EntryKey | null
  readonly limit: number
}

export interface StoredSource extends SourceName {
  readonly id: number
}

/** Writes down who removed what, in the transaction of the removal. */
export type RecordRemoval = (tx: Tx, removed: number) => Promise<void>

export interface EntryStore {
  /** The next entries of the source, in the order of their keys. */
  readonly list: (source: StoredSource, page: EntryPage) => Promise<readonly SourceEntry[]>
  /** Those of these subjects that have an entry of the source, in the given order. */
  readonly findAmong: (
    source: StoredSource,
    subjects: readonly string[],
  ) => Promise<readonly string[]>
  /**
   * Removes the entries about exactly this subject, in one change. Gives their number. `record` is
   * called at the end of the transaction if there are any.
   */
  readonly delist: (
    source: StoredSource,
    subject: Subject,
    record: RecordRemoval,
  ) => Promise<number>
  /** Removes the source with all its entries, in one change, and calls `record` in it. */
  readonly remove: (source: StoredSource, record: RecordRemoval) => Promise<void>
}

/** A store for the sources of one kind, with the number of entries of each source by its name. */
export interface CountedEntryStore extends EntryStore {
  readonly kind: string
  readonly count: () => Promise<ReadonlyMap<string, number>>
}
