// What an administrator sees and does of the second factors of another person: which there are, and
// all of them removed for a person who has lost them.

import { type Static, Type } from 'typebox'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { requireCaller } from '../admit-request.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { cutLoginsOf } from '../cut-tokens.ts'
import { deleteFactors, type Factors, readFactors } from '../factors/factor-store.ts'
import { endSessions } from '../sessions/session-store.ts'
import { deleteStepsOfUser } from '../sign-in/step-store.ts'
import { assertOwnsAccount, loadVisible, lockVisible } from './load-user.ts'
import type { ScopesOfRoles } from './user-roles.ts'
import { forgetDevices } from './user-store.ts'
import { UserFactors } from './user-wire.ts'

export interface UserFactorsDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly scopesOfRoles: ScopesOfRoles
  readonly refreshTokens: () => Promise<void>
}

const UserParams = Type.Object({ userId: Type.String() })

export function getUserFactorsRoute({ db }: Pick<UserFactorsDeps, 'db'>): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/admin/users/{userId}/factors',
    group: 'admin',
    access: { kind: 'scope', scope: 'users:manage' },
    operationId: 'getUserFactors',
    summary: 'Get the second factors of a user',
    description: 'Which a person has set up; no secret is shown.',
    params: UserParams,
    responses: {
      200: { description: 'The second factors.', schema: UserFactors },
      404: { description: 'There is no such user, or they work for another tenant.' },
    },
    async handle({ caller: presented, params }) {
      const user = await loadVisible(db, requireCaller(presented), params.userId)
      return { status: 200, json: presentUserFactors(await readFactors(db, user.id)) }
    },
  })
}

export function removeUserFactorsRoute(deps: UserFactorsDeps): Route {
  const { db, audit, scopesOfRoles, refreshTokens } = deps
  return defineRoute({
    method: 'DELETE',
    path: '/beta/admin/users/{userId}/factors',
    group: 'admin',
    access: { kind: 'scope', scope: 'users:manage' },
    operationId: 'removeUserFactors',
    summary: 'Remove all second factors of a user',
    description:
      'For a person who has lost them: authenticator app, passkeys and recovery codes. Their sessions are ended, and the password is enough for the next sign-in. Make sure who asks for it.',
    params: UserParams,
    responses: {
      204: { description: 'They are removed.' },
      404: { description: 'There is no such user, or they work for another tenant.' },
    },
    async handle({ caller: presented, params }) {
      const caller = requireCaller(presented)
      await inTransaction(db, async (tx) => {
        const user = await lockVisible(tx, caller, params.userId)
        assertOwnsAccount(caller, scopesOfRoles, user)
        const before = presentUserFactors(await readFactors(tx, user.id))
        await deleteFactors(tx, user.id)
        await deleteStepsOfUser(tx, user.id)
        await forgetDevices(tx, user.id)
        await endSessions(tx, { userId: user.id })
        await cutLoginsOf(tx, audit, user.id, { tenantId: null })
        await audit.record(tx, 'user.remove_factors', { tenantId: null, id: user.id, before })
      })
      await refreshTokens()
      return { status: 204 }
    },
  })
}

function presentUserFactors(factors: Factors): Static<typeof UserFactors> {
  return {
    totp_since: factors.totpSince?.toISOString() ?? null,
    passkeys: factors.passkeys,
    recovery_codes_left: factors.recoveryCodesLeft,
  }
}
