// GET /beta/whoami: what the presented credential is and may do. Any valid one may ask.

import type { Db } from '../kernel/db/database.ts'
import { inInstance } from '../kernel/db/instance-acts.ts'
import { defineRoute, type Route } from '../kernel/http/route.ts'
import type { Caller } from '../vocabulary/caller.ts'
import { requireCaller } from './admit-request.ts'
import { findUser } from './people/user-store.ts'
import { type CallerPerson, presentWhoami, Whoami } from './whoami-wire.ts'

export function getWhoamiRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/whoami',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'getWhoami',
    summary: 'Get the presented token',
    description:
      'Whose token or session you send, what it may do, and what its limits left of your quota.',
    responses: { 200: { description: 'The credential, without its secret.', schema: Whoami } },
    async handle({ caller: presented, limits }) {
      const caller = requireCaller(presented)
      const json = presentWhoami(caller, await findPerson(db, caller), limits)
      return { status: 200, json }
    },
  })
}

/** No token of a program asks the database, so that it is answered without one too. */
async function findPerson(db: Db, { owner }: Caller): Promise<CallerPerson | null> {
  if (owner?.kind !== 'user') return null
  const user = await inInstance('know people', () => findUser(db, owner.id))
  return user === null ? null : { id: user.id, name: user.name, email: user.email }
}
