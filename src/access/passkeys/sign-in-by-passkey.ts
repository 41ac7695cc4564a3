// POST /beta/session/passkeys/options and POST /beta/session/passkeys: a person signs in by a
// passkey, without address and password. It is two factors at once: the device, and the PIN or
// finger that the device asks for.

import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { OwnSession } from '../sessions/session-wire.ts'
import { answerLastStep, readSessionOrigin, type SignInDeps } from '../sign-in/open-session.ts'
import {
  type BeginDeps,
  beginChallenge,
  buildRequestOptions,
  requirePasskeyLocation,
  takeChallenge,
} from './begin-passkey.ts'
import { PasskeyRequest, PasskeySignIn } from './passkey-wire.ts'
import { verifyPasskey } from './verify-passkey.ts'

export function beginPasskeySignInRoute(deps: BeginDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/session/passkeys/options',
    group: 'admin',
    access: { kind: 'public' },
    operationId: 'beginPasskeySignIn',
    summary: 'Begin to sign in by a passkey',
    description:
      'What the browser gives to `navigator.credentials.get`. The answer sets a cookie; its challenge is good once, in this browser, for five minutes.',
    responses: {
      200: { description: 'The options for the browser.', schema: PasskeyRequest },
      403: { description: 'The request comes from another site.' },
      409: { description: 'Passkeys do not work at this address.' },
      429: { description: 'Too many were begun from this address.' },
    },
    async handle(asked) {
      const place = requirePasskeyLocation(deps.publicUrl, asked)
      const { remoteAddress } = asked
      const begun = await beginChallenge(deps, 'passkey_sign_in', { userId: null, remoteAddress })
      const options = buildRequestOptions(place, begun.challenge, [])
      return { status: 200, json: { options }, cookies: [begun.cookie] }
    },
  })
}

export function signInByPasskeyRoute(deps: SignInDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/session/passkeys',
    group: 'admin',
    access: { kind: 'public' },
    operationId: 'signInByPasskey',
    summary: 'Sign in by a passkey',
    description:
      'With the cookie of the options, and what the browser answered to them. No second factor is asked for.',
    body: PasskeySignIn,
    responses: {
      201: { description: 'You are signed in.', schema: OwnSession },
      401: { description: 'It is not known here, or did not sign what it was asked to.' },
      403: { description: 'The request comes from another site.' },
      409: { description: 'Passkeys do not work at this address.' },
    },
    async handle(asked) {
      const place = requirePasskeyLocation(deps.publicUrl, asked)
      const { credential, tenant_id: tenantId = null } = asked.body
      const { userId: id } = await deps.metrics.count('passkey', async () => {
        const { challenge } = await takeChallenge(deps, 'passkey_sign_in', asked)
        const at = new Date(deps.clock.nowMs())
        return await verifyPasskey(deps.db, place, { challenge, userId: null }, { credential, at })
      })
      const proof = { id, methods: ['passkey'], tenantId, attempts: [] }
      return await answerLastStep(deps, proof, readSessionOrigin(asked))
    },
  })
}
