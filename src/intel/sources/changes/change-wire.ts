// A page of the numbered change log (an addition to the threat-intelligence group): the changed
// subjects, each with its present entries.

import { type Static, Type } from 'typebox'
import { named } from '../../../vocabulary/named-schema.ts'
import type { FactTable } from '../../facts/source-kinds.ts'
import type { LoggedSubject, StoredEntry } from './change-store.ts'

const Timestamp = Type.String({ format: 'date-time' })
const EntryKind = Type.Union([
  Type.Literal('listing'),
  Type.Literal('allowance'),
  Type.Literal('tagging'),
  Type.Literal('sighting'),
])

const ChangedEntry = named(
  'ChangedEntry',
  Type.Object({
    kind: EntryKind,
    source: Type.Object({ name: Type.String(), kind: Type.String() }),
    list: Type.Optional(Type.String({ description: 'For a listing or an allowance.' })),
    tag: Type.Optional(Type.String({ description: 'For a tagging.' })),
    type: Type.Optional(Type.String({ description: 'For a sighting.' })),
    service: Type.Optional(Type.String({ description: 'For a sighting whose sensor named one.' })),
    count: Type.Optional(Type.Integer({ description: 'For a sighting.' })),
    active: Type.Boolean({
      description:
        'False when the source withdrew it. An entry is also over when expires has passed.',
    }),
    firstSeen: Type.Optional(Timestamp),
    lastSeen: Type.Optional(Timestamp),
    expires: Type.Optional(Timestamp),
  }),
)
type ChangedEntry = Static<typeof ChangedEntry>

const ChangedSubject = named(
  'ChangedSubject',
  Type.Object({
    serial: Type.Integer({ description: 'Serial of the change.' }),
    at: Type.String({ format: 'date-time', description: 'Time of the change.' }),
    subject: Type.String({ description: 'Address, range or domain in canonical form.' }),
    kinds: Type.Array(EntryKind, {
      description:
        'For these kinds, entries is complete: replace everything you know of them. A kind without an entry has none any more.',
    }),
    entries: Type.Array(ChangedEntry),
    cut: Type.Boolean({ description: 'True when there are more than 100 entries of a kind.' }),
  }),
)
type ChangedSubject = Static<typeof ChangedSubject>

export const ChangePage = named(
  'ChangePage',
  Type.Object({
    changes: Type.Array(ChangedSubject, {
      description: 'By serial; a subject may come several times.',
    }),
    next: Type.String({ description: 'The after of the next page, also when there is none yet.' }),
    more: Type.Boolean({ description: 'False when the page reaches the newest serial.' }),
    serial: Type.Integer({ description: 'The newest serial of the change log.' }),
  }),
)
export type ChangePage = Static<typeof ChangePage>

/** Entries of one kind and subject that a page shows; no feed has so many of one address. */
export const ENTRIES_MAX = 100

/** `entriesOf` gives the entries of one kind that a subject has. */
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

function presentName(
  entry: StoredEntry,
): Pick<ChangedEntry, 'list' | 'tag' | 'type' | 'service' | 'count'> {
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
