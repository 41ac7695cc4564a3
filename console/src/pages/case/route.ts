// `/cases/{id}`: one case. How its timeline is read, the run that is shown and the queue that a
// person came from stand in the URL.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../data/query-client.ts'
import { frameRoute } from '../../frame/route.ts'
import { readChoice, readText, readTexts } from '../../search-params.ts'
import { caseQuery } from './data.ts'
import { TIMELINE_GROUPS, type TimelineGroup } from './timeline-groups.ts'

export interface CaseSearch {
  /** Left out, the newest is last, as in a conversation. */
  readonly order?: 'newest' | undefined
  /** The groups of the timeline that are shown; all when left out. */
  readonly show?: readonly TimelineGroup[] | undefined
  /** The run of a playbook that is shown; the newest when left out. */
  readonly run?: string | undefined
  /** The playbook as a list in the place of its graph. */
  readonly steps?: 'list' | undefined
  /** The search of the queue that the case was opened from. */
  readonly queue?: string | undefined
}

export const caseRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/cases/$caseId',
  validateSearch: (search): CaseSearch => {
    const shown = readTexts(search, 'show')
    const show = TIMELINE_GROUPS.filter((group) => shown.includes(group))
    return {
      order: readChoice(search, 'order', ['newest']),
      show: show.length === 0 || show.length === TIMELINE_GROUPS.length ? undefined : show,
      run: readText(search, 'run'),
      steps: readChoice(search, 'steps', ['list']),
      queue: readText(search, 'queue'),
    }
  },
  loader: ({ params }) => {
    void queryClient.prefetchQuery(caseQuery(params.caseId))
  },
  component: lazyRouteComponent(() => import('./view.tsx'), 'CaseView'),
})
