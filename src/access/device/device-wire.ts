// The wire of device codes, in the shapes of RFC 8628 and, for the token, RFC 6749 section 5.1.

import { Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'

const Scopes = Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 64 })

export const DeviceLogin = named(
  'DeviceLogin',
  Type.Object(
    {
      client_name: Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'The program and its machine, as the person who approves sees them.',
      }),
      scopes: Type.Optional(
        Type.Union([Scopes, Type.Null()], {
          description: 'What the token may do at the most; all that the person may when left out.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
)

export const DeviceCodes = named(
  'DeviceCodes',
  Type.Object({
    device_code: Type.String({ description: 'The secret by which the program asks for a token.' }),
    user_code: Type.String({ description: 'The code that the person types, such as WDJB-MJHT.' }),
    verification_uri: Type.String({ description: 'The page on which the person types it.' }),
    verification_uri_complete: Type.String({
      description: 'The same page with the code behind the `#`.',
    }),
    expires_in: Type.Integer({ description: 'Seconds for which both codes are good.' }),
    interval: Type.Integer({ description: 'Seconds between two requests for the token.' }),
  }),
)

export const DeviceCodeOfProgram = named(
  'DeviceCode',
  Type.Object(
    { device_code: Type.String({ minLength: 1, maxLength: 128, description: 'As it was given.' }) },
    { additionalProperties: false },
  ),
)

export const DeviceToken = named(
  'DeviceToken',
  Type.Object({
    access_token: Type.String({ description: 'The token, shown this once.' }),
    token_type: Type.Literal('Bearer', { description: 'It is sent as `Authorization: Bearer`.' }),
    expires_in: Type.Integer({ description: 'Seconds until the token ends.' }),
    scope: Type.String({ description: 'What it may do now, separated by spaces.' }),
    token_id: Type.String({ description: 'The public id of the token.' }),
    tenant_id: Type.String(),
  }),
)

const UserCode = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'As the program shows it; small letters and a missing hyphen are no matter.',
})

export const UserCodeToCheck = named(
  'UserCode',
  Type.Object({ user_code: UserCode }, { additionalProperties: false }),
)

export const WaitingLogin = named(
  'WaitingLogin',
  Type.Object({
    client_name: Type.String({ description: 'How the program calls itself. Anybody may say so.' }),
    address: Type.Union([Type.String(), Type.Null()], {
      description: 'The address that the program asked from.',
    }),
    scopes: Type.Array(Type.String(), {
      description: 'What the token would be able to do, by the roles of the person.',
    }),
    created_at: Type.String({ format: 'date-time' }),
    expires_at: Type.String({ format: 'date-time' }),
  }),
)

export const LoginDecision = named(
  'LoginDecision',
  Type.Object(
    {
      user_code: UserCode,
      approve: Type.Boolean({ description: 'False denies it.' }),
    },
    { additionalProperties: false },
  ),
)
