// The rows of the push endpoints (design section 9) and the answers to a push and to the
// replacement of a whole list.

import { type Static, Type } from 'typebox'
import { named } from '../../../vocabulary/named-schema.ts'

const Timestamp = Type.String({ format: 'date-time' })
const SubjectText = Type.String({ description: 'IP address, range (CIDR) or domain.' })
/** A member of a row that may be left out; clients often write null for it. */
const OptionalTime = Type.Optional(Type.Union([Timestamp, Type.Null()]))
const Status = Type.Union([Type.Literal('active'), Type.Literal('inactive')])
const Reason = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const TIMES = { firstSeen: OptionalTime, lastSeen: OptionalTime, expires: OptionalTime }
const SourceText = Type.String({
  description: 'Name of the source; its first row creates it.',
})

/** A row of POST /beta/sightings. */
export const SightingRowBody = named(
  'NewSighting',
  Type.Object(
    {
      item: Type.String({ description: 'IP address or domain.' }),
      kind: Type.String({
        description: 'Kind of the sensor: honeypot, spamtrap or another lower-case name.',
      }),
      service: Type.Optional(
        Type.Union([Type.String(), Type.Null()], { description: 'Such as ssh.' }),
      ),
      type: Type.String({ description: 'Such as login-attack or pristine-spamtrap.' }),
      firstSeen: OptionalTime,
      lastSeen: Timestamp,
      count: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { default: 1 })),
      source: Type.String({ description: 'Name of the sensor; its first row creates it.' }),
    },
    { additionalProperties: false },
  ),
)

/** A row of POST /beta/listings and POST /beta/allowances. */
export const ListingRowBody = named(
  'NewListing',
  Type.Object(
    {
      item: SubjectText,
      list: Type.String({ description: 'Name of the blocklist.' }),
      status: Type.Optional(
        Type.Union([Status, Type.Null()], {
          default: 'active',
          description: 'inactive withdraws the listing.',
        }),
      ),
      reason: Reason,
      ...TIMES,
      source: SourceText,
    },
    { additionalProperties: false },
  ),
)

/** A row of POST /beta/taggings. */
export const TaggingRowBody = named(
  'NewTagging',
  Type.Object(
    {
      item: SubjectText,
      tag: Type.String({ description: 'Name of a tag of the catalogue.' }),
      ...TIMES,
      source: SourceText,
    },
    { additionalProperties: false },
  ),
)

/** A row of POST /beta/networks. */
export const NetworkRowBody = named(
  'NewNetwork',
  Type.Object(
    {
      item: Type.String({ description: 'Range (CIDR) or IP address that you run.' }),
      status: Type.Optional(
        Type.Union([Status, Type.Null()], {
          default: 'active',
          description: 'inactive takes the range off the source.',
        }),
      ),
      source: SourceText,
    },
    { additionalProperties: false },
  ),
)

/** An entry of PUT /beta/sources/{kind}/{name}/entries; the path names its source. */
export const EntryRowBody = named(
  'NewEntry',
  Type.Object(
    {
      item: SubjectText,
      list: Type.Optional(
        Type.String({ description: 'Name of the list; the name of the source when left out.' }),
      ),
      tag: Type.Optional(Type.String({ description: 'In a tag-list: a tag of the catalogue.' })),
      reason: Reason,
      ...TIMES,
    },
    { additionalProperties: false },
  ),
)

export const PushResult = named(
  'PushResult',
  Type.Object({
    accepted: Type.Integer({
      description: 'Number of accepted rows, including rows that were known already.',
    }),
    rejected: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'Position of the row, counting from 0.' }),
        reason: Type.String(),
      }),
    ),
  }),
)
export type PushResult = Static<typeof PushResult>

export const ReplacementResult = named(
  'ReplacementResult',
  Type.Object({
    accepted: PushResult.properties.accepted,
    removed: Type.Integer({ description: 'Number of former entries that the new list lacks.' }),
    rejected: PushResult.properties.rejected,
  }),
)
export type ReplacementResult = Static<typeof ReplacementResult>
