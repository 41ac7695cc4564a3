// GET /readyz: the readiness of this node for look-ups, check by check. They are answered from
// memory, so a database that is away degrades the node and leaves it in a load balancer.

import { nodeNotReady } from '../../kernel/errors.ts'
import { nameProblem } from '../../kernel/http/problem-header.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { presentReadiness, type ReadinessPage, ReadyAnswer } from './readiness-wire.ts'

export function getReadyzRoute(page: ReadinessPage): Route {
  return defineRoute({
    method: 'GET',
    path: '/readyz',
    group: 'system',
    access: { kind: 'public' },
    operationId: 'getReadyz',
    summary: 'Check readiness',
    description:
      'Tells whether this node answers look-ups, with the state of its parts. For a readiness probe.',
    isHot: true,
    responses: {
      200: { description: 'Ready, or ready with a part degraded.', schema: ReadyAnswer },
      503: { description: 'It cannot answer look-ups.', schema: ReadyAnswer },
    },
    handle: async () =>
      nameProblem(await presentReadiness(page, ({ state }) => state === 'failed'), nodeNotReady()),
  })
}
