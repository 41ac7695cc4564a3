// The wire of the ways to sign in.

import { Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'

const way = (description: string) =>
  Type.Object(
    {
      available: Type.Boolean({ description: 'Whether it works at the address of the request.' }),
      reason: Type.Union([Type.String(), Type.Null()], {
        description: 'Why it does not work here, for people; null where it does.',
      }),
    },
    { description },
  )

const SignInProvider = named(
  'SignInProvider',
  Type.Object({
    id: Type.String(),
    name: Type.String({ description: 'What the button says.' }),
    start_url: Type.String({ description: 'Where the browser goes to sign in there.' }),
  }),
)

export const SignInWays = named(
  'SignInWays',
  Type.Object(
    {
      password: way('By e-mail address and password.'),
      passkeys: way('By a passkey, without a password.'),
      forgotten_password: way('By a mail with a link for a new password.'),
      providers: Type.Array(SignInProvider, {
        description: 'Other services (OpenID Connect) that say who a person is.',
      }),
    },
    { description: 'How a person can sign in at the address of the request.' },
  ),
)
