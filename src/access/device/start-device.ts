// POST /beta/session/device: a program without a browser begins a login (RFC 8628 section 3.1).

import type { Static } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { groupAddress } from '../../values/address-group.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import { isScope } from '../../vocabulary/scopes.ts'
import { tokenNotValid } from '../errors.ts'
import { createSecretText, hashSecret } from '../sessions/session-secret.ts'
import { createUserCode } from './device-code.ts'
import { countCodes, insertCode } from './device-store.ts'
import { DeviceCodes, DeviceLogin } from './device-wire.ts'
import { deviceCodesTooMany } from './errors.ts'

const LIFE_SECONDS = 600
// RFC 8628 section 3.2.
const POLL_SECONDS = 5
// An office behind one address. Two requests at once may pass a bound by one.
const OPEN_OF_ADDRESS_MAX = 20
// Half a kilobyte each.
const OPEN_MAX = 10_000

export interface StartDeviceDeps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
  readonly readPublicUrl: () => string
}

export function startDeviceRoute({ db, clock, ids, readPublicUrl }: StartDeviceDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/session/device',
    group: 'admin',
    access: { kind: 'public' },
    operationId: 'startDeviceLogin',
    summary: 'Begin a login by code',
    description:
      'For a program without a browser (RFC 8628). A signed-in person types the user code on the page and approves it; the program asks for the token meanwhile.',
    body: DeviceLogin,
    responses: {
      200: { description: 'Both codes, good for ten minutes.', schema: DeviceCodes },
      429: { description: 'Too many logins wait for a person.' },
    },
    async handle({ body, remoteAddress }) {
      const scopes = readScopes(body.scopes)
      const at = new Date(clock.nowMs())
      const addressGroup = groupAddress(remoteAddress)
      const deviceCode = createSecretText()
      const userCode = createUserCode()
      await inTransaction(db, async (tx) => {
        const open = await countCodes(tx, addressGroup, at)
        if (open.ofAddress >= OPEN_OF_ADDRESS_MAX || open.all >= OPEN_MAX) {
          throw deviceCodesTooMany(LIFE_SECONDS)
        }
        await insertCode(tx, {
          id: `dev_${ids.nextUuid().replaceAll('-', '')}`,
          deviceHash: hashSecret(deviceCode),
          userCodeHash: hashSecret(userCode),
          clientName: body.client_name,
          address: remoteAddress === '' ? null : remoteAddress,
          addressGroup,
          scopes,
          at,
          expiresAt: new Date(at.getTime() + LIFE_SECONDS * 1_000),
          pollSeconds: POLL_SECONDS,
        })
      })
      const page = `${readPublicUrl()}/device`
      const json: Static<typeof DeviceCodes> = {
        device_code: deviceCode,
        user_code: userCode,
        verification_uri: page,
        verification_uri_complete: `${page}#${userCode}`,
        expires_in: LIFE_SECONDS,
        interval: POLL_SECONDS,
      }
      return { status: 200, json }
    },
  })
}

/** Throws 400 for a name that is no scope. */
function readScopes(given: readonly string[] | null | undefined): readonly string[] | null {
  if (given === undefined || given === null) return null
  const problems: FieldProblem[] = given.flatMap((scope, index) =>
    isScope(scope) ? [] : [{ path: `/scopes/${index}`, reason: 'is no scope' }],
  )
  if (problems.length > 0) throw tokenNotValid(problems)
  return [...new Set(given)]
}
