// `/playbooks/{id}/edit`: the editor. `?version=` is what it begins with, `?node=` what is selected,
// `?left=` palette or outline, `?simulate=yes` past cases beside it.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/route.ts'
import { readChoice, readCount, readText } from '../../search-params.ts'

export const LEFT = ['palette', 'outline'] as const

interface EditSearch {
  readonly version?: number | undefined
  readonly node?: string | undefined
  readonly left?: (typeof LEFT)[number] | undefined
  readonly simulate?: 'yes' | undefined
}

export const playbookEditRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/playbooks/$playbookId/edit',
  validateSearch: (search): EditSearch => ({
    version: readCount(search, 'version'),
    node: readText(search, 'node'),
    left: readChoice(search, 'left', LEFT),
    simulate: readChoice(search, 'simulate', ['yes']),
  }),
  component: lazyRouteComponent(() => import('./view.tsx'), 'PlaybookEditView'),
})
