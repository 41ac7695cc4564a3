// The answer of an explanation (an addition to the threat-intelligence group): every entry behind
// an answer, and what each part follows from.

import { type Static, Type } from 'typebox'
import { ItemIntent, MailBlocklistStatus } from './quick-check-wire.ts'

const Timestamp = Type.String({ format: 'date-time' })
const Because = Type.String({ description: 'Why, in one sentence.' })

export const ExplainedEntry = Type.Object({
  kind: Type.Union([
    Type.Literal('listing'),
    Type.Literal('allowance'),
    Type.Literal('tagging'),
    Type.Literal('sighting'),
  ]),
  subject: Type.String({ description: 'Address, range or domain that the entry is about.' }),
  relation: Type.Union(
    [Type.Literal('itself'), Type.Literal('range'), Type.Literal('parent'), Type.Literal('prefix')],
    {
      description:
        'How the subject stands to the item. prefix: the /64 whose single addresses were sighted, gathered.',
    },
  ),
  source: Type.Object({ name: Type.String(), kind: Type.String() }),
  list: Type.Optional(Type.String({ description: 'Of a listing or an allowance.' })),
  tag: Type.Optional(Type.String({ description: 'Of a tagging.' })),
  type: Type.Optional(Type.String({ description: 'Of a sighting.' })),
  service: Type.Optional(Type.String({ description: 'Of a sighting whose sensor named one.' })),
  count: Type.Optional(Type.Integer({ description: 'Of a sighting.' })),
  reason: Type.Optional(Type.String({ description: 'What the source gave as its reason.' })),
  firstSeen: Type.Optional(Timestamp),
  lastSeen: Type.Optional(Timestamp),
  ageSeconds: Type.Optional(Type.Integer({ description: 'Since it was last seen.' })),
  expires: Type.Optional(Timestamp),
  live: Type.Boolean({
    description: 'It counts now: not expired, and a sighting is within the look-back.',
  }),
})

const RollUpPrefix = Type.Object({
  prefix: Type.String(),
  addresses: Type.Integer({
    description: 'Distinct addresses of it sighted within the look-back.',
  }),
  addressesEver: Type.Integer({ description: 'Distinct addresses of it ever sighted.' }),
})

export const Explanation = Type.Object({
  item: Type.String({ description: 'The text as it was sent.' }),
  canonical: Type.String({ description: 'The form under which it is known.' }),
  type: Type.Union([Type.Literal('IP'), Type.Literal('DOMAIN')]),
  serial: Type.Integer({ description: 'Number of the change log up to which this is complete.' }),
  bogon: Type.Object({ value: Type.Boolean(), because: Because }),
  serviceMailBlocklist: Type.Object({ value: MailBlocklistStatus, because: Because }),
  intent: Type.Object({ value: ItemIntent, because: Because }),
  activity: Type.Object({ value: Type.Boolean(), because: Because }),
  tags: Type.Array(
    Type.Object({
      name: Type.String(),
      intent: Type.Union([ItemIntent, Type.Literal('none')]),
      because: Type.Array(Because),
    }),
  ),
  entries: Type.Array(ExplainedEntry),
  rollUp: Type.Optional(
    Type.Object(
      {
        counts: Type.Boolean({
          description: 'The /64 has so many sighted addresses that they speak for all of it.',
        }),
        addressesMin: Type.Integer({ description: 'From how many addresses on it does.' }),
        prefixes: Type.Array(RollUpPrefix, { description: 'The /64, the /56 and the /48.' }),
      },
      { description: 'Of an IPv6 address.' },
    ),
  ),
  notes: Type.Array(Type.String(), {
    description: 'What could not be told, such as reasons while the database is away.',
  }),
})
export type Explanation = Static<typeof Explanation>
