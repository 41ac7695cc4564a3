// `/notices`: the outbox, addresses that get no mail, templates, and the limits of a day.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'
import { readTableSearch, type TableSearch } from '../../parts/table-search.ts'
import { readChoice, readText } from '../../search-params.ts'

export const TABS = ['outbox', 'suppressed', 'templates', 'limits'] as const
export const STATES = ['waiting', 'sent', 'bounced', 'held', 'failed', 'suppressed'] as const
export const PARTIES = ['customer', 'reporter', 'other'] as const
export const PURPOSES = [
  'receipt',
  'notice',
  'reminder',
  'outcome',
  'statement_of_reasons',
  'answer',
  'digest',
] as const

export interface NoticesSearch extends TableSearch {
  readonly tab?: (typeof TABS)[number] | undefined
  readonly state?: (typeof STATES)[number] | undefined
  readonly party?: (typeof PARTIES)[number] | undefined
  readonly purpose?: (typeof PURPOSES)[number] | undefined
  readonly recipient?: string | undefined
  readonly case?: string | undefined
}

export const noticesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/notices',
  validateSearch: (search): NoticesSearch => ({
    ...readTableSearch(search),
    tab: readChoice(search, 'tab', TABS),
    state: readChoice(search, 'state', STATES),
    party: readChoice(search, 'party', PARTIES),
    purpose: readChoice(search, 'purpose', PURPOSES),
    recipient: readText(search, 'recipient'),
    case: readText(search, 'case'),
  }),
  component: lazyRouteComponent(() => import('./view.tsx'), 'NoticesView'),
})

export const templateRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/notices/templates/$name/$language',
  validateSearch: (search): { readonly case?: string | undefined } => ({
    case: readText(search, 'case'),
  }),
  component: lazyRouteComponent(() => import('./template-editor.tsx'), 'TemplateView'),
})

export const noticesRoutes = [noticesRoute, templateRoute] as const
