// `/search?q=`: what was found of a text in customers, cases, reports and events.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../data/query-client.ts'
import { frameRoute } from '../../frame/route.ts'
import { readChoice, readText } from '../../search-params.ts'
import { KINDS, type Kind, resultsQuery } from './data.ts'

interface ResultsSearch {
  readonly q?: string | undefined
  readonly kind?: Kind | undefined
}

export const searchRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/search',
  validateSearch: (search): ResultsSearch => ({
    q: readText(search, 'q'),
    kind: readChoice(search, 'kind', KINDS),
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ deps: { q = '', kind } }) => {
    if (q !== '') void queryClient.prefetchInfiniteQuery(resultsQuery(q, kind))
  },
  component: lazyRouteComponent(() => import('./view.tsx'), 'SearchView'),
})
