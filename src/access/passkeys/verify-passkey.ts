// What an authenticator signed, checked by @simplewebauthn/server: challenge, origin, host name,
// user verification, signature. The library is loaded with its first use: most requests have none.

import type { Static } from 'typebox'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { passkeyRefused } from './errors.ts'
import type { PasskeyLocation } from './passkey-location.ts'
import {
  findPasskey,
  notePasskeyUse,
  type NewPasskey as StoredNew,
  type StoredPasskey,
} from './passkey-store.ts'
import type { Assertion, NewPasskey } from './passkey-wire.ts'

export type WorkingLocation = Extract<PasskeyLocation, { kind: 'works' }>

/** What is to be signed, and for whom: null where the passkey says it. */
export interface Asked {
  readonly challenge: string
  readonly userId: string | null
}

/** The public key of a new passkey. Throws 401 for what is not signed as asked. */
export async function verifyNewPasskey(
  { rpId, origin }: WorkingLocation,
  challenge: string,
  { id, rawId, type, response }: Static<typeof NewPasskey>['credential'],
): Promise<
  Pick<StoredNew, 'credentialId' | 'publicKey' | 'signCount' | 'transports' | 'isSynced'>
> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { clientDataJSON, attestationObject, transports = [] } = response
  const made = await verifyRegistrationResponse({
    response: {
      id,
      rawId,
      type,
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
  }).catch(refuse)
  if (!made.verified) throw passkeyRefused()
  const { credential, credentialBackedUp } = made.registrationInfo
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    signCount: credential.counter,
    transports,
    isSynced: credentialBackedUp,
  }
}

// COSE: Ed25519, ECDSA with P-256, RSA with SHA-256.
export const PASSKEY_ALGORITHMS = [-8, -7, -257] as const

/** Whose passkey signed it; its use is noted. Throws 401 for what is not signed as asked. */
export async function verifyPasskey(
  db: Db,
  place: WorkingLocation,
  asked: Asked,
  { credential, at }: { readonly credential: Static<typeof Assertion>; readonly at: Date },
): Promise<StoredPasskey> {
  const passkey = await findPasskey(db, credential.id)
  if (passkey === null || !isOwner(passkey, asked, credential)) throw passkeyRefused()
  const signCount = await verifySignature(place, asked.challenge, { credential, passkey })
  const isNoted = await inTransaction(db, (tx) => notePasskeyUse(tx, passkey.id, { signCount, at }))
  if (!isNoted) throw passkeyRefused()
  return passkey
}

function isOwner(
  { userId }: StoredPasskey,
  asked: Asked,
  { response: { userHandle } }: Static<typeof Assertion>,
): boolean {
  if (asked.userId !== null && asked.userId !== userId) return false
  // WebAuthn section 7.2, step 6: without it only a person who is known already can be compared.
  if (userHandle === null || userHandle === undefined) return asked.userId !== null
  return Buffer.from(userHandle, 'base64url').toString('utf8') === userId
}

async function verifySignature(
  { rpId, origin }: WorkingLocation,
  challenge: string,
  given: { readonly credential: Static<typeof Assertion>; readonly passkey: StoredPasskey },
): Promise<number> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { credential, passkey } = given
  const { id, rawId, type } = credential
  const { clientDataJSON, authenticatorData, signature } = credential.response
  const checked = await verifyAuthenticationResponse({
    response: {
      id,
      rawId,
      type,
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      // The count is compared where it is stored, so that of two uses at once one counts.
      counter: 0,
    },
    requireUserVerification: true,
  }).catch(refuse)
  if (!checked.verified) throw passkeyRefused()
  return checked.authenticationInfo.newCounter
}

/** The library throws for each thing that is not as expected. */
function refuse(cause: unknown): never {
  throw passkeyRefused(cause)
}
