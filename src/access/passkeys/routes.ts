// The routes of passkeys.

import type { Route } from '../../kernel/http/route.ts'
import type { SignInDeps } from '../sign-in/open-session.ts'
import {
  addPasskeyRoute,
  beginPasskeyRoute,
  type PasskeyDeps,
  removePasskeyRoute,
  renamePasskeyRoute,
} from './own-passkeys.ts'
import { beginPasskeySignInRoute, signInByPasskeyRoute } from './sign-in-by-passkey.ts'

export function passkeyRoutes(deps: PasskeyDeps & SignInDeps): readonly Route[] {
  return [
    beginPasskeySignInRoute(deps),
    signInByPasskeyRoute(deps),
    beginPasskeyRoute(deps),
    addPasskeyRoute(deps),
    renamePasskeyRoute(deps),
    removePasskeyRoute(deps),
  ]
}
