// Adapters on the wire.

import { type Static, Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'
import { SECRET_NAME } from '../secrets/secret-wire.ts'
import type { AdapterRecord } from './adapter-store.ts'

const ADAPTER_NAME = '^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$'

export const AdapterName = Type.String({
  pattern: ADAPTER_NAME,
  description: 'manual, or the name of an adapter: 1 to 64 letters, digits, hyphens, underscores.',
})

export const MitigationKindMember = named(
  'MitigationKind',
  Type.Union(
    [
      Type.Literal('suspend'),
      Type.Literal('null_route'),
      Type.Literal('dns_hold'),
      Type.Literal('block_port'),
      Type.Literal('takedown'),
      Type.Literal('custom'),
    ],
    { description: 'What is done.' },
  ),
)

const SETTINGS = {
  url: Type.String({
    maxLength: 2_048,
    description:
      'Where requests are sent by POST: https, or a target that CASEWORK_OUTBOUND_ALLOW opens. No redirect is followed.',
  }),
  secret: Type.String({
    pattern: SECRET_NAME,
    description: 'The name of a secret of the tenant (`whsec_…`), which signs the requests.',
  }),
  kinds: Type.Array(MitigationKindMember, {
    minItems: 1,
    uniqueItems: true,
    description: 'What it can do.',
  }),
  description: Type.String({ maxLength: 500, description: 'For people.' }),
  enabled: Type.Boolean({
    description: 'False: nothing is asked of it, and what is due waits. True when left out.',
  }),
}

export const AdapterBody = named(
  'NewMitigationAdapter',
  Type.Object(
    {
      url: SETTINGS.url,
      secret: SETTINGS.secret,
      kinds: SETTINGS.kinds,
      description: Type.Optional(SETTINGS.description),
      enabled: Type.Optional(SETTINGS.enabled),
    },
    { additionalProperties: false },
  ),
)

export const Adapter = named(
  'MitigationAdapter',
  Type.Object({
    name: Type.String(),
    ...SETTINGS,
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  }),
)

export const AdapterList = named(
  'MitigationAdapterList',
  Type.Object({
    items: Type.Array(Adapter),
    next_cursor: Type.Literal('', { description: 'All adapters are on one page.' }),
  }),
)

export function presentAdapter(one: AdapterRecord): Static<typeof Adapter> {
  return {
    name: one.name,
    url: one.url,
    secret: one.secretName,
    kinds: [...one.kinds],
    description: one.description,
    enabled: one.isEnabled,
    created_at: one.createdAt.toISOString(),
    updated_at: one.updatedAt.toISOString(),
  }
}
