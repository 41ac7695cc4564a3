// The endpoints of notices and their templates.

import type { Route } from '../../kernel/http/route.ts'
import { getTemplateRoute, listTemplatesRoute } from './list-templates.ts'
import {
  getNoticeRoute,
  listCaseNoticesRoute,
  listNoticesRoute,
  type NoticeEndpointDeps,
  sendNoticeRoute,
} from './notice-endpoints.ts'
import { previewTemplateRoute } from './preview-template.ts'
import { cancelNoticeRoute, resendNoticeRoute } from './resend-notice.ts'
import { deleteTemplateRoute, putTemplateRoute } from './save-template.ts'
import { getNoticeLimitsRoute, putNoticeLimitsRoute } from './set-notice-limits.ts'
import {
  deleteSuppressedAddressRoute,
  listSuppressedAddressesRoute,
  putSuppressedAddressRoute,
} from './suppressions.ts'
import { sendTestMailRoute, type TestMailDeps } from './test-mails.ts'

export function noticeRoutes(deps: NoticeEndpointDeps & TestMailDeps): readonly Route[] {
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
    cancelNoticeRoute(deps),
    getNoticeLimitsRoute(deps),
    putNoticeLimitsRoute(deps),
    listSuppressedAddressesRoute(deps),
    putSuppressedAddressRoute(deps),
    deleteSuppressedAddressRoute(deps),
    sendTestMailRoute(deps),
  ]
}
