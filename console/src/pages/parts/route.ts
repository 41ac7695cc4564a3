// `/parts`: every shared part in its states, for those who build pages. It is in no menu.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'
import { readTableSearch, type TableSearch } from '../../parts/table-search.ts'
import { readCount, readText } from '../../search-params.ts'

interface PartsSearch extends TableSearch {
  readonly rows?: number | undefined
  readonly show?: string | undefined
}

export const partsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/parts',
  validateSearch: (search): PartsSearch => ({
    ...readTableSearch(search),
    rows: readCount(search, 'rows'),
    show: readText(search, 'show'),
  }),
  component: lazyRouteComponent(() => import('./view.tsx'), 'PartsView'),
})
