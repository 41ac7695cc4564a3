// The frame around the pages of people who are signed in, and what it shows at an address that no
// page has.

import { createRoute } from '@tanstack/react-router'
import { rootRoute } from '../root-route.ts'
import { Frame } from './frame.tsx'
import { NotFound } from './not-found.tsx'
import { requireWholeSession } from './require-session.ts'

export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  component: Frame,
  beforeLoad: ({ location }) => requireWholeSession(location),
})

export const notFoundRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '$',
  component: NotFound,
})
