// `/customers`: who owns the addresses and domains that are reported.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'
import { readTableSearch } from '../../parts/table-search.ts'
import { readChoice, readText } from '../../search-params.ts'

export interface CustomersSearch {
  readonly text?: string | undefined
  readonly hide?: readonly string[] | undefined
  readonly add?: 'customer' | undefined
}

export const customersRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/customers',
  validateSearch: (search): CustomersSearch => ({
    text: readText(search, 'text'),
    hide: readTableSearch(search).hide,
    add: readChoice(search, 'add', ['customer']),
  }),
  component: lazyRouteComponent(() => import('./view.tsx'), 'CustomersView'),
})
