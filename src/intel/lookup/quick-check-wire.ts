// One element of the answer of a quick check (interface section 2.2).

import { type Static, Type } from 'typebox'
import { successOf } from '../../vocabulary/envelope-wire.ts'
import { named } from '../../vocabulary/named-schema.ts'

export const MailBlocklistStatus = named(
  'MailBlocklistStatus',
  Type.Union([Type.Literal('ACTIVE'), Type.Literal('INACTIVE')], {
    description: 'ACTIVE while a live listing of a mail blocklist covers the item.',
  }),
)

export const ItemIntent = named(
  'ItemIntent',
  Type.Union([
    Type.Literal('malicious'),
    Type.Literal('suspicious'),
    Type.Literal('benign'),
    Type.Literal('unknown'),
  ]),
)

const QuickCheckItem = named(
  'QuickCheckItem',
  Type.Object({
    item: Type.String({ description: 'The text as it was sent.' }),
    serviceMailBlocklist: MailBlocklistStatus,
    type: Type.Union([Type.Literal('IP'), Type.Literal('DOMAIN')]),
    bogon: Type.Boolean({
      description:
        'The item cannot be a party on the public Internet: a special-purpose address, or a special-use name such as example.com (RFC 6761).',
    }),
    intent: ItemIntent,
    activity: Type.Boolean({
      description: 'The item was sighted within the look-back (30 days unless set).',
    }),
  }),
)
type QuickCheckItem = Static<typeof QuickCheckItem>

/** A string that is no item. It has no verdict, so none can be taken for one. */
const UnreadItem = named(
  'UnreadItem',
  Type.Object({
    item: Type.String({ description: 'The text as it was sent.' }),
    type: Type.Literal('INVALID', { description: 'Only with `invalid=report`.' }),
  }),
)
type UnreadItem = Static<typeof UnreadItem>

export const QuickCheckAnswer = named(
  'QuickCheckAnswer',
  successOf(Type.Array(Type.Union([QuickCheckItem, UnreadItem]))),
)
