// GET /beta/session/sign-in-ways: how a person can sign in at the address of the request, so that a
// page offers what works here, and says why the rest does not.

import type { Static } from 'typebox'
import { defineRoute, type RequestContext, type Route } from '../../kernel/http/route.ts'
import { OperatingError } from '../../kernel/operating-error.ts'
import { findPasskeyLocation } from '../passkeys/passkey-location.ts'
import { assertSafeForPasswords, type PublicUrl } from '../sessions/check-origin.ts'
import { SignInWays } from './sign-in-ways-wire.ts'

type Way = Static<typeof SignInWays>['password']
type Headers = RequestContext<unknown, unknown, unknown>['headers']

export interface SignInWaysDeps {
  readonly publicUrl: PublicUrl
  readonly readPublicUrl: () => string
  readonly sendsMail: boolean
  readonly providers: ReadonlyMap<string, ProviderToShow>
}

interface ProviderToShow {
  readonly settings: { readonly id: string; readonly name: string }
}

export function getSignInWaysRoute(deps: SignInWaysDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/session/sign-in-ways',
    group: 'admin',
    access: { kind: 'public' },
    operationId: 'getSignInWays',
    summary: 'Get the ways to sign in',
    description:
      'How a person can sign in at the address of this request. A way that does not work here says why.',
    responses: { 200: { description: 'The ways to sign in.', schema: SignInWays } },
    handle({ headers }) {
      const json: Static<typeof SignInWays> = {
        password: describePassword(deps.publicUrl, headers),
        passkeys: describePasskeys(deps.publicUrl, headers),
        forgotten_password: deps.sendsMail ? { available: true, reason: null } : refuse(NO_MAIL),
        providers: [...deps.providers.values()].map(({ settings: { id, name } }) => ({
          id,
          name,
          start_url: `${deps.readPublicUrl()}/beta/session/providers/${id}/start`,
        })),
      }
      return { status: 200, json }
    },
  })
}

const NO_MAIL =
  'This server sends no mail. An administrator makes a link for a new password, on the machine by `casework user reset`.'

function refuse(reason: string): Way {
  return { available: false, reason }
}

function describePassword(publicUrl: PublicUrl, headers: Headers): Way {
  try {
    assertSafeForPasswords(publicUrl, headers)
    return { available: true, reason: null }
  } catch (error) {
    if (error instanceof OperatingError) return refuse(error.publicMessage)
    throw error
  }
}

function describePasskeys(publicUrl: PublicUrl, { host }: Headers): Way {
  const place = findPasskeyLocation(publicUrl, typeof host === 'string' ? host : undefined)
  return place.kind === 'works' ? { available: true, reason: null } : refuse(place.reason)
}
