// GET /metrics: counts and times of this process in the text form of Prometheus. Open like /livez,
// since it names no tenant, item or case. An operator who wants it closed gives it
// a listener of its own (CASEWORK_OPS_PORT).

import { Type } from 'typebox'
import { defineRoute, type Route } from '../../kernel/http/route.ts'

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** `collect` returns the text over all HTTP threads. */
export function getMetricsRoute(collect: () => Promise<string>): Route {
  return defineRoute({
    method: 'GET',
    path: '/metrics',
    group: 'system',
    access: { kind: 'public' },
    operationId: 'getMetrics',
    summary: 'Get metrics',
    description: 'All metrics in the text format of Prometheus.',
    isHot: true,
    responses: {
      200: {
        description: 'One metric a line.',
        schema: Type.String(),
        contentType: 'text/plain',
      },
    },
    handle: async () => ({ status: 200, text: await collect(), contentType: CONTENT_TYPE }),
  })
}
