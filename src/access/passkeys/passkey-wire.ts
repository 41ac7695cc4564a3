// The wire of passkeys: what a browser gives to and takes from `navigator.credentials` in JSON
// (WebAuthn level 3, section 5.1.8 and following), which says the names of the members.

import { type Static, Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'
import type { StoredPasskey } from './passkey-store.ts'

// An RSA attestation has some kilobytes.
const Base64Url = (description: string) =>
  Type.String({ minLength: 1, maxLength: 16_384, pattern: '^[A-Za-z0-9_-]+$', description })

const Id = Base64Url('The id of the credential, in base64url.')
const Named = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'What the person calls it, such as "laptop".',
})

export const Passkey = named(
  'Passkey',
  Type.Object({
    id: Type.String(),
    name: Named,
    is_synced: Type.Boolean({ description: 'Whether it is copied to other devices.' }),
    created_at: Type.String({ format: 'date-time' }),
    last_used_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'Null before its first use.',
    }),
  }),
)

export const PasskeyName = named(
  'PasskeyName',
  Type.Object({ name: Named }, { additionalProperties: false }),
)

const Descriptor = Type.Object({
  id: Id,
  type: Type.Literal('public-key', { description: 'The kind of credential.' }),
  transports: Type.Array(Type.String(), { description: 'How the device is reached.' }),
})
const Challenge = Type.String({ description: 'What is to be signed; good once, for five minutes.' })
const Timeout = Type.Integer({ description: 'How long the browser may ask, in milliseconds.' })

export const PasskeyRequest = named(
  'PasskeyRequest',
  Type.Object({
    options: Type.Object(
      {
        challenge: Challenge,
        timeout: Timeout,
        rpId: Type.String({ description: 'The host name that the passkey belongs to.' }),
        allowCredentials: Type.Array(Descriptor, { description: 'Empty for any of this host.' }),
        userVerification: Type.String({ description: 'The device asks for PIN or finger.' }),
      },
      { description: 'For `PublicKeyCredential.parseRequestOptionsFromJSON`.' },
    ),
  }),
)

export const PasskeyCreation = named(
  'PasskeyCreation',
  Type.Object({
    options: Type.Object(
      {
        rp: Type.Object(
          { id: Type.String(), name: Type.String() },
          { description: 'The host name that the passkey belongs to.' },
        ),
        user: Type.Object(
          {
            id: Type.String(),
            name: Type.String(),
            displayName: Type.String({ description: 'The name of the person.' }),
          },
          { description: 'Whose passkey it is.' },
        ),
        challenge: Challenge,
        pubKeyCredParams: Type.Array(
          Type.Object({
            type: Type.Literal('public-key', { description: 'The kind of credential.' }),
            alg: Type.Integer({ description: 'A COSE algorithm.' }),
          }),
          { description: 'The algorithms that are taken.' },
        ),
        timeout: Timeout,
        excludeCredentials: Type.Array(Descriptor, {
          description: 'Those of the person: a device makes no second one.',
        }),
        authenticatorSelection: Type.Object(
          {
            residentKey: Type.String({ description: 'The device keeps it.' }),
            requireResidentKey: Type.Boolean({ description: 'The device keeps it.' }),
            userVerification: Type.String({ description: 'The device asks for PIN or finger.' }),
          },
          { description: 'Which devices will do.' },
        ),
        attestation: Type.String({ description: 'What the maker says of the device: none.' }),
      },
      { description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON`.' },
    ),
  }),
)

const CREDENTIAL = {
  id: Id,
  rawId: Id,
  type: Type.Literal('public-key', { description: 'The kind of credential.' }),
  authenticatorAttachment: Type.Optional(
    Type.String({ maxLength: 64, description: 'Whether the device is built in.' }),
  ),
  clientExtensionResults: Type.Optional(
    Type.Object({}, { description: 'What extensions answered; not read.' }),
  ),
}

export const Assertion = named(
  'PasskeyAssertion',
  Type.Object(
    {
      ...CREDENTIAL,
      response: Type.Object(
        {
          clientDataJSON: Base64Url('What was signed: challenge and origin.'),
          authenticatorData: Base64Url('What the device says.'),
          signature: Base64Url('The signature.'),
          userHandle: Type.Optional(
            Type.Union([Base64Url('The id of the person.'), Type.Null()], {
              description: 'The id of the person.',
            }),
          ),
        },
        { description: 'The answer of the device.' },
      ),
    },
    { description: 'What `toJSON()` of the credential gives after `navigator.credentials.get`.' },
  ),
)

export const PasskeySignIn = named(
  'PasskeySignIn',
  Type.Object(
    {
      credential: Assertion,
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

export const NewPasskey = named(
  'NewPasskey',
  Type.Object(
    {
      name: Named,
      credential: Type.Object(
        {
          ...CREDENTIAL,
          response: Type.Object(
            {
              clientDataJSON: Base64Url('What was asked: challenge and origin.'),
              attestationObject: Base64Url('The public key, in CBOR.'),
              transports: Type.Optional(
                Type.Array(Type.String({ maxLength: 32 }), {
                  maxItems: 16,
                  description: 'How the device is reached.',
                }),
              ),
            },
            { description: 'The answer of the device.' },
          ),
        },
        {
          description:
            'What `toJSON()` of the credential gives after `navigator.credentials.create`.',
        },
      ),
    },
    { additionalProperties: false },
  ),
)

export function presentPasskey(passkey: StoredPasskey): Static<typeof Passkey> {
  return {
    id: passkey.id,
    name: passkey.name,
    is_synced: passkey.isSynced,
    created_at: passkey.createdAt.toISOString(),
    last_used_at: passkey.lastUsedAt?.toISOString() ?? null,
  }
}
