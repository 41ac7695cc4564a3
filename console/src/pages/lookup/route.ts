// `/lookup/{item}`: one address, domain or range. Its URL is what people share.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../data/query-client.ts'
import { frameRoute } from '../../frame/route.ts'
import { readChoice } from '../../search-params.ts'
import {
  explanationQuery,
  lookupQuery,
  rangeQuery,
  SIGHTINGS_BY,
  type SightingsBy,
} from './data.ts'
import { isRangeText } from './item-kind.ts'

interface LookupSearch {
  /** Days of the activity chart; 30 when left out. */
  readonly days?: '90' | undefined
  /** What divides it; the type when left out. */
  readonly by?: Exclude<SightingsBy, 'type'> | undefined
}

export const lookupRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/lookup/$item',
  validateSearch: (search): LookupSearch => {
    const by = readChoice(search, 'by', SIGHTINGS_BY)
    return {
      days: readChoice(search, 'days', ['90']),
      by: by === 'type' ? undefined : by,
    }
  },
  loader: ({ params: { item } }) => {
    if (isRangeText(item)) {
      void queryClient.prefetchQuery(rangeQuery(item))
      return
    }
    void queryClient.prefetchQuery(lookupQuery(item))
    void queryClient.prefetchQuery(explanationQuery(item))
  },
  component: lazyRouteComponent(() => import('./view.tsx'), 'LookupView'),
})
