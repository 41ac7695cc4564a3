// GET /readyz/write: whether this node can store what it is sent. For the load balancer in front of
// reports, events and the API; look-ups have /readyz.

import { nodeNotReady } from '../../kernel/errors.ts'
import { nameProblem } from '../../kernel/http/problem-header.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { presentReadiness, type ReadinessPage, ReadyAnswer } from './readiness-wire.ts'

export function getReadyzWriteRoute(page: ReadinessPage): Route {
  return defineRoute({
    method: 'GET',
    path: '/readyz/write',
    group: 'system',
    access: { kind: 'public' },
    operationId: 'getReadyzWrite',
    summary: 'Check readiness to write',
    description: 'Tells whether this node can store, with the state of its parts.',
    isHot: true,
    responses: {
      200: { description: 'It can, perhaps with a part degraded.', schema: ReadyAnswer },
      503: {
        description:
          'The database takes no writes, or the tokens of this node are older than 10 s.',
        schema: ReadyAnswer,
      },
    },
    async handle() {
      const reply = await presentReadiness(
        page,
        ({ state, refusesWrites }) => state === 'failed' || refusesWrites === true,
      )
      return nameProblem(reply, nodeNotReady())
    },
  })
}
