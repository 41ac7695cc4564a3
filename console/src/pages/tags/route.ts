// `/tags`: the catalogue; `/tags/{name}`: one tag with the items that carry it.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../data/query-client.ts'
import { frameRoute } from '../../frame/route.ts'
import { readTableSearch, type TableSearch } from '../../parts/table-search.ts'
import { readText, readTexts } from '../../search-params.ts'
import { taggedQuery, tagQuery, tagsQuery } from './data.ts'

export interface TagsSearch extends TableSearch {
  readonly q?: string | undefined
  readonly intent?: readonly string[] | undefined
  readonly category?: readonly string[] | undefined
}

export const tagsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/tags',
  validateSearch: (search): TagsSearch => ({
    ...readTableSearch(search),
    q: readText(search, 'q'),
    intent: some(readTexts(search, 'intent')),
    category: some(readTexts(search, 'category')),
  }),
  loader: () => {
    void queryClient.prefetchQuery(tagsQuery)
  },
  component: lazyRouteComponent(() => import('./list-view.tsx'), 'TagsView'),
})

export const tagRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/tags/$name',
  loader: ({ params: { name } }) => {
    void queryClient.prefetchInfiniteQuery(taggedQuery(name))
    void queryClient.prefetchQuery(tagQuery(name))
  },
  component: lazyRouteComponent(() => import('./tag-view.tsx'), 'TagView'),
})

function some(values: readonly string[]): readonly string[] | undefined {
  return values.length === 0 ? undefined : values
}
