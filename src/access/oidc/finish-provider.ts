// GET /beta/session/providers/{providerId}/callback: the browser comes back from the provider. The
// page that it is sent to says what went wrong, since nobody reads JSON there.

import { inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type RequestContext, type Route } from '../../kernel/http/route.ts'
import { OperatingError } from '../../kernel/operating-error.ts'
import { readCookie, writeCookie } from '../sessions/session-cookie.ts'
import { hashSecret } from '../sessions/session-secret.ts'
import { findSessionBySecret } from '../sessions/session-store.ts'
import { openSession, readSessionOrigin, type SignInDeps } from '../sign-in/open-session.ts'
import { type ChoosePersonDeps, choosePerson } from './choose-person.ts'
import { providerTryNotValid } from './errors.ts'
import type { ProviderClient } from './provider-client.ts'
import { ProviderAnswer, ProviderParams } from './provider-wire.ts'
import {
  answerFailure,
  buildRedirectUri,
  deriveSecrets,
  describeFailure,
  requireProvider,
  type StartProviderDeps,
} from './start-provider.ts'
import { type ProviderTry, takeTry } from './try-store.ts'

export type FinishProviderDeps = StartProviderDeps & ChoosePersonDeps & SignInDeps

type Query = Readonly<Partial<Record<'code' | 'state' | 'iss' | 'error', string>>>

export function finishProviderRoute(deps: FinishProviderDeps): Route {
  const { cookies } = deps
  return defineRoute({
    method: 'GET',
    path: '/beta/session/providers/{providerId}/callback',
    group: 'admin',
    access: { kind: 'public' },
    operationId: 'finishProviderSignIn',
    summary: 'Come back from a provider',
    description:
      'The redirect URI of the provider. It signs in, or links the account, and sends the browser to a page; with `/sign-in#error=` and the code of the error when it does not.',
    params: ProviderParams,
    query: ProviderAnswer,
    unknownQuery: 'ignored',
    responses: {
      302: { description: 'To the console, or to the page that says why not.' },
      404: { description: 'There is no such provider.' },
    },
    async handle(asked) {
      const provider = requireProvider(deps, asked.params.providerId)
      const endedTry = writeCookie(cookies, cookies.provider, '', 0)
      let nextPage: string | null = null
      try {
        const secret = readCookie(readSessionOrigin(asked).cookieHeader, cookies.provider)
        const ownTry = await takeOwnTry(deps, provider, secret, asked.query.state)
        nextPage = ownTry.row.nextPage
        const finished = await finish(deps, provider, ownTry, asked)
        const location = `${deps.readPublicUrl()}${finished.page}`
        return { status: 302, headers: { location }, cookies: [...finished.cookies, endedTry] }
      } catch (error) {
        if (!(error instanceof OperatingError)) throw error
        asked.log.warn('Sign-in with a provider failed', describeFailure(provider, error))
        return answerFailure(deps, error, { cookies: [endedTry], nextPage })
      }
    },
  })
}

type Asked = Pick<RequestContext<unknown, Query, unknown>, 'headers' | 'remoteAddress' | 'query'>

/** A try of this browser, with the secret of its cookie. */
interface OwnTry {
  readonly secret: string
  readonly row: ProviderTry
}

async function finish(
  deps: FinishProviderDeps,
  provider: ProviderClient,
  { secret, row }: OwnTry,
  asked: Asked,
) {
  const origin = readSessionOrigin(asked)
  const { userId } = row
  const session = readCookie(origin.cookieHeader, deps.cookies.session)
  if (userId !== null) await assertStillSignedIn(deps, userId, session)
  const work = async () => {
    const url = buildAnswerUrl(buildRedirectUri(deps, provider.settings.id), asked.query)
    const identity = await provider.redeem(url, deriveSecrets(secret))
    const proof = { provider: provider.settings, identity }
    return await inTransaction(deps.db, (tx) => choosePerson(tx, deps, proof, row))
  }
  const person = await deps.metrics.count('provider', work)
  if (userId !== null) return { page: `/account#linked=${provider.settings.id}`, cookies: [] }
  const { tenantId } = person
  const opened = await openSession(
    deps,
    { id: person.userId, methods: ['provider'], tenantId, attempts: [] },
    origin,
  )
  await deps.refreshTokens()
  return { page: row.nextPage ?? '/', cookies: opened.setCookies }
}

/** The try that this browser began with this provider; it is used up. Throws 401 for any other. */
async function takeOwnTry(
  { db, clock }: FinishProviderDeps,
  { settings }: ProviderClient,
  secret: string | null,
  state: string | undefined,
): Promise<OwnTry> {
  // A page of another site that sends the browser here uses nothing up.
  if (secret === null || state !== deriveSecrets(secret).state) throw providerTryNotValid()
  const row = await takeTry(db, hashSecret(secret), new Date(clock.nowMs()))
  if (row?.provider !== settings.id) throw providerTryNotValid()
  return { secret, row }
}

/** Another person may use the browser by now. */
async function assertStillSignedIn(
  { db }: FinishProviderDeps,
  userId: string,
  secret: string | null,
): Promise<void> {
  const session = secret === null ? null : await findSessionBySecret(db, hashSecret(secret))
  if (session?.isLive !== true || session.userId !== userId) throw providerTryNotValid()
}

/**
 * The address that the browser came back to, by its public name. The library takes the redirect URI
 * out of it, and checks the parameters.
 */
function buildAnswerUrl(redirectUri: string, query: Query): URL {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url
}
