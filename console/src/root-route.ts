// The root of all pages, which shows nothing by itself.

import { createRootRoute } from '@tanstack/react-router'

export const rootRoute = createRootRoute()
