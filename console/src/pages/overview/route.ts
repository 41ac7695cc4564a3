// `/overview`: how the desk does, over a time that stands in the URL.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'
import { readOverviewSearch } from './range.ts'

export const overviewRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/overview',
  validateSearch: readOverviewSearch,
  component: lazyRouteComponent(() => import('./view.tsx'), 'OverviewView'),
})
