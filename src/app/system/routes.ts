// The pages for monitoring: in full, and as the other listeners have them once monitoring has a
// listener of its own (CASEWORK_OPS_PORT).

import type { Route } from '../../kernel/http/route.ts'
import type { Readiness } from '../../kernel/readiness.ts'
import { getLivezRoute } from './get-livez.ts'
import { getMetricsRoute } from './get-metrics.ts'
import { getReadyzRoute } from './get-readyz.ts'
import { getReadyzWriteRoute } from './get-readyz-write.ts'

export interface OpsRoutesDeps {
  readonly readiness: Readiness
  readonly collectMetrics: () => Promise<string>
}

export function opsRoutes({ readiness, collectMetrics }: OpsRoutesDeps): readonly Route[] {
  return [...healthRoutes(readiness, true), getMetricsRoute(collectMetrics)]
}

/** What a load balancer needs: states without the checks behind them, and no metrics. */
export function briefOpsRoutes({ readiness }: Pick<OpsRoutesDeps, 'readiness'>): readonly Route[] {
  return healthRoutes(readiness, false)
}

function healthRoutes(readiness: Readiness, hasChecks: boolean): readonly Route[] {
  return [
    getLivezRoute(),
    getReadyzRoute({ readiness, hasChecks }),
    getReadyzWriteRoute({ readiness, hasChecks }),
  ]
}
