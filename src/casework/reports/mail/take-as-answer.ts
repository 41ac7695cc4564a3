// POST /beta/casework/reports/{reportId}/take-as-answer: a person takes a mail over as a comment of
// its case, where nothing proved that it belongs there.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { parseCaseId, parseRecordId } from '../../../values/uuid.ts'
import { caseNotFound, reportNotFound } from '../../cases/errors.ts'
import type { TakeMailAsAnswer } from './take-mail-as-answer.ts'

const Party = Type.Union([
  Type.Literal('customer'),
  Type.Literal('reporter'),
  Type.Literal('other'),
])

const AnswerBody = Type.Object(
  {
    case_id: Type.Optional(
      Type.String({
        description: 'The case, where the mail names none or another one: an answer to a digest.',
      }),
    ),
    party: Type.Optional({
      ...Party,
      description:
        'Who answered. Left out: the party of the notice for its recipient, customer for a contact of the customer, else other.',
    }),
    take_path: Type.Optional(
      Type.Boolean({
        description:
          'True: the run that waits for an answer of this party goes on. Left out: the mail is a comment only.',
      }),
    ),
  },
  { additionalProperties: false },
)

const AnswerTaken = Type.Object({
  report_id: Type.String({ format: 'uuid' }),
  case_id: Type.String(),
  comment_id: Type.String({ format: 'uuid' }),
  party: Party,
  repeated: Type.Boolean({ description: 'It was taken before, and nothing was changed now.' }),
  trigger: Type.Optional(
    Type.Object(
      { run_id: Type.String({ format: 'uuid' }), node: Type.String(), path: Type.String() },
      { description: 'What goes on by it.' },
    ),
  ),
})

export interface TakeAsAnswerDeps {
  readonly takeMailAsAnswer: TakeMailAsAnswer
}

export function takeAsAnswerRoute({ takeMailAsAnswer }: TakeAsAnswerDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/reports/{reportId}/take-as-answer',
    group: 'casework',
    // Everyone who may read the case reads the text of the mail then, so whoever publishes it there
    // must be allowed to read the mail itself.
    access: { kind: 'one-of', ways: [['cases:write', 'events:raw']] },
    operationId: 'takeReportAsAnswer',
    idempotency: 'kept',
    summary: 'Take a mail over as an answer',
    description:
      'Makes a quarantined or rejected mail a comment of its case, as an answer with a valid key becomes one: for answers without a key, with an expired one, of another sender, or to a digest. The report is accepted then. A repeat changes nothing, and takes no path.',
    params: Type.Object({ reportId: Type.String() }),
    body: AnswerBody,
    responses: {
      200: { description: 'The comment that it is.', schema: AnswerTaken },
      404: { description: 'There is no such report or case.' },
      409: {
        description:
          'The report has not been read yet, is no mail, was accepted or corrected, names no case, is a comment of another case already; or no node, or more than one run, waits for the answer.',
      },
      410: { description: 'The bytes of the mail are no longer stored.' },
    },
    async handle({ caller, params, body }) {
      const { tenantId, tokenId, name } = requireCaller(caller)
      const reportId = parseRecordId(params.reportId)
      if (reportId === null) throw reportNotFound()
      const caseId = body.case_id === undefined ? null : parseCaseId(body.case_id)
      if (body.case_id !== undefined && caseId === null) throw caseNotFound()
      const taken = await takeMailAsAnswer(
        { tenantId },
        {
          reportId,
          caseId,
          party: body.party ?? null,
          takesPath: body.take_path === true,
          actor: { kind: 'token', id: tokenId, name },
        },
      )
      const { trigger } = taken
      return {
        status: 200,
        json: {
          report_id: reportId,
          case_id: taken.caseId,
          comment_id: taken.commentId,
          party: taken.party,
          repeated: taken.isRepeated,
          ...(trigger === null
            ? {}
            : { trigger: { run_id: trigger.runId, node: trigger.node, path: trigger.path } }),
        },
      }
    },
  })
}
