// `/runs/{id}`: one run with all that it did.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../data/query-client.ts'
import { frameRoute } from '../../frame/route.ts'
import { readText } from '../../search-params.ts'
import { runQuery } from '../runs/data.ts'

interface RunSearch {
  /** The node whose visits are shown alone. */
  readonly node?: string | undefined
}

export const runRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/runs/$runId',
  validateSearch: (search): RunSearch => ({ node: readText(search, 'node') }),
  loader: ({ params }) => {
    void queryClient.prefetchQuery(runQuery(params.runId))
  },
  component: lazyRouteComponent(() => import('./view.tsx'), 'RunView'),
})
