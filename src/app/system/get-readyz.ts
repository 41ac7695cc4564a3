// GET /readyz: the readiness of this node, check by check. 503 takes it out of a load balancer;
// "degraded" and "off" do not.

import { Type } from 'typebox'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { Readiness } from '../../kernel/readiness.ts'

const State = Type.Union([
  Type.Literal('ok'),
  Type.Literal('off'),
  Type.Literal('degraded'),
  Type.Literal('failed'),
])
const ReadyAnswer = Type.Object({
  status: Type.Union([Type.Literal('ready'), Type.Literal('degraded'), Type.Literal('not_ready')]),
  checks: Type.Array(Type.Object({ name: Type.String(), state: State, detail: Type.String() })),
})

export function getReadyzRoute(readiness: Readiness): Route {
  return defineRoute({
    method: 'GET',
    path: '/readyz',
    group: 'system',
    access: { kind: 'public' },
    operationId: 'getReadyz',
    summary: 'Whether this node can answer, check by check',
    isHot: true,
    responses: {
      200: { description: 'Ready, or ready with a part degraded.', schema: ReadyAnswer },
      503: { description: 'Not ready.', schema: ReadyAnswer },
    },
    async handle() {
      const checks = await Promise.all(
        readiness.list().map(async ({ name, check }) => ({ name, ...(await check()) })),
      )
      const isFailed = checks.some((finding) => finding.state === 'failed')
      const isDegraded = checks.some((finding) => finding.state === 'degraded')
      if (isFailed) return { status: 503, json: { status: 'not_ready', checks } }
      return { status: 200, json: { status: isDegraded ? 'degraded' : 'ready', checks } }
    },
  })
}
