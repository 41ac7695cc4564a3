// `/account`: the person's sessions, how they sign in, and what they chose in this browser.
// `/account#linked=PROVIDER` is where the way to a provider ends. `/enrol`: the second factor that
// this instance requires.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../data/query-client.ts'
import { requireSession } from '../../frame/require-session.ts'
import { frameRoute } from '../../frame/route.ts'
import { rootRoute } from '../../root-route.ts'
import { readChoice, readOwnPath } from '../../search-params.ts'
import { factorsQuery, sessionsQuery } from './data.ts'

export const TABS = ['sessions', 'security', 'display'] as const

interface AccountSearch {
  readonly tab?: (typeof TABS)[number] | undefined
}

export const accountRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/account',
  validateSearch: (search): AccountSearch => ({ tab: readChoice(search, 'tab', TABS) }),
  loaderDeps: ({ search }) => ({ tab: search.tab }),
  loader: ({ deps: { tab } }) => {
    if (tab === 'security') void queryClient.prefetchQuery(factorsQuery)
    else void queryClient.prefetchQuery(sessionsQuery)
  },
  component: lazyRouteComponent(() => import('./view.tsx'), 'AccountView'),
})

export const enrolRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/enrol',
  validateSearch: (search): { next?: string | undefined } => ({
    next: readOwnPath(search, 'next'),
  }),
  beforeLoad: async ({ location }) => {
    await requireSession(location)
  },
  component: lazyRouteComponent(() => import('./enrol-view.tsx'), 'EnrolView'),
})
