// POST /beta/casework/reports/{reportId}/correct: a person corrects what was read out of a report.

import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { presentEtag, readExpectedVersion } from '../../kernel/http/entity-tag.ts'
import { readIdempotencyKey } from '../../kernel/http/read-idempotency-key.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { parseRecordId } from '../../values/uuid.ts'
import { changeNotValid, reportNotFound } from '../cases/errors.ts'
import { findCasesOfEvents } from '../events/event-store.ts'
import {
  applyCorrection,
  type CorrectionCommand,
  type CorrectReportDeps,
} from './corrections/apply-correction.ts'
import { CorrectedReport, CorrectionBody } from './corrections/correction-body-wire.ts'
import { listCorrections } from './corrections/correction-store.ts'
import { readCorrection } from './corrections/read-correction.ts'
import { findReport } from './report-store.ts'
import { presentReportDetail } from './report-wire.ts'

export function correctReportRoute(deps: CorrectReportDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/reports/{reportId}/correct',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:write' },
    operationId: 'correctReport',
    idempotency: 'own',
    summary: 'Correct a report',
    description:
      'Changes, withdraws and adds events in one act; they leave their cases and are correlated anew. An open case that is left without events is closed as a false positive. A corrected report is not read again. With an Idempotency-Key a repeat within 24 hours changes nothing.',
    params: Type.Object({ reportId: Type.String() }),
    body: CorrectionBody,
    responses: {
      200: { description: 'The report as it is now.', schema: CorrectedReport },
      400: {
        description:
          'The correction is not valid, changes nothing, names an event of another report, or names no version.',
      },
      404: { description: 'There is no such report.' },
      409: {
        description:
          'The report has not been read yet, was corrected too often, or a legal hold is on a case of its events.',
      },
      412: { description: 'The report was corrected since that version.' },
      422: { description: 'The Idempotency-Key was used for another request.' },
    },
    async handle({ caller, params, body, headers }) {
      const { tenantId, tokenId, name } = requireCaller(caller)
      const scope = { tenantId }
      const reportId = parseRecordId(params.reportId)
      if (reportId === null || (await findReport(deps.db, scope, reportId)) === null) {
        throw reportNotFound()
      }
      const key = readIdempotencyKey(headers)
      const requestHash = createHash('sha256')
        .update(JSON.stringify([reportId, body]))
        .digest('hex')
      const operation = 'correctReport'
      const command: CorrectionCommand = {
        ...readCorrection(body, deps.clock.nowMs()),
        reportId,
        reason: body.reason ?? null,
        expectedVersion: readExpectedVersion(headers['if-match'], body.version, changeNotValid),
        actor: { kind: 'token', id: tokenId, name },
        at: new Date(deps.clock.nowMs()),
        answerKey: key === null ? null : { tokenId, operation, key, requestHash },
      }
      const outcomes = await applyCorrection(deps, scope, command)
      const report = await findReport(deps.db, scope, reportId)
      if (report === null) throw reportNotFound()
      const cases = await findCasesOfEvents(
        deps.db,
        scope,
        outcomes.map(({ eventId }) => eventId),
      )
      const events = outcomes.map(({ eventId, kind }) => {
        const caseId = cases.get(eventId) ?? null
        return { event_id: eventId, outcome: kind, ...(caseId === null ? {} : { case_id: caseId }) }
      })
      const corrections = await listCorrections(deps.db, scope, reportId)
      return {
        status: 200,
        json: { ...presentReportDetail(report, corrections), events },
        headers: { etag: presentEtag(report.version) },
      }
    },
  })
}
