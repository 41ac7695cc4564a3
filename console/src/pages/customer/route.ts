// `/customers/{id}`: one customer, what is theirs, and what happened to them.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'
import { readChoice, readText } from '../../search-params.ts'

export const CUSTOMER_TABS = ['overview', 'cases', 'notices'] as const

export interface CustomerSearch {
  readonly tab?: (typeof CUSTOMER_TABS)[number] | undefined
  readonly add?: 'contract' | 'resource' | undefined
  readonly edit?: 'customer' | undefined
  /** The id of the one that is edited. */
  readonly contract?: string | undefined
  readonly resource?: string | undefined
}

export const customerRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/customers/$customerId',
  validateSearch: (search): CustomerSearch => ({
    tab: readChoice(search, 'tab', CUSTOMER_TABS),
    add: readChoice(search, 'add', ['contract', 'resource']),
    edit: readChoice(search, 'edit', ['customer']),
    contract: readText(search, 'contract'),
    resource: readText(search, 'resource'),
  }),
  component: lazyRouteComponent(() => import('./view.tsx'), 'CustomerView'),
})
