// One element of the answer of a quick check (interface section 2.2).

import { type Static, Type } from 'typebox'

export const MailBlocklistStatus = Type.Union([Type.Literal('ACTIVE'), Type.Literal('INACTIVE')], {
  description: 'ACTIVE while a live listing of a mail blocklist covers the item.',
})

export const ItemIntent = Type.Union([
  Type.Literal('malicious'),
  Type.Literal('suspicious'),
  Type.Literal('benign'),
  Type.Literal('unknown'),
])

export const QuickCheckItem = Type.Object({
  item: Type.String({ description: 'The text as it was sent.' }),
  serviceMailBlocklist: MailBlocklistStatus,
  type: Type.Union([Type.Literal('IP'), Type.Literal('DOMAIN'), Type.Literal('INVALID')], {
    description: 'INVALID only with `invalid=report`.',
  }),
  bogon: Type.Boolean({
    description:
      'The item cannot be a party on the public Internet (special-purpose address, special-use name).',
  }),
  intent: ItemIntent,
  activity: Type.Boolean({
    description: 'The item was sighted within the look-back (30 days unless set).',
  }),
})
export type QuickCheckItem = Static<typeof QuickCheckItem>
