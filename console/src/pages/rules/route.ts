// `/rules`: case groups in their order, mute rules, calendars, and the test of one event. Editing
// has pages of its own, so that a draft with its preview can be shared and left and come back to.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../data/query-client.ts'
import { frameRoute } from '../../frame/route.ts'
import { readTableSearch, type TableSearch } from '../../parts/table-search.ts'
import { readChoice, readText } from '../../search-params.ts'
import { caseGroupsQuery } from './data.ts'

export const TABS = ['groups', 'mute', 'calendars', 'test'] as const

interface RulesSearch extends TableSearch {
  readonly tab?: (typeof TABS)[number] | undefined
  /** Of mute rules: those that ended too. */
  readonly ended?: 'shown' | undefined
  /** The event that is tested. */
  readonly event?: string | undefined
}

export const rulesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/rules',
  validateSearch: (search): RulesSearch => ({
    ...readTableSearch(search),
    tab: readChoice(search, 'tab', TABS),
    ended: readChoice(search, 'ended', ['shown']),
    event: readText(search, 'event'),
  }),
  loader: () => {
    void queryClient.prefetchQuery(caseGroupsQuery)
  },
  component: lazyRouteComponent(() => import('./view.tsx'), 'RulesView'),
})

const newGroupRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/rules/new-group',
  component: lazyRouteComponent(() => import('./group-editor.tsx'), 'NewGroupView'),
})

export const groupRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/rules/groups/$groupId',
  component: lazyRouteComponent(() => import('./group-editor.tsx'), 'GroupView'),
})

interface NewMuteRuleSearch {
  readonly by?: 'condition' | undefined
}

export const newMuteRuleRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/rules/new-mute-rule',
  validateSearch: (search): NewMuteRuleSearch => ({ by: readChoice(search, 'by', ['condition']) }),
  component: lazyRouteComponent(() => import('./mute-editor.tsx'), 'NewMuteRuleView'),
})

export const calendarRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/rules/calendars/$name',
  component: lazyRouteComponent(() => import('./calendar-editor.tsx'), 'CalendarView'),
})

const newCalendarRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/rules/new-calendar',
  component: lazyRouteComponent(() => import('./calendar-editor.tsx'), 'NewCalendarView'),
})

export const rulesRoutes = [
  rulesRoute,
  newGroupRoute,
  groupRoute,
  newMuteRuleRoute,
  newCalendarRoute,
  calendarRoute,
] as const
