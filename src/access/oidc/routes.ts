// The routes of sign-in with OpenID Connect providers.

import type { Route } from '../../kernel/http/route.ts'
import { type FinishProviderDeps, finishProviderRoute } from './finish-provider.ts'
import {
  type IdentityDeps,
  listOwnIdentitiesRoute,
  listUserIdentitiesRoute,
  unlinkOwnIdentityRoute,
  unlinkUserIdentityRoute,
} from './identity-endpoints.ts'
import { acceptByProviderRoute, linkProviderRoute, startProviderRoute } from './start-provider.ts'

export function providerRoutes(deps: FinishProviderDeps & IdentityDeps): readonly Route[] {
  return [
    startProviderRoute(deps),
    acceptByProviderRoute(deps),
    linkProviderRoute(deps),
    finishProviderRoute(deps),
    listOwnIdentitiesRoute(deps),
    unlinkOwnIdentityRoute(deps),
    listUserIdentitiesRoute(deps),
    unlinkUserIdentityRoute(deps),
  ]
}
