// A page of the numbered change log (an addition to the threat-intelligence group): which subjects
// changed, and what holds of them.

import { type Static, Type } from 'typebox'

const Timestamp = Type.String({ format: 'date-time' })
const EntryKind = Type.Union([
  Type.Literal('listing'),
  Type.Literal('allowance'),
  Type.Literal('tagging'),
  Type.Literal('sighting'),
])

export const ChangedEntry = Type.Object({
  kind: EntryKind,
  source: Type.Object({ name: Type.String(), kind: Type.String() }),
  list: Type.Optional(Type.String({ description: 'Of a listing or an allowance.' })),
  tag: Type.Optional(Type.String({ description: 'Of a tagging.' })),
  type: Type.Optional(Type.String({ description: 'Of a sighting.' })),
  service: Type.Optional(Type.String({ description: 'Of a sighting whose sensor named one.' })),
  count: Type.Optional(Type.Integer({ description: 'Of a sighting.' })),
  active: Type.Boolean({
    description: 'False when the source withdrew it. One whose expires has passed is over too.',
  }),
  firstSeen: Type.Optional(Timestamp),
  lastSeen: Type.Optional(Timestamp),
  expires: Type.Optional(Timestamp),
})
export type ChangedEntry = Static<typeof ChangedEntry>

export const ChangedSubject = Type.Object({
  serial: Type.Integer({ description: 'Number of the change.' }),
  at: Type.String({ format: 'date-time', description: 'When the change was made.' }),
  subject: Type.String({ description: 'Address, range or domain, in canonical form.' }),
  kinds: Type.Array(EntryKind, {
    description:
      'Of these kinds, entries has all that holds by now: replace what you know of them. A kind without an entry holds nothing any more.',
  }),
  entries: Type.Array(ChangedEntry),
  cut: Type.Boolean({ description: 'True when there are more than 100 entries of a kind.' }),
})
export type ChangedSubject = Static<typeof ChangedSubject>

export const ChangePage = Type.Object({
  changes: Type.Array(ChangedSubject, {
    description: 'In the order of the serials; a subject may come again.',
  }),
  next: Type.String({ description: 'The after of the next page, also when there is none yet.' }),
  more: Type.Boolean({ description: 'False when everything up to serial has been told.' }),
  serial: Type.Integer({ description: 'The newest number of the change log.' }),
})
export type ChangePage = Static<typeof ChangePage>
