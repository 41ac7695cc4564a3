// `/sources`: where look-ups have their knowledge from, well-known lists to add, and the entries of
// one source.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../data/query-client.ts'
import { frameRoute } from '../../frame/route.ts'
import { readTableSearch, type TableSearch } from '../../parts/table-search.ts'
import { readChoice, readText, readTexts } from '../../search-params.ts'
import { sourcesQuery } from './data.ts'

export const TABS = ['sources', 'presets'] as const

interface SourcesSearch extends TableSearch {
  readonly tab?: (typeof TABS)[number] | undefined
  readonly state?: readonly string[] | undefined
  readonly kind?: readonly string[] | undefined
}

export const sourcesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/sources',
  validateSearch: (search): SourcesSearch => ({
    ...readTableSearch(search),
    tab: readChoice(search, 'tab', TABS),
    state: readTexts(search, 'state'),
    kind: readTexts(search, 'kind'),
  }),
  loader: () => {
    void queryClient.prefetchQuery(sourcesQuery)
  },
  component: lazyRouteComponent(() => import('./view.tsx'), 'SourcesView'),
})

export const newSourceRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/sources/new',
  validateSearch: (search): { readonly preset?: string | undefined } => ({
    preset: readText(search, 'preset'),
  }),
  component: lazyRouteComponent(() => import('./source-editor.tsx'), 'NewSourceView'),
})

export const sourceRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/sources/$kind/$name/edit',
  component: lazyRouteComponent(() => import('./source-editor.tsx'), 'SourceView'),
})

export const entriesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/sources/$kind/$name/entries',
  validateSearch: (search): { readonly q?: string | undefined } => ({ q: readText(search, 'q') }),
  component: lazyRouteComponent(() => import('./entries-view.tsx'), 'EntriesView'),
})

export const sourcesRoutes = [sourcesRoute, newSourceRoute, sourceRoute, entriesRoute] as const
