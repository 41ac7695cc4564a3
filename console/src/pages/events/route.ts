// `/events`: every event, and the queue of those without an owner.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'
import { readEventsSearch } from './events-search.ts'

export const eventsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/events',
  validateSearch: readEventsSearch,
  component: lazyRouteComponent(() => import('./view.tsx'), 'EventsView'),
})
