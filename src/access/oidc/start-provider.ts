// The ways to a provider: a page's link to sign in, an invitation, and a signed-in person who links
// an account. Each binds what follows to this browser by a cookie of ten minutes.

import { createHmac } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type RequestContext, type Route } from '../../kernel/http/route.ts'
import { OperatingError } from '../../kernel/operating-error.ts'
import { groupAddress } from '../../values/address-group.ts'
import { requireCaller } from '../admit-request.ts'
import { factorNotSetUp } from '../factors/errors.ts'
import { loadProvenSession } from '../factors/load-own-session.ts'
import {
  assertOwnOrigin,
  assertSafeForPasswords,
  type PublicUrl,
} from '../sessions/check-origin.ts'
import { type CookieNames, writeCookie } from '../sessions/session-cookie.ts'
import { createSecretText, hashSecret } from '../sessions/session-secret.ts'
import { sessionNotFound } from '../sign-in/errors.ts'
import { readLinkSecret } from '../sign-in/make-link.ts'
import { providerNotFound, providerTriesTooMany } from './errors.ts'
import { readOwnPath } from './own-path.ts'
import type { ProviderClient, TrySecrets } from './provider-client.ts'
import { ProviderInvitation, ProviderParams, ProviderStart, ProviderUrl } from './provider-wire.ts'
import { countTries, insertTry, type ProviderTry } from './try-store.ts'

export interface StartProviderDeps {
  readonly db: Db
  readonly clock: Clock
  readonly publicUrl: PublicUrl
  readonly readPublicUrl: () => string
  readonly cookies: CookieNames
  readonly providers: ReadonlyMap<string, ProviderClient>
}

const TRY_SECONDS = 600
// An office behind one address. Two requests at once may pass a bound by one.
const TRIES_OF_ADDRESS_MAX = 100
// A hundred bytes each.
const TRIES_MAX = 20_000

/** They follow from the secret in the cookie, so nothing else has to be kept. */
export function deriveSecrets(secret: string): TrySecrets {
  const derive = (purpose: string): string =>
    createHmac('sha256', secret).update(`provider ${purpose}`).digest('base64url')
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
}

/** Throws 404. */
export function requireProvider(
  { providers }: Pick<StartProviderDeps, 'providers'>,
  id: string,
): ProviderClient {
  const provider = providers.get(id)
  if (provider === undefined) throw providerNotFound()
  return provider
}

export function buildRedirectUri(
  { readPublicUrl }: Pick<StartProviderDeps, 'readPublicUrl'>,
  id: string,
): string {
  return `${readPublicUrl()}/beta/session/providers/${id}/callback`
}

interface FailedTry {
  readonly cookies?: readonly string[]
  /** The page that was asked for, to which another try leads as well. */
  readonly nextPage?: string | null
}

/**
 * Sends the browser to the sign-in page, which says what went wrong by the code of the error. The
 * code stands behind the `#`, so that no log of a server or proxy has it.
 */
export function answerFailure(
  { readPublicUrl }: Pick<StartProviderDeps, 'readPublicUrl'>,
  error: OperatingError,
  { cookies = [], nextPage = null }: FailedTry = {},
) {
  const next = nextPage === null ? '' : `?next=${encodeURIComponent(nextPage)}`
  const location = `${readPublicUrl()}/sign-in${next}#error=${error.code}`
  return { status: 302, headers: { location }, cookies }
}

type Asked = Pick<RequestContext<unknown, unknown, unknown>, 'headers' | 'remoteAddress'>

async function begin(
  deps: StartProviderDeps,
  provider: ProviderClient,
  purpose: Omit<ProviderTry, 'provider'>,
  { remoteAddress }: Asked,
) {
  const { db, clock, cookies } = deps
  const { id } = provider.settings
  const secret = createSecretText()
  const url = await provider.buildUrl(buildRedirectUri(deps, id), deriveSecrets(secret))
  const now = new Date(clock.nowMs())
  const addressGroup = groupAddress(remoteAddress)
  await inTransaction(db, async (tx) => {
    const open = await countTries(tx, addressGroup, now)
    if (open.ofAddress >= TRIES_OF_ADDRESS_MAX || open.all >= TRIES_MAX) {
      throw providerTriesTooMany()
    }
    await insertTry(tx, {
      ...purpose,
      provider: id,
      secretHash: hashSecret(secret),
      addressGroup,
      expiresAt: new Date(now.getTime() + TRY_SECONDS * 1_000),
    })
  })
  return { url, cookies: [writeCookie(cookies, cookies.provider, secret, TRY_SECONDS)] }
}

export function startProviderRoute(deps: StartProviderDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/session/providers/{providerId}/start',
    group: 'admin',
    access: { kind: 'public' },
    operationId: 'startProviderSignIn',
    summary: 'Sign in with a provider',
    description:
      'A browser goes here, and is sent on to the provider. When the provider does not answer, it is sent to `/sign-in#error=APP_PROVIDER_SILENT`.',
    params: ProviderParams,
    query: ProviderStart,
    responses: {
      302: { description: 'To the provider, or to the page that says why not.' },
      403: { description: 'The request came in clear over a network.' },
      404: { description: 'There is no such provider.' },
    },
    async handle(asked) {
      assertSafeForPasswords(deps.publicUrl, asked.headers)
      const provider = requireProvider(deps, asked.params.providerId)
      const nextPage = readOwnPath(asked.query.next)
      try {
        const purpose = { linkHash: null, userId: null, nextPage }
        const { url, cookies } = await begin(deps, provider, purpose, asked)
        return { status: 302, headers: { location: url }, cookies }
      } catch (error) {
        if (!(error instanceof OperatingError)) throw error
        asked.log.warn('Sign-in with a provider failed', describeFailure(provider, error))
        return answerFailure(deps, error, { nextPage })
      }
    },
  })
}

/** For the log of the operator alone: what the library threw, with its causes. */
export function describeFailure({ settings }: ProviderClient, { code, cause }: OperatingError) {
  const reasons: string[] = []
  let next: unknown = cause
  // The library wraps an error once or twice.
  while (next instanceof Error && reasons.length < 4) {
    reasons.push(next.message)
    next = next.cause
  }
  return { provider: settings.id, code, reason: reasons.join(': ') }
}

export function acceptByProviderRoute(deps: StartProviderDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/session/providers/{providerId}/start',
    group: 'admin',
    access: { kind: 'public' },
    operationId: 'acceptByProvider',
    summary: 'Accept an invitation with a provider',
    description:
      'Answers where the browser goes. The account there is linked to the invited person, who needs no password then. A person who has an account here links it from a session instead.',
    params: ProviderParams,
    body: ProviderInvitation,
    responses: {
      200: { description: 'Where to go.', schema: ProviderUrl },
      403: { description: 'The request comes from another site, or in clear over a network.' },
      404: { description: 'There is no such provider.' },
      429: { description: 'Too many sign-ins are under way.' },
      503: { description: 'The provider does not answer.' },
    },
    async handle(asked) {
      assertSafeForPasswords(deps.publicUrl, asked.headers)
      assertOwnOrigin(deps.publicUrl, asked.headers)
      const provider = requireProvider(deps, asked.params.providerId)
      const linkHash = hashSecret(readLinkSecret(asked.body.link))
      const { url, cookies } = await begin(
        deps,
        provider,
        { linkHash, userId: null, nextPage: null },
        asked,
      )
      return { status: 200, json: { url }, cookies }
    },
  })
}

export function linkProviderRoute(deps: StartProviderDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/session/providers/{providerId}/link',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'linkProvider',
    summary: 'Link an account of a provider',
    description:
      'Answers where the browser goes. The account there is linked to the signed-in person.',
    params: ProviderParams,
    responses: {
      200: { description: 'Where to go.', schema: ProviderUrl },
      403: { description: 'The last proof of who you are is older than ten minutes.' },
      404: { description: 'There is no such provider, or the request came with a token.' },
      429: { description: 'Too many sign-ins are under way.' },
      503: { description: 'The provider does not answer.' },
    },
    async handle(asked) {
      const { session } = requireCaller(asked.caller)
      if (session === undefined) throw sessionNotFound()
      // Whoever has the password alone must not link an account that then stands in for a factor.
      if (session.mustEnrol) throw factorNotSetUp()
      await loadProvenSession(deps, asked.caller)
      const provider = requireProvider(deps, asked.params.providerId)
      const purpose = { linkHash: null, userId: session.userId, nextPage: null }
      const { url, cookies } = await begin(deps, provider, purpose, asked)
      return { status: 200, json: { url }, cookies }
    },
  })
}
