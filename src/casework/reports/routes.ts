// The endpoints of reports, and of the mail addresses that belong to tenants.

import type { AuditLog } from '../../access/audit/audit-log.ts'
import type { Route } from '../../kernel/http/route.ts'
import { correctReportRoute } from './correct-report.ts'
import type { CorrectReportDeps } from './corrections/apply-correction.ts'
import type { WriteCase } from './corrections/case-writer.ts'
import { getRawReportRoute } from './get-raw-report.ts'
import { getRegressionCaseRoute } from './get-regression-case.ts'
import { getReportRoute } from './get-report.ts'
import { type GetReportReadingDeps, getReportReadingRoute } from './get-report-reading.ts'
import { listCaseReportsRoute } from './list-case-reports.ts'
import { type ListReportEventsDeps, listReportEventsRoute } from './list-report-events.ts'
import { type ListReportsDeps, listReportsRoute } from './list-reports.ts'
import { deleteReportAddressRoute } from './mail/delete-report-address.ts'
import { listReportAddressesRoute } from './mail/list-report-addresses.ts'
import { putReportAddressRoute } from './mail/put-report-address.ts'
import { type TakeAsAnswerDeps, takeAsAnswerRoute } from './mail/take-as-answer.ts'
import { pushReportRoute } from './push-report.ts'
import { replayReportRoute } from './replay-report.ts'

export interface ReportRoutesDeps
  extends ListReportsDeps,
    ListReportEventsDeps,
    CorrectReportDeps,
    TakeAsAnswerDeps,
    GetReportReadingDeps {
  readonly writeCase: WriteCase
  readonly audit: AuditLog
}

export function reportRoutes(deps: ReportRoutesDeps): readonly Route[] {
  return [
    pushReportRoute(deps),
    listReportsRoute(deps),
    getReportRoute(deps),
    getRawReportRoute(deps),
    getReportReadingRoute(deps),
    listReportEventsRoute(deps),
    listCaseReportsRoute(deps),
    replayReportRoute(deps),
    correctReportRoute(deps),
    takeAsAnswerRoute(deps),
    getRegressionCaseRoute(deps),
    listReportAddressesRoute(deps),
    putReportAddressRoute(deps),
    deleteReportAddressRoute(deps),
  ]
}
