// The second factors of the signed-in person: which there are, new recovery codes, and the proof
// that a change of them needs.

import { inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { assertSafeForPasswords, type PublicUrl } from '../sessions/check-origin.ts'
import { readCookie } from '../sessions/session-cookie.ts'
import { noteProof } from '../sessions/session-store.ts'
import { forgetAttempts } from '../sign-in/back-off-store.ts'
import { readSessionOrigin } from '../sign-in/open-session.ts'
import { type VerifyDeps, verifyPassword } from '../sign-in/verify-password.ts'
import { checkFactor } from './check-factor.ts'
import { factorMissing, oneFactorNeeded } from './errors.ts'
import { describeFactors, type FactorDeps, makeCodes } from './factor-changes.ts'
import { hasFactor, readFactors } from './factor-store.ts'
import { Factors, RecoveryCodes, SessionProof } from './factor-wire.ts'
import { loadOwnSession, loadProvenSession } from './load-own-session.ts'

export function getFactorsRoute(deps: FactorDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/session/factors',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'getFactors',
    summary: 'Get your second factors',
    responses: {
      200: { description: 'What you can sign in with beside the password.', schema: Factors },
      404: { description: 'The request came with a token.' },
    },
    async handle({ caller }) {
      return { status: 200, json: await describeFactors(deps, caller) }
    },
  })
}

export function makeRecoveryCodesRoute(deps: FactorDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/session/factors/recovery-codes',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'makeRecoveryCodes',
    summary: 'Make new recovery codes',
    description: 'Ten new ones; the former ones are good no more.',
    responses: {
      200: { description: 'The codes, shown this once.', schema: RecoveryCodes },
      403: { description: 'The last proof of who you are is older than ten minutes.' },
      404: { description: 'The request came with a token.' },
      409: { description: 'You have no second factor that they could stand in for.' },
    },
    async handle({ caller }) {
      const { userId } = await loadProvenSession(deps, caller)
      const codes = await inTransaction(deps.db, async (tx) => {
        if (!hasFactor(await readFactors(tx, userId))) throw factorMissing()
        return await makeCodes(tx, deps, userId)
      })
      return { status: 200, json: { recovery_codes: codes } }
    },
  })
}

export interface ProofDeps extends FactorDeps, VerifyDeps {
  readonly publicUrl: PublicUrl
}

export function proveSessionRoute(deps: ProofDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/session/proof',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'proveSession',
    summary: 'Prove again who you are',
    description:
      'A change of factors needs a proof that is no older than ten minutes: a sign-in, or this call with the password or a factor.',
    body: SessionProof,
    responses: {
      200: { description: 'Your factors, which can be changed now.', schema: Factors },
      401: { description: 'The password or the code is wrong.' },
      403: { description: 'The request comes in clear over a network.' },
      404: { description: 'The request came with a token.' },
      429: { description: 'There were too many wrong passwords and codes.' },
    },
    async handle({ caller, body, headers, remoteAddress }) {
      assertSafeForPasswords(deps.publicUrl, headers)
      const session = await loadOwnSession(deps, caller)
      const origin = readSessionOrigin({ headers, remoteAddress })
      const { password, ...factor } = body
      if (password !== undefined && Object.keys(factor).length > 0) throw oneFactorNeeded()
      const device = readCookie(origin.cookieHeader, deps.cookies.device)
      const { email } = session
      const { attempts } =
        password === undefined
          ? await checkFactor(deps, { id: session.userId, email }, factor, origin)
          : await verifyPassword(deps, { email, password, remoteAddress, device })
      const now = new Date(deps.clock.nowMs())
      await inTransaction(deps.db, async (tx) => {
        await forgetAttempts(tx, attempts, now)
        await noteProof(tx, session.id, now)
      })
      return { status: 200, json: await describeFactors(deps, caller) }
    },
  })
}
