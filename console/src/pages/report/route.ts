// `/reports/{id}`: one report, what was read out of it, and why.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'
import { readReportsSearch } from '../reports/reports-search.ts'

export const reportRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/reports/$reportId',
  // The list that it was opened from.
  validateSearch: readReportsSearch,
  component: lazyRouteComponent(() => import('./view.tsx'), 'ReportView'),
})
