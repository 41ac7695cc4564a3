// The router. Everything that a page shows is in its URL, written as people write query strings:
// `?state=NEW&state=IN_PROGRESS&sort=-due`.

import { createRouter } from '@tanstack/react-router'
import { NotFound } from './frame/not-found.tsx'
import { RouteFailure } from './frame/route-failure.tsx'
import { routeTree } from './routes.ts'
import { readSearch, writeSearch } from './search-params.ts'

export const router = createRouter({
  routeTree,
  parseSearch: readSearch,
  stringifySearch: writeSearch,
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: RouteFailure,
  // Pages scroll inside of the frame.
  scrollRestoration: true,
  scrollToTopSelectors: ['#main'],
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
