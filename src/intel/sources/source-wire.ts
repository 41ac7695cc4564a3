// A source of intel (an addition to the threat-intelligence group): who says it, under which terms,
// and whether it was heard of lately.

import { type Static, Type } from 'typebox'

const Timestamp = Type.String({ format: 'date-time' })
const Seconds = Type.Integer({ minimum: 60, maximum: 31_536_000 })

const DESCRIPTION = {
  description: Type.Optional(Type.String({ maxLength: 2_000 })),
  origin: Type.Optional(
    Type.String({ maxLength: 500, description: 'Who publishes it, and where it can be read.' }),
  ),
  licence: Type.Optional(Type.String({ maxLength: 2_000, description: 'Its terms of use.' })),
  ttlSeconds: Type.Optional(
    Type.Integer({
      ...Seconds,
      description: 'After this without a word from it, it is stale. Without it, it never is.',
    }),
  ),
}

const FETCH = {
  url: Type.String({ maxLength: 2_000 }),
  format: Type.Union([Type.Literal('plain'), Type.Literal('rbldnsd'), Type.Literal('ndjson')], {
    description:
      'plain: an address, range or domain a line; rbldnsd: data files of that DNS server; ndjson: a JSON object a line with cidr, ip, address or domain.',
  }),
  name: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The list its entries are on, or of a tag-list their tag; else its own name.',
    }),
  ),
  intervalSeconds: Type.Integer({ ...Seconds, minimum: 300 }),
  enabled: Type.Boolean({ description: 'False: only when it is asked for.' }),
}

export const NewSource = Type.Object(
  {
    ...DESCRIPTION,
    fetch: Type.Optional(
      Type.Object(FETCH, {
        additionalProperties: false,
        description: 'Of a mail-blocklist, tag-list or allow-list that is published under a URL.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type NewSource = Static<typeof NewSource>

export const Source = Type.Object({
  kind: Type.String({ description: 'Such as mail-blocklist, tag-list, allow-list, honeypot.' }),
  name: Type.String(),
  state: Type.Union(
    [Type.Literal('fresh'), Type.Literal('stale'), Type.Literal('failed'), Type.Literal('never')],
    {
      description:
        'never: nothing was ever heard of it; failed: the last fetch failed; stale: not heard of within its time to live; else fresh. Never a verdict: entries count until they expire or are withdrawn.',
    },
  ),
  entries: Type.Integer({
    description: 'Addresses, ranges and domains it says something live of.',
  }),
  heardAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When it last said something that was kept, on ten seconds.',
    }),
  ),
  serial: Type.Optional(
    Type.Integer({ description: 'A number of the change log that has all it said until then.' }),
  ),
  createdAt: Timestamp,
  ...DESCRIPTION,
  fetch: Type.Optional(
    Type.Object({
      ...FETCH,
      name: Type.String(),
      triedAt: Type.Optional(Timestamp),
      nextAt: Type.Optional(Timestamp),
      trouble: Type.Optional(Type.String({ description: 'Why the last fetch failed.' })),
    }),
  ),
})
export type Source = Static<typeof Source>

export const FetchResult = Type.Object({
  outcome: Type.Union([
    Type.Literal('replaced'),
    Type.Literal('unchanged'),
    Type.Literal('failed'),
  ]),
  accepted: Type.Optional(Type.Integer({ description: 'Entries of the list.' })),
  removed: Type.Optional(Type.Integer({ description: 'Entries of before that are gone.' })),
  refused: Type.Optional(Type.Integer({ description: 'Lines that cannot be read.' })),
  firstRefusal: Type.Optional(Type.String({ description: 'The first of them, and why.' })),
  trouble: Type.Optional(Type.String({ description: 'Why it failed.' })),
})
export type FetchResult = Static<typeof FetchResult>
