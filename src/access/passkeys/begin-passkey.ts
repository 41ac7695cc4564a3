// Challenges of passkeys: kept in the database, good once and for five minutes, and bound to the
// browser by its cookie. The options for the browser are made here too.

import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import type { RequestContext } from '../../kernel/http/route.ts'
import { groupAddress } from '../../values/address-group.ts'
import { assertOwnOrigin, type PublicUrl } from '../sessions/check-origin.ts'
import { type CookieNames, readCookie, writeCookie } from '../sessions/session-cookie.ts'
import { createSecretText, hashSecret } from '../sessions/session-secret.ts'
import { buildBackOffKey } from '../sign-in/back-off.ts'
import { STEP_MS } from '../sign-in/open-session.ts'
import { insertStep, type SignInStep, takeStep } from '../sign-in/step-store.ts'
import { challengesTooMany, passkeyRefused, passkeysNotHere } from './errors.ts'
import { findPasskeyLocation } from './passkey-location.ts'
import type { StoredPasskey } from './passkey-store.ts'
import type { PasskeyCreation, PasskeyRequest } from './passkey-wire.ts'
import { PASSKEY_ALGORITHMS, type WorkingLocation } from './verify-passkey.ts'

export interface BeginDeps {
  readonly db: Db
  readonly clock: Clock
  readonly cookies: CookieNames
  readonly publicUrl: PublicUrl
}

type Asked = Pick<RequestContext<unknown, unknown, unknown>, 'headers' | 'remoteAddress'>

/** Throws 403 for the page of another site, and 409 with the reason where passkeys do not work. */
export function requirePasskeyLocation(publicUrl: PublicUrl, { headers }: Asked): WorkingLocation {
  const { host } = headers
  const place = findPasskeyLocation(publicUrl, typeof host === 'string' ? host : undefined)
  if (place.kind === 'none') throw passkeysNotHere(place.reason)
  assertOwnOrigin(publicUrl, headers)
  return place
}

export function createChallenge(): string {
  return randomBytes(32).toString('base64url')
}

/** Keeps a new challenge; the answer carries its cookie. */
export async function beginChallenge(
  { db, clock, cookies }: BeginDeps,
  purpose: 'passkey_sign_in' | 'passkey_registration',
  { userId, remoteAddress }: { readonly userId: string | null; readonly remoteAddress: string },
): Promise<{ readonly challenge: string; readonly cookie: string }> {
  const secret = createSecretText()
  const challenge = createChallenge()
  const now = new Date(clock.nowMs())
  const expiresAt = new Date(now.getTime() + STEP_MS)
  const originHash =
    userId === null ? buildBackOffKey('passkey', groupAddress(remoteAddress)) : null
  const step = { purpose, userId, tenantId: null, methods: [], challenge, originHash, expiresAt }
  const isKept = await inTransaction(db, (tx) => insertStep(tx, hashSecret(secret), step, now))
  if (!isKept) throw challengesTooMany()
  return { challenge, cookie: writeCookie(cookies, cookies.step, secret, STEP_MS / 1_000) }
}

/** Uses up the challenge of this browser. Throws 401 when there is none, or no more. */
export async function takeChallenge(
  { db, clock, cookies }: BeginDeps,
  purpose: 'passkey_sign_in' | 'passkey_registration',
  { headers }: Pick<Asked, 'headers'>,
): Promise<SignInStep & { readonly challenge: string }> {
  const { cookie } = headers
  const secret = readCookie(typeof cookie === 'string' ? cookie : undefined, cookies.step)
  if (secret === null) throw passkeyRefused()
  const now = new Date(clock.nowMs())
  const step = await inTransaction(db, (tx) => takeStep(tx, hashSecret(secret), purpose, now))
  if (step === null || step.challenge === null) throw passkeyRefused()
  return { ...step, challenge: step.challenge }
}

const describe = ({ credentialId, transports }: StoredPasskey) => ({
  id: credentialId,
  type: 'public-key' as const,
  transports: [...transports],
})

/** Without passkeys the browser offers those that it has for this host. */
export function buildRequestOptions(
  { rpId }: WorkingLocation,
  challenge: string,
  passkeys: readonly StoredPasskey[],
): Static<typeof PasskeyRequest>['options'] {
  const allowCredentials = passkeys.map(describe)
  return { challenge, timeout: STEP_MS, rpId, allowCredentials, userVerification: 'required' }
}

export function buildCreationOptions(
  { rpId }: WorkingLocation,
  challenge: string,
  person: { readonly userId: string; readonly email: string; readonly name: string },
  passkeys: readonly StoredPasskey[],
): Static<typeof PasskeyCreation>['options'] {
  return {
    rp: { id: rpId, name: 'Casework' },
    // The id is random and says nothing of the person (WebAuthn section 14.6.1).
    user: {
      id: Buffer.from(person.userId, 'utf8').toString('base64url'),
      name: person.email,
      displayName: person.name,
    },
    challenge,
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: STEP_MS,
    excludeCredentials: passkeys.map(describe),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }
}
