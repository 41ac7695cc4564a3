// `/playbooks/{id}`: its versions. `?version=` is the one shown, `?compare=` an earlier one beside it.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../data/query-client.ts'
import { frameRoute } from '../../frame/route.ts'
import { readChoice, readCount } from '../../search-params.ts'
import { playbookQuery } from '../playbooks/data.ts'

export const SHAPES = ['canvas', 'list'] as const

interface PlaybookSearch {
  readonly version?: number | undefined
  readonly compare?: number | undefined
  /** How the difference is shown. */
  readonly as?: (typeof SHAPES)[number] | undefined
}

export const playbookRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/playbooks/$playbookId',
  validateSearch: (search): PlaybookSearch => ({
    version: readCount(search, 'version'),
    compare: readCount(search, 'compare'),
    as: readChoice(search, 'as', SHAPES),
  }),
  loader: ({ params }) => {
    void queryClient.prefetchQuery(playbookQuery(params.playbookId))
  },
  component: lazyRouteComponent(() => import('./view.tsx'), 'PlaybookView'),
})
