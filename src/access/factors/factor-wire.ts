// The wire of second factors. The secret of an app and recovery codes are shown once, when they are
// made.

import { type Static, Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'
import type { StoredPasskey } from '../passkeys/passkey-store.ts'
import { Passkey, presentPasskey } from '../passkeys/passkey-wire.ts'
import type { Factors as StoredFactors } from './factor-store.ts'

const OrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })

export const Factors = named(
  'Factors',
  Type.Object({
    required: Type.Boolean({
      description:
        'Whether this instance, or a tenant that the person works for, requires a second factor.',
    }),
    totp_since: OrNull('Since when an authenticator app is set up; null for none.'),
    passkeys: Type.Array(Passkey, { description: 'The passkeys of the person, the oldest first.' }),
    recovery_codes_left: Type.Integer({ description: 'How many recovery codes are unused.' }),
    proof_ends_at: OrNull(
      'Until when factors can be changed without another proof; null when one is needed.',
    ),
  }),
)

export const TotpEnrolment = named(
  'TotpEnrolment',
  Type.Object({
    secret: Type.String({
      description: 'What the app is given, in Base32; shown this once.',
    }),
    otpauth_uri: Type.String({ description: 'The same for a QR code.' }),
  }),
)

const Codes = Type.Array(Type.String(), {
  description: 'Ten recovery codes, each good once, shown this once.',
})

export const RecoveryCodes = named('RecoveryCodes', Type.Object({ recovery_codes: Codes }))

export const AddedFactor = named(
  'AddedFactor',
  Type.Object({
    ...Factors.properties,
    recovery_codes: Type.Union([Codes, Type.Null()], {
      description: 'With the first factor: ten recovery codes, shown this once; else null.',
    }),
  }),
)

export const TotpCode = named(
  'TotpCode',
  Type.Object(
    { code: Type.String({ minLength: 1, maxLength: 16, description: 'What the app shows.' }) },
    { additionalProperties: false },
  ),
)

export const SessionProof = named(
  'SessionProof',
  Type.Object(
    {
      password: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1_024,
          description: 'The password of the account.',
        }),
      ),
      code: Type.Optional(
        Type.String({ minLength: 1, maxLength: 16, description: 'Of the authenticator app.' }),
      ),
      recovery_code: Type.Optional(
        Type.String({ minLength: 1, maxLength: 64, description: 'It is used up.' }),
      ),
    },
    { additionalProperties: false, description: 'Exactly one of these.' },
  ),
)

export function presentFactors(
  factors: StoredFactors,
  {
    passkeys,
    required,
    proofEndsAt,
  }: {
    readonly passkeys: readonly StoredPasskey[]
    readonly required: boolean
    readonly proofEndsAt: Date | null
  },
): Static<typeof Factors> {
  return {
    required,
    totp_since: factors.totpSince?.toISOString() ?? null,
    passkeys: passkeys.map(presentPasskey),
    recovery_codes_left: factors.recoveryCodesLeft,
    proof_ends_at: proofEndsAt?.toISOString() ?? null,
  }
}
