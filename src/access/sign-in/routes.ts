// The routes by which people sign in.

import type { Route } from '../../kernel/http/route.ts'
import { checkLinkRoute } from './check-link.ts'
import { type CreateSetupLinkDeps, createSetupLinkRoute } from './create-setup-link.ts'
import { redeemLinkRoute } from './redeem-link.ts'
import { type SignInDeps, signInRoute } from './sign-in.ts'

export function signInRoutes(deps: SignInDeps & CreateSetupLinkDeps): readonly Route[] {
  return [
    signInRoute(deps),
    checkLinkRoute(deps),
    redeemLinkRoute(deps),
    createSetupLinkRoute(deps),
  ]
}
