// `/`: one search box, what can be typed, and what was looked up lately.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'

export const startRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./view.tsx'), 'StartView'),
})
