// The passkeys of the signed-in person: registered, renamed, removed. GET /beta/session/factors
// lists them.

import { Type } from 'typebox'
import { inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { IdSource } from '../../kernel/ids.ts'
import {
  describeFactors,
  type FactorDeps,
  makeFirstCodes,
  removeFactor,
} from '../factors/factor-changes.ts'
import { hasFactor, readFactors } from '../factors/factor-store.ts'
import { AddedFactor, Factors } from '../factors/factor-wire.ts'
import { loadOwnSession, loadProvenSession } from '../factors/load-own-session.ts'
import { endOtherSessions, releaseSession } from '../sessions/session-store.ts'
import {
  type BeginDeps,
  beginChallenge,
  buildCreationOptions,
  requirePasskeyLocation,
  takeChallenge,
} from './begin-passkey.ts'
import { passkeyNotFound, passkeyNotTaken, passkeyRefused } from './errors.ts'
import { deletePasskey, insertPasskey, listPasskeys, renamePasskey } from './passkey-store.ts'
import { NewPasskey, PasskeyCreation, PasskeyName } from './passkey-wire.ts'
import { verifyNewPasskey } from './verify-passkey.ts'

export type PasskeyDeps = FactorDeps & BeginDeps & { readonly ids: IdSource }

export function beginPasskeyRoute(deps: PasskeyDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/session/factors/passkeys/options',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'beginPasskey',
    summary: 'Begin to register a passkey',
    description:
      'What the browser gives to `navigator.credentials.create`. The answer sets a cookie; its challenge is good once, in this browser, for five minutes.',
    responses: {
      200: { description: 'The options for the browser.', schema: PasskeyCreation },
      403: { description: 'The last proof of who you are is older than ten minutes.' },
      404: { description: 'The request came with a token.' },
      409: { description: 'Passkeys do not work at this address.' },
    },
    async handle(asked) {
      const { userId, email, name } = await loadProvenSession(deps, asked.caller)
      const place = requirePasskeyLocation(deps.publicUrl, asked)
      const { remoteAddress } = asked
      const begun = await beginChallenge(deps, 'passkey_registration', { userId, remoteAddress })
      const passkeys = await listPasskeys(deps.db, userId)
      const options = buildCreationOptions(
        place,
        begun.challenge,
        { userId, email, name },
        passkeys,
      )
      return { status: 200, json: { options }, cookies: [begun.cookie] }
    },
  })
}

export function addPasskeyRoute(deps: PasskeyDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/session/factors/passkeys',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'addPasskey',
    summary: 'Register a passkey',
    description:
      'With the cookie of the options, and what the browser answered to them. From then on it signs in by itself, and is a second factor beside the password. With the first factor the other sessions of the person are ended.',
    body: NewPasskey,
    responses: {
      200: { description: 'Your factors, with the first recovery codes.', schema: AddedFactor },
      401: { description: 'The device did not sign what it was asked to.' },
      403: { description: 'The last proof of who you are is older than ten minutes.' },
      404: { description: 'The request came with a token.' },
      409: { description: 'It is registered already, or there are too many.' },
    },
    async handle(asked) {
      const { id: sessionId, userId } = await loadProvenSession(deps, asked.caller)
      const place = requirePasskeyLocation(deps.publicUrl, asked)
      const step = await takeChallenge(deps, 'passkey_registration', asked)
      if (step.userId !== userId) throw passkeyRefused()
      const { name, credential } = asked.body
      const made = await verifyNewPasskey(place, step.challenge, credential)
      const id = `pky_${deps.ids.nextUuid().replaceAll('-', '')}`
      const codes = await inTransaction(deps.db, async (tx) => {
        const isFirst = !hasFactor(await readFactors(tx, userId))
        if (!(await insertPasskey(tx, { ...made, id, userId, name }))) throw passkeyNotTaken()
        const first = await makeFirstCodes(tx, deps, userId)
        if (isFirst) await endOtherSessions(tx, { userId, id: sessionId })
        const at = new Date(deps.clock.nowMs())
        await releaseSession(tx, sessionId, { method: 'passkey', at })
        const after = { kind: 'passkey', id, name }
        await deps.audit.record(tx, 'user.add_factor', { tenantId: null, id: userId, after })
        return first
      })
      await deps.refreshTokens()
      const factors = await describeFactors(deps, asked.caller)
      return { status: 200, json: { ...factors, recovery_codes: codes } }
    },
  })
}

const PasskeyParams = Type.Object({ passkeyId: Type.String() })

export function renamePasskeyRoute(deps: PasskeyDeps): Route {
  return defineRoute({
    method: 'PATCH',
    path: '/beta/session/factors/passkeys/{passkeyId}',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'renamePasskey',
    summary: 'Rename a passkey',
    params: PasskeyParams,
    body: PasskeyName,
    responses: {
      200: { description: 'Your factors.', schema: Factors },
      404: { description: 'You have none of this id, or the request came with a token.' },
    },
    async handle({ caller, params, body: { name } }) {
      const { userId } = await loadOwnSession(deps, caller)
      const id = params.passkeyId
      await inTransaction(deps.db, async (tx) => {
        if (!(await renamePasskey(tx, { id, userId, name }))) throw passkeyNotFound()
        const after = { kind: 'passkey', id, name }
        await deps.audit.record(tx, 'user.change_factor', { tenantId: null, id: userId, after })
      })
      return { status: 200, json: await describeFactors(deps, caller) }
    },
  })
}

export function removePasskeyRoute(deps: PasskeyDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/beta/session/factors/passkeys/{passkeyId}',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'removePasskey',
    summary: 'Remove a passkey',
    description:
      'It is good no more; the device may still offer it. With the last factor the recovery codes go too.',
    params: PasskeyParams,
    responses: {
      204: { description: 'It is removed.' },
      403: { description: 'The last proof of who you are is older than ten minutes.' },
      404: { description: 'You have none of this id, or the request came with a token.' },
      409: { description: 'This instance requires a factor, and it is the last one.' },
    },
    async handle({ caller, params }) {
      const { userId } = await loadProvenSession(deps, caller)
      const id = params.passkeyId
      await inTransaction(deps.db, async (tx) => {
        await removeFactor(tx, deps, userId, async () => {
          if (!(await deletePasskey(tx, { id, userId }))) throw passkeyNotFound()
        })
        const before = { kind: 'passkey', id }
        await deps.audit.record(tx, 'user.remove_factor', { tenantId: null, id: userId, before })
      })
      return { status: 204 }
    },
  })
}
