// `/check`: many items at once. The text is kept in this browser; filters and order are in the URL.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'
import { readTableSearch, type TableSearch } from '../../parts/table-search.ts'
import { readChoice, readTexts } from '../../search-params.ts'

export const INTENTS = ['malicious', 'suspicious', 'benign', 'unknown'] as const
export type CheckIntent = (typeof INTENTS)[number]
export const FACTS = ['listed', 'active', 'bogon'] as const
export type CheckFact = (typeof FACTS)[number]

export interface CheckSearch extends TableSearch {
  readonly intent?: readonly CheckIntent[] | undefined
  readonly fact?: readonly CheckFact[] | undefined
  /** Which of the two lists is shown. */
  readonly show?: 'unread' | undefined
}

export const checkRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/check',
  validateSearch: (search): CheckSearch => ({
    ...readTableSearch(search),
    intent: readChoices(search, 'intent', INTENTS),
    fact: readChoices(search, 'fact', FACTS),
    show: readChoice(search, 'show', ['unread']),
  }),
  component: lazyRouteComponent(() => import('./view.tsx'), 'CheckView'),
})

function readChoices<Choice extends string>(
  search: Readonly<Record<string, unknown>>,
  name: string,
  choices: readonly Choice[],
): readonly Choice[] | undefined {
  const given = readTexts(search, name)
  const found = choices.filter((choice) => given.includes(choice))
  return found.length === 0 ? undefined : found
}
