// The endpoint about what is known inside own networks. Their ranges are entries of sources.

import type { Route } from '../../kernel/http/route.ts'
import { type ListKnownDeps, listKnownRoute } from './list-known.ts'

export function networkRoutes(deps: ListKnownDeps): readonly Route[] {
  return [listKnownRoute(deps)]
}
