// `/welcome#…`: a link that was printed, mailed or handed over: the first person, an invitation, a
// new password. The secret stands behind the `#`, which no server sees.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'

export const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/welcome',
  component: lazyRouteComponent(() => import('./view.tsx'), 'WelcomeView'),
})
