// `/runs`: the queue of runs that need a person, and all others by state.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'
import { readTableSearch, type TableSearch } from '../../parts/table-search.ts'
import { readChoice, readText } from '../../search-params.ts'
import { QUEUES, type Queue } from './data.ts'

interface RunsSearch extends TableSearch {
  readonly show?: Queue | undefined
  readonly playbook?: string | undefined
}

export const runsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/runs',
  validateSearch: (search): RunsSearch => ({
    ...readTableSearch(search),
    show: readChoice(search, 'show', QUEUES),
    playbook: readText(search, 'playbook'),
  }),
  component: lazyRouteComponent(() => import('./view.tsx'), 'RunsView'),
})
