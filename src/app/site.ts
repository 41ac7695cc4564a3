// What the listeners of a node serve: its routes, its pages, and what it says to other requests.

import type { FindPage } from '../kernel/http/find-page.ts'
import type { Route } from '../kernel/http/route.ts'
import type { Services } from './compose.ts'
import { openConsole } from './console/open-console.ts'
import { buildMainRoutes } from './routes.ts'

export interface Site {
  readonly routes: readonly Route[]
  /** Pages for people, on the main listener. */
  readonly findPage?: FindPage
  /** See `HttpAppOptions`. */
  readonly explainUnmatched?: (path: string) => Error | null
  /** Called with the port of the main listener. */
  readonly notePort: (port: number) => void
}

/** What the intel group's own listener serves of it. */
export function buildIntelSite({ routes, explainUnmatched, notePort }: Site): Site {
  return {
    routes: routes.filter(({ group }) => group === 'intel' || group === 'system'),
    ...(explainUnmatched === undefined ? {} : { explainUnmatched }),
    notePort,
  }
}

/** The site of a node with the role api. */
export function buildSite(services: Services): Site {
  return {
    routes: buildMainRoutes(services),
    ...openConsole(services.foundation.config),
    notePort: services.signIn.notePort,
  }
}
