// `/reports`: the list of reports, and the queue of those that wait for a person.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'
import { readReportsSearch } from './reports-search.ts'

export const reportsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/reports',
  validateSearch: readReportsSearch,
  component: lazyRouteComponent(() => import('./view.tsx'), 'ReportsView'),
})
