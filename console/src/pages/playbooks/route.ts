// `/playbooks`: the list. `?new=` opens one of the ways to make one.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../data/query-client.ts'
import { frameRoute } from '../../frame/route.ts'
import { readTableSearch, type TableSearch } from '../../parts/table-search.ts'
import { readChoice } from '../../search-params.ts'
import { playbooksQuery } from './data.ts'

export const NEW_WAYS = ['empty', 'shipped', 'file'] as const

interface PlaybooksSearch extends TableSearch {
  readonly new?: (typeof NEW_WAYS)[number] | undefined
}

export const playbooksRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/playbooks',
  validateSearch: (search): PlaybooksSearch => ({
    ...readTableSearch(search),
    new: readChoice(search, 'new', NEW_WAYS),
  }),
  loader: () => {
    void queryClient.prefetchQuery(playbooksQuery)
  },
  component: lazyRouteComponent(() => import('./view.tsx'), 'PlaybooksView'),
})
