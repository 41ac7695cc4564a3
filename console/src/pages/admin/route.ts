// `/admin/{section}`: who may do what, what is kept, and how the installation does. `/admin` opens
// the first section that the person may use.

import { createRoute, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router'
import { queryClient } from '../../data/query-client.ts'
import { sessionQuery } from '../../data/session.ts'
import { frameRoute } from '../../frame/route.ts'
import { type AdminSearch, readAdminSearch } from './admin-search.ts'
import { findSection, isAllowed, SECTIONS } from './sections.ts'

export const adminRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/admin',
  beforeLoad: async () => {
    const { scopes } = await queryClient.ensureQueryData(sessionQuery)
    const first = SECTIONS.find((section) => isAllowed(section, scopes))
    redirect({
      to: '/admin/$section',
      params: { section: first?.id ?? 'health' },
      replace: true,
      throw: true,
    })
  },
})

export const sectionRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/admin/$section',
  validateSearch: (search): AdminSearch => readAdminSearch(search),
  beforeLoad: ({ params }) => {
    if (findSection(params.section) === undefined) notFound({ throw: true })
  },
  component: lazyRouteComponent(() => import('./view.tsx'), 'AdminView'),
})
