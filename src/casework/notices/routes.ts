// The endpoints of notices and their templates.

import type { Clock } from '../../kernel/clock.ts'
import type { Route } from '../../kernel/http/route.ts'
import { getTemplateRoute, listTemplatesRoute } from './list-templates.ts'
import { previewTemplateRoute } from './preview-template.ts'
import { deleteTemplateRoute, putTemplateRoute, type SaveTemplateDeps } from './save-template.ts'

export interface NoticeRoutesDeps extends SaveTemplateDeps {
  readonly clock: Clock
}

export function noticeRoutes(deps: NoticeRoutesDeps): readonly Route[] {
  return [
    listTemplatesRoute(deps),
    getTemplateRoute(deps),
    putTemplateRoute(deps),
    deleteTemplateRoute(deps),
    previewTemplateRoute(deps),
  ]
}
