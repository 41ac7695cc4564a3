// GET /livez: the process answers. No other part is checked, so a slow database never gets a live
// process killed.

import { Type } from 'typebox'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { named } from '../../vocabulary/named-schema.ts'

const Live = named('Liveness', Type.Object({ status: Type.Literal('live') }))

export function getLivezRoute(): Route {
  return defineRoute({
    method: 'GET',
    path: '/livez',
    group: 'system',
    access: { kind: 'public' },
    operationId: 'getLivez',
    summary: 'Check liveness',
    description: 'Answers as long as the process runs. For a liveness probe.',
    isHot: true,
    responses: { 200: { description: 'It does.', schema: Live } },
    handle: () => ({ status: 200, json: { status: 'live' } }),
  })
}
