// The routes by which people sign in.

import type { Route } from '../../kernel/http/route.ts'
import { type AskForPasswordDeps, askForPasswordRoute } from './ask-for-password.ts'
import { changePasswordRoute } from './change-password.ts'
import { checkLinkRoute } from './check-link.ts'
import { type CreateSetupLinkDeps, createSetupLinkRoute } from './create-setup-link.ts'
import { getSignInWaysRoute, type SignInWaysDeps } from './get-sign-in-ways.ts'
import { redeemLinkRoute } from './redeem-link.ts'
import { signInRoute } from './sign-in.ts'
import {
  beginSecondFactorRoute,
  type SecondFactorDeps,
  secondFactorRoute,
} from './use-second-factor.ts'

export function signInRoutes(
  deps: SecondFactorDeps & CreateSetupLinkDeps & SignInWaysDeps & AskForPasswordDeps,
): readonly Route[] {
  return [
    getSignInWaysRoute(deps),
    signInRoute(deps),
    secondFactorRoute(deps),
    beginSecondFactorRoute(deps),
    askForPasswordRoute(deps),
    changePasswordRoute(deps),
    checkLinkRoute(deps),
    redeemLinkRoute(deps),
    createSetupLinkRoute(deps),
  ]
}
