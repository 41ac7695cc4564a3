// The authenticator app of the signed-in person: set up, confirmed by a code, removed.

import { inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { endOtherSessions, releaseSession } from '../sessions/session-store.ts'
import { forgetAttempts } from '../sign-in/back-off-store.ts'
import { countAttempt } from '../sign-in/count-attempt.ts'
import { readSessionOrigin } from '../sign-in/open-session.ts'
import { describeAttempt, readDigits } from './check-factor.ts'
import { factorNotFound, factorPresent, factorRefused } from './errors.ts'
import { describeFactors, type FactorDeps, makeFirstCodes, removeFactor } from './factor-changes.ts'
import { deleteTotp, insertTotp, lockTotp, noteTotpStep } from './factor-store.ts'
import { AddedFactor, TotpCode, TotpEnrolment } from './factor-wire.ts'
import { loadProvenSession } from './load-own-session.ts'
import { buildOtpauthUri, createTotpSecret, findTotpStep, writeBase32 } from './totp.ts'

export function enrolTotpRoute(deps: FactorDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/session/factors/totp',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'enrolTotp',
    summary: 'Set up an authenticator app',
    description:
      'Makes the secret of an authenticator app, shown this once. It counts for nothing before a code of the app confirms it; a second call replaces a secret that waits for that.',
    responses: {
      200: { description: 'What the app is given.', schema: TotpEnrolment },
      403: { description: 'The last proof of who you are is older than ten minutes.' },
      404: { description: 'The request came with a token.' },
      409: { description: 'You have an authenticator app already.' },
    },
    async handle({ caller }) {
      const { userId, email } = await loadProvenSession(deps, caller)
      const secret = createTotpSecret()
      const isNew = await inTransaction(deps.db, (tx) =>
        insertTotp(tx, deps.secrets, userId, secret),
      )
      if (!isNew) throw factorPresent()
      const { host } = new URL(deps.readPublicUrl())
      const json = {
        secret: writeBase32(secret).toUpperCase(),
        otpauth_uri: buildOtpauthUri(secret, email, host),
      }
      return { status: 200, json }
    },
  })
}

export function confirmTotpRoute(deps: FactorDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/session/factors/totp/confirm',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'confirmTotp',
    summary: 'Confirm an authenticator app',
    description:
      'A code of the app shows that it has the secret; from then on it is a second factor. The other sessions of the person are ended.',
    body: TotpCode,
    responses: {
      200: { description: 'Your factors, with the first recovery codes.', schema: AddedFactor },
      401: { description: 'The code is wrong.' },
      403: { description: 'The last proof of who you are is older than ten minutes.' },
      404: { description: 'No app waits to be confirmed, or the request came with a token.' },
      429: { description: 'There were too many wrong passwords and codes.' },
    },
    async handle({ caller, body, headers, remoteAddress }) {
      const session = await loadProvenSession(deps, caller)
      const { id, userId } = session
      const at = new Date(deps.clock.nowMs())
      const origin = readSessionOrigin({ headers, remoteAddress })
      const attempt = await describeAttempt(deps, session, origin, at)
      const attempts = await countAttempt(deps.db, attempt, at)
      const codes = await inTransaction(deps.db, async (tx) => {
        const totp = await lockTotp(tx, deps.secrets, userId)
        if (totp === null || totp.isConfirmed) throw factorNotFound()
        const moment = { nowMs: at.getTime(), afterStep: totp.lastStep }
        const step = findTotpStep(totp.secret, readDigits(body.code), moment)
        if (step === null) throw factorRefused()
        await noteTotpStep(tx, userId, step, at)
        await forgetAttempts(tx, attempts, at)
        const made = await makeFirstCodes(tx, deps, userId)
        await releaseSession(tx, id, { method: 'totp', at })
        await endOtherSessions(tx, { userId, id })
        const after = { kind: 'totp' }
        await deps.audit.record(tx, 'user.add_factor', { tenantId: null, id: userId, after })
        return made
      })
      await deps.refreshTokens()
      const factors = await describeFactors(deps, caller)
      return { status: 200, json: { ...factors, recovery_codes: codes } }
    },
  })
}

export function removeTotpRoute(deps: FactorDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/beta/session/factors/totp',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'removeTotp',
    summary: 'Remove the authenticator app',
    description:
      'Its codes are good no more. With the last factor the recovery codes go too, since they stand in for one.',
    responses: {
      204: { description: 'It is removed.' },
      403: { description: 'The last proof of who you are is older than ten minutes.' },
      404: {
        description: 'You have none that was confirmed, or the request came with a token.',
      },
      409: { description: 'A factor is required, and it is the last one.' },
    },
    async handle({ caller }) {
      const { userId } = await loadProvenSession(deps, caller)
      await inTransaction(deps.db, async (tx) => {
        await removeFactor(tx, deps, userId, async () => {
          if (!(await deleteTotp(tx, userId))) throw factorNotFound()
        })
        const before = { kind: 'totp' }
        await deps.audit.record(tx, 'user.remove_factor', { tenantId: null, id: userId, before })
      })
      return { status: 204 }
    },
  })
}
