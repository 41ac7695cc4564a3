// The routes by which a person keeps their own second factors.

import type { Route } from '../../kernel/http/route.ts'
import {
  getFactorsRoute,
  makeRecoveryCodesRoute,
  type ProofDeps,
  proveSessionRoute,
} from './factor-endpoints.ts'
import { confirmTotpRoute, enrolTotpRoute, removeTotpRoute } from './totp-endpoints.ts'

export function factorRoutes(deps: ProofDeps): readonly Route[] {
  return [
    getFactorsRoute(deps),
    proveSessionRoute(deps),
    enrolTotpRoute(deps),
    confirmTotpRoute(deps),
    removeTotpRoute(deps),
    makeRecoveryCodesRoute(deps),
  ]
}
