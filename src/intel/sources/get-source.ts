// GET /beta/sources/{kind}/{name} (design sections 4.3 and 9).

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { answerSuccess } from '../../kernel/http/answer-success.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import { loadSource, type SourceDeps } from './load-source.ts'
import { hideFetchPath, Source } from './source-wire.ts'

const HEADERS = { 'cache-control': 'no-store' } as const

export function getSourceRoute(deps: SourceDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/sources/{kind}/{name}',
    group: 'intel',
    access: { kind: 'one-of', ways: [['intel:read'], ['sources:manage']] },
    operationId: 'getSource',
    summary: 'Get a source',
    description: 'The source with its state, the number of its entries and its last fetch.',
    params: Type.Object({ kind: Type.String(), name: Type.String() }),
    responses: {
      200: { description: 'The source.', schema: successOf(Source) },
      401: { description: 'No valid token.', schema: FailureEnvelope },
      403: { description: 'The token lacks intel:read.', schema: FailureEnvelope },
      404: { description: 'There is no such source.', schema: FailureEnvelope },
    },
    async handle({ caller, params }) {
      const source = await loadSource(deps, params)
      const isManager = requireCaller(caller).scopes.has('sources:manage')
      const result = isManager ? source : hideFetchPath(source)
      return answerSuccess(result, { headers: HEADERS })
    },
  })
}
