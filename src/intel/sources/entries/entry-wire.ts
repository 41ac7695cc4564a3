// The entries of a source as they are read back (an addition to the threat-intelligence group), and
// the answer to the removal of one.

import { type Static, Type } from 'typebox'
import { named } from '../../../vocabulary/named-schema.ts'
import type { EntryKey, SourceEntry } from './entry-store.ts'

const Timestamp = Type.String({ format: 'date-time' })

const Entry = named(
  'SourceEntry',
  Type.Object({
    item: Type.String({ description: 'Address, range or domain in canonical form.' }),
    list: Type.Optional(Type.String({ description: 'Of a mail-blocklist or allow-list.' })),
    tag: Type.Optional(Type.String({ description: 'Of a tag-list.' })),
    reason: Type.Optional(Type.String()),
    type: Type.Optional(Type.String({ description: 'What a sensor observed.' })),
    service: Type.Optional(Type.String({ description: 'Of a sensor that named one.' })),
    count: Type.Optional(Type.Integer({ description: 'Number of observations of a sensor.' })),
    email: Type.Optional(Type.String({ description: 'Abuse contact, of a source of contacts.' })),
    firstSeen: Type.Optional(Timestamp),
    lastSeen: Type.Optional(Timestamp),
    expires: Type.Optional(Timestamp),
  }),
)
type Entry = Static<typeof Entry>

export const EntryList = named(
  'SourceEntryList',
  Type.Object({
    entries: Type.Array(Entry, { description: 'In the order of the text of the items.' }),
    next: Type.String({ description: 'The after of the next page; empty on the last one.' }),
  }),
)
export type EntryList = Static<typeof EntryList>

/** `entries` may have one more than `limit`, which shows that there is another page. */
export function presentEntries(entries: readonly SourceEntry[], limit: number): EntryList {
  const shown = entries.slice(0, limit)
  const last = shown.at(-1)
  return {
    entries: shown.map(presentEntry),
    next: entries.length > limit && last !== undefined ? writeKey(last) : '',
  }
}

function presentEntry({
  subject,
  part: _part,
  firstSeenMs,
  lastSeenMs,
  expiresMs,
  ...members
}: SourceEntry): Entry {
  return {
    item: subject,
    ...members,
    ...(firstSeenMs === undefined ? {} : { firstSeen: presentMs(firstSeenMs) }),
    ...(lastSeenMs === undefined ? {} : { lastSeen: presentMs(lastSeenMs) }),
    ...(expiresMs === undefined ? {} : { expires: presentMs(expiresMs) }),
  }
}

function presentMs(ms: number): string {
  return new Date(ms).toISOString()
}

// A subject has no space.
function writeKey({ subject, part }: EntryKey): string {
  return part === '' ? subject : `${subject} ${part}`
}

/** The key that `next` stands for. */
export function readKey(text: string): EntryKey {
  const space = text.indexOf(' ')
  if (space < 0) return { subject: text, part: '' }
  return { subject: text.slice(0, space), part: text.slice(space + 1) }
}

export const DelistResult = named(
  'DelistResult',
  Type.Object({
    item: Type.String({ description: 'In canonical form.' }),
    removed: Type.Integer({ description: 'Number of removed entries.' }),
    fetched: Type.Boolean({
      description: 'The source is fetched by URL, so the next fetch may bring the entry back.',
    }),
    note: Type.String({ description: 'What brings the entry back, and what keeps it away.' }),
  }),
)
export type DelistResult = Static<typeof DelistResult>
