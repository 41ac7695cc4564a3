// The endpoints of those who work cases at a desk.

import type { Route } from '../../kernel/http/route.ts'
import { type SearchDeps, searchRecordsRoute } from './search/search-records.ts'
import { type GetStatsDeps, getStatsRoute } from './stats/get-stats.ts'
import { type OpenStreamDeps, openStreamRoute } from './stream/open-stream.ts'
import { type ListTimelineDeps, listTimelineRoute } from './timeline/list-timeline.ts'
import {
  changeViewRoute,
  createViewRoute,
  deleteViewRoute,
  getViewRoute,
  listViewsRoute,
  type SaveViewDeps,
} from './views/save-view.ts'

export interface DeskRoutesDeps
  extends ListTimelineDeps,
    SearchDeps,
    SaveViewDeps,
    GetStatsDeps,
    OpenStreamDeps {}

export function deskRoutes(deps: DeskRoutesDeps): readonly Route[] {
  return [
    searchRecordsRoute(deps),
    listTimelineRoute(deps),
    listViewsRoute(deps),
    createViewRoute(deps),
    getViewRoute(deps),
    changeViewRoute(deps),
    deleteViewRoute(deps),
    getStatsRoute(deps),
    openStreamRoute(deps),
  ]
}
