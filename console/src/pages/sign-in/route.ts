// `/sign-in`: where people without a session come in, and come back to where they were going.
// `/sign-in#error=CODE` is where a provider's refusal leads.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'
import { readChoice, readOwnPath } from '../../search-params.ts'

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search): { next?: string | undefined; why?: 'ended' | 'left' | undefined } => ({
    next: readOwnPath(search, 'next'),
    why: readChoice(search, 'why', ['ended', 'left']),
  }),
  component: lazyRouteComponent(() => import('./view.tsx'), 'SignInView'),
})

export const forgottenRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgotten-password',
  component: lazyRouteComponent(() => import('./forgotten.tsx'), 'ForgottenView'),
})
