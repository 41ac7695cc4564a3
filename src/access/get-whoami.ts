// GET /beta/whoami: what the presented token is and may do. Any valid token may ask.

import { defineRoute, type Route } from '../kernel/http/route.ts'
import { requireCaller } from './admit-request.ts'
import { presentWhoami, Whoami } from './whoami-wire.ts'

export function getWhoamiRoute(): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/whoami',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'getWhoami',
    summary: 'Get the presented token',
    description: 'Whose token you send, what it may do, and what its limits left of your quota.',
    responses: { 200: { description: 'The token, without its secret.', schema: Whoami } },
    handle: ({ caller, limits }) => ({
      status: 200,
      json: presentWhoami(requireCaller(caller), limits),
    }),
  })
}
