// A change of the log as it is shown: the subject, and its entries of the kinds that the change was
// about.

import type { FactTable } from '../../facts/source-kinds.ts'
import { ENTRIES_MAX, type LoggedSubject, type StoredEntry } from './change-store.ts'
import type { ChangedEntry, ChangedSubject } from './change-wire.ts'

/** `entriesOf` gives what a subject holds of a kind. */
export function presentChange(
  { serial, atMs, subject }: LoggedSubject,
  kinds: readonly FactTable[],
  entriesOf: (kind: FactTable, subject: string) => readonly StoredEntry[],
): ChangedSubject {
  const lists = kinds.map((kind) => entriesOf(kind, subject))
  return {
    serial,
    at: new Date(atMs).toISOString(),
    subject,
    kinds: [...kinds],
    entries: lists.flatMap((list) => list.slice(0, ENTRIES_MAX).map(presentEntry)),
    cut: lists.some((list) => list.length > ENTRIES_MAX),
  }
}

function presentEntry(entry: StoredEntry): ChangedEntry {
  return {
    kind: entry.table,
    source: { name: entry.source, kind: entry.source_kind },
    ...presentName(entry),
    active: entry.is_active,
    ...(entry.first_seen === null ? {} : { firstSeen: entry.first_seen.toISOString() }),
    ...(entry.last_seen === null ? {} : { lastSeen: entry.last_seen.toISOString() }),
    ...(entry.expires_at === null ? {} : { expires: entry.expires_at.toISOString() }),
  }
}

function presentName(entry: StoredEntry): Partial<ChangedEntry> {
  switch (entry.table) {
    case 'listing':
    case 'allowance':
      return { list: entry.name }
    case 'tagging':
      return { tag: entry.name }
    case 'sighting': {
      const { type, service, count } = entry
      return service === '' ? { type, count } : { type, service, count }
    }
  }
}
