// The endpoints of those who work cases at a desk.

import type { Route } from '../../kernel/http/route.ts'
import { type ListTimelineDeps, listTimelineRoute } from './timeline/list-timeline.ts'

export interface DeskRoutesDeps extends ListTimelineDeps {}

export function deskRoutes(deps: DeskRoutesDeps): readonly Route[] {
  return [listTimelineRoute(deps)]
}
