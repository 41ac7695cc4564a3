// The wire of sign-in: passwords and links. Neither is ever in an answer.

import { Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'
import { Assertion } from '../passkeys/passkey-wire.ts'

// Longer ones are refused as wrong or too long; the bound is for the work that they would be.
const Password = Type.String({
  minLength: 1,
  maxLength: 1_024,
  description: 'The password; a new one has 12 to 256 characters.',
})
const Link = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: 'The whole link, or what stands behind its `#`.',
})

export const PasswordSignIn = named(
  'SignIn',
  Type.Object(
    {
      email: Type.String({ minLength: 1, maxLength: 254 }),
      password: Password,
      tenant_id: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'The tenant to act in; the first one of the person when left out.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
)

export const LinkToCheck = named(
  'LinkToCheck',
  Type.Object({ link: Link }, { additionalProperties: false }),
)

export const CheckedLink = named(
  'CheckedLink',
  Type.Object({
    kind: Type.Union([Type.Literal('setup'), Type.Literal('invitation'), Type.Literal('reset')], {
      description: 'For the first person, for an invited one, or for a new password.',
    }),
    email: Type.Union([Type.String(), Type.Null()], {
      description: 'Null for the first person, who gives one.',
    }),
    name: Type.Union([Type.String(), Type.Null()]),
    tenant_id: Type.Union([Type.String(), Type.Null()], {
      description: 'The tenant of an invitation.',
    }),
    has_password: Type.Boolean({
      description: 'True where an invitation is accepted with the password that the person has.',
    }),
    expires_at: Type.String({ format: 'date-time' }),
  }),
)

export const LinkToRedeem = named(
  'LinkToRedeem',
  Type.Object(
    {
      link: Link,
      password: Password,
      email: Type.Optional(
        Type.String({ maxLength: 254, description: 'Of the first person; ignored elsewhere.' }),
      ),
      name: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Needed for the first person; an invited one may correct theirs.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
)

export const SecondFactorNeeded = named(
  'SecondFactorNeeded',
  Type.Object({
    ways: Type.Array(
      Type.Union([Type.Literal('passkey'), Type.Literal('totp'), Type.Literal('recovery_code')]),
      { description: 'The second factors of the person, one of which is needed.' },
    ),
    expires_at: Type.String({
      format: 'date-time',
      description: 'Until when the second step is taken.',
    }),
  }),
)

export const SecondFactor = named(
  'SecondFactor',
  Type.Object(
    {
      code: Type.Optional(
        Type.String({ minLength: 1, maxLength: 16, description: 'Of the authenticator app.' }),
      ),
      recovery_code: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'One of the ten; it is used up. Case, spaces and dashes do not count.',
        }),
      ),
      passkey: Type.Optional(Assertion),
    },
    { additionalProperties: false, description: 'Exactly one of these.' },
  ),
)
