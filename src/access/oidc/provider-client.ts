// One OpenID Connect provider, by the library openid-client: authorization code with PKCE, state
// and nonce. The signature of each ID token is checked, though TLS would do (OpenID Connect Core
// 1.0 section 3.1.3.7), since an operator may allow plain HTTP to a provider in the own network.

import * as client from 'openid-client'
import type { Clock } from '../../kernel/clock.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import { providerAnswerNotValid, providerRefused, providerSilent } from './errors.ts'
import { createOutboundFetch, ProviderSilence } from './outbound-fetch.ts'
import type { ProviderSettings } from './provider-settings.ts'

/** What the provider has proved. `issuer` and `subject` together are the identity. */
export interface ProvenIdentity {
  readonly issuer: string
  readonly subject: string
  readonly claims: Readonly<Record<string, unknown>>
}

/**
 * The secrets of one try: the provider returns `state` by the browser and `nonce` in the ID token,
 * and sees of `verifier` a digest only until the code is redeemed (PKCE).
 */
export interface TrySecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface ProviderClient {
  readonly settings: ProviderSettings
  /** Where the browser goes. Throws 503 when the provider does not answer. */
  readonly buildUrl: (redirectUri: string, secrets: TrySecrets) => Promise<string>
  /**
   * Takes the address that the browser came back to. Throws 401 when the provider refuses or its
   * answer is not valid, and 503 when it does not answer.
   */
  readonly redeem: (cameBackTo: URL, secrets: TrySecrets) => Promise<ProvenIdentity>
}

export interface ProviderClientDeps {
  readonly clock: Clock
  readonly outbound: Outbound
  readonly allowsPlainHttp: (url: string) => boolean
}

// A provider that changes its endpoints is followed within the hour, and one that is away now and
// then is not asked for what is known.
const METADATA_MS = 3_600_000
// After a failure people do not wait for another timeout each.
const FAILURE_MS = 5_000
// RFC 7519 section 4.1.4: no more than a few minutes.
const CLOCK_TOLERANCE_SECONDS = 60
const SUBJECT_LENGTH_MAX = 255

export function createProviderClient(
  settings: ProviderSettings,
  deps: ProviderClientDeps,
): ProviderClient {
  const findMetadata = keepMetadata(deps.clock, () => discover(settings, deps))
  const open = async () => openConfiguration(settings, deps, await findMetadata())
  return {
    settings,
    buildUrl: (redirectUri, { state, nonce, verifier }) =>
      explain(async () => {
        const url = client.buildAuthorizationUrl(await open(), {
          redirect_uri: redirectUri,
          scope: settings.scopes.join(' '),
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        })
        return url.href
      }),
    redeem: (cameBackTo, secrets) =>
      explain(async () => await redeemCode(await open(), cameBackTo, secrets)),
  }
}

async function redeemCode(
  configuration: client.Configuration,
  cameBackTo: URL,
  { state, nonce, verifier }: TrySecrets,
): Promise<ProvenIdentity> {
  const answer = await client.authorizationCodeGrant(configuration, cameBackTo, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims = answer.claims()
  if (claims === undefined || claims.sub.length > SUBJECT_LENGTH_MAX) {
    throw providerAnswerNotValid('the subject is too long')
  }
  const more = await readUserInfo(configuration, answer.access_token, claims)
  return { issuer: claims.iss, subject: claims.sub, claims: { ...more, ...claims } }
}

/** Many providers tell the address there alone. */
async function readUserInfo(
  configuration: client.Configuration,
  accessToken: string,
  { sub, email }: client.IDToken,
): Promise<Readonly<Record<string, unknown>>> {
  const isNeeded =
    email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
  return isNeeded ? await client.fetchUserInfo(configuration, accessToken, sub) : {}
}

async function discover(
  { issuer, clientId }: ProviderSettings,
  { outbound, allowsPlainHttp }: ProviderClientDeps,
): Promise<client.ServerMetadata> {
  const configuration = await client.discovery(new URL(issuer), clientId, {}, client.None(), {
    [client.customFetch]: createOutboundFetch(outbound, allowsPlainHttp),
    execute: allowsPlainHttp(issuer) ? [client.allowInsecureRequests] : [],
  })
  return configuration.serverMetadata()
}

/**
 * One for each use: the library keeps keys with it for minutes, and a provider which has just
 * changed its keys, because one was stolen, must be understood at once.
 */
function openConfiguration(
  { issuer, clientId, clientSecret }: ProviderSettings,
  { outbound, allowsPlainHttp }: ProviderClientDeps,
  metadata: client.ServerMetadata,
): client.Configuration {
  const configuration = new client.Configuration(
    metadata,
    clientId,
    { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    clientSecret === null ? client.None() : client.ClientSecretBasic(clientSecret),
  )
  configuration[client.customFetch] = createOutboundFetch(outbound, allowsPlainHttp)
  if (allowsPlainHttp(issuer)) client.allowInsecureRequests(configuration)
  client.enableNonRepudiationChecks(configuration)
  return configuration
}

/** Asks anew after an hour, and goes on with the former answer while there is none. */
function keepMetadata(
  { nowMs }: Clock,
  ask: () => Promise<client.ServerMetadata>,
): () => Promise<client.ServerMetadata> {
  let last: client.ServerMetadata | null = null
  let run: { readonly atMs: number; readonly result: Promise<client.ServerMetadata> } | null = null
  let keptMs = METADATA_MS
  return () => {
    if (run !== null && nowMs() - run.atMs < keptMs) return run.result
    keptMs = METADATA_MS
    const result = ask().then(
      (metadata) => {
        last = metadata
        return metadata
      },
      (error: unknown) => {
        keptMs = FAILURE_MS
        if (last !== null && findCause(error, ProviderSilence) !== null) return last
        throw error
      },
    )
    run = { atMs: nowMs(), result }
    return result
  }
}

/** Turns what the library throws into the errors of the catalogue. */
async function explain<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (findCause(error, ProviderSilence) !== null) throw providerSilent(error)
    const isRefusal =
      error instanceof client.AuthorizationResponseError ||
      error instanceof client.ResponseBodyError ||
      error instanceof client.WWWAuthenticateChallengeError
    throw isRefusal ? providerRefused(error) : providerAnswerNotValid(error)
  }
}

// The library wraps an error once or twice.
const CAUSES_MAX = 5

function findCause<Kind extends Error>(
  error: unknown,
  kind: new (...parts: never[]) => Kind,
): Kind | null {
  let next = error
  for (let depth = 0; depth < CAUSES_MAX && next instanceof Error; depth += 1) {
    if (next instanceof kind) return next
    next = next.cause
  }
  return null
}
