// The endpoints of notices and their templates.

import type { Route } from '../../kernel/http/route.ts'
import { getTemplateRoute, listTemplatesRoute } from './list-templates.ts'
import {
  getNoticeRoute,
  listCaseNoticesRoute,
  listNoticesRoute,
  type NoticeEndpointDeps,
  resendNoticeRoute,
  sendNoticeRoute,
} from './notice-endpoints.ts'
import { previewTemplateRoute } from './preview-template.ts'
import { deleteTemplateRoute, putTemplateRoute } from './save-template.ts'
import {
  deleteSuppressedAddressRoute,
  listSuppressedAddressesRoute,
  putSuppressedAddressRoute,
} from './suppressions.ts'

export function noticeRoutes(deps: NoticeEndpointDeps): readonly Route[] {
  return [
    listTemplatesRoute(deps),
    getTemplateRoute(deps),
    putTemplateRoute(deps),
    deleteTemplateRoute(deps),
    previewTemplateRoute(deps),
    sendNoticeRoute(deps),
    listCaseNoticesRoute(deps),
    listNoticesRoute(deps),
    getNoticeRoute(deps),
    resendNoticeRoute(deps),
    listSuppressedAddressesRoute(deps),
    putSuppressedAddressRoute(deps),
    deleteSuppressedAddressRoute(deps),
  ]
}
