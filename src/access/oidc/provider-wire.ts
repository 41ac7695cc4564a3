// The wire of sign-in with a provider.

import { type Static, Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'
import type { IdentityRecord } from './identity-store.ts'

export const ProviderParams = Type.Object({ providerId: Type.String() })

export const ProviderStart = Type.Object({
  next: Type.Optional(
    Type.String({
      maxLength: 2_048,
      description:
        'The path of this site that the browser is sent to after the sign-in, with its query. One that may lead elsewhere is left out.',
    }),
  ),
})

export const ProviderUrl = named(
  'ProviderUrl',
  Type.Object({ url: Type.String({ description: 'Where the browser goes next.' }) }),
)

export const ProviderInvitation = named(
  'ProviderInvitation',
  Type.Object(
    {
      link: Type.String({
        minLength: 1,
        maxLength: 2_048,
        description: 'The whole link of the invitation, or what stands behind its `#`.',
      }),
    },
    { additionalProperties: false },
  ),
)

const text = (description: string) => Type.Optional(Type.String({ maxLength: 4_096, description }))

export const ProviderAnswer = Type.Object({
  code: text('What the provider gives tokens for, once.'),
  state: text('What the sign-in was begun with.'),
  iss: text('The issuer, where the provider says it (RFC 9207).'),
  error: text('Why the provider refuses.'),
  error_description: text('The same for people; it is not shown.'),
})

const Identity = named(
  'Identity',
  Type.Object({
    id: Type.String(),
    provider: Type.String({ description: 'The id of the provider when it was linked.' }),
    issuer: Type.String({ description: 'The provider, by its address.' }),
    subject: Type.String({ description: 'The account there.' }),
    email: Type.Union([Type.String(), Type.Null()], {
      description: 'The address of the account as it was told last; it decides nothing.',
    }),
    created_at: Type.String({ format: 'date-time' }),
    last_used_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'The last sign-in by it; null for none.',
    }),
  }),
)

export const IdentityList = named('IdentityList', Type.Object({ items: Type.Array(Identity) }))

export function presentIdentity(identity: IdentityRecord): Static<typeof Identity> {
  return {
    id: identity.id,
    provider: identity.provider,
    issuer: identity.issuer,
    subject: identity.subject,
    email: identity.email,
    created_at: identity.createdAt.toISOString(),
    last_used_at: identity.lastUsedAt?.toISOString() ?? null,
  }
}
