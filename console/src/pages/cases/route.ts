// `/cases`: the queue of cases.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'
import { readQueueSearch } from './queue-search.ts'

export const casesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/cases',
  validateSearch: readQueueSearch,
  component: lazyRouteComponent(() => import('./view.tsx'), 'CasesView'),
})
