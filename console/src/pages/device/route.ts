// `/device#CODE`: a signed-in person approves or denies the login of a program without a browser.
// The code stands behind the `#`, so that it is in no log.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requireWholeSession } from '../../frame/require-session.ts'
import { rootRoute } from '../../root-route.ts'

export const deviceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/device',
  beforeLoad: ({ location }) => requireWholeSession(location),
  component: lazyRouteComponent(() => import('./view.tsx'), 'DeviceView'),
})
