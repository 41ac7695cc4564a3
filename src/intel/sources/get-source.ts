// GET /beta/sources/{kind}/{name} (design sections 4.3 and 9).

import { Type } from 'typebox'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import { loadSource, type SourceDeps } from './load-source.ts'
import { Source } from './source-wire.ts'

const HEADERS = { 'cache-control': 'no-store' } as const

export function getSourceRoute(deps: SourceDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/sources/{kind}/{name}',
    group: 'intel',
    access: { kind: 'scope', scope: 'sources:manage' },
    operationId: 'getSource',
    summary: 'Get one source of intel',
    params: Type.Object({ kind: Type.String(), name: Type.String() }),
    responses: {
      200: { description: 'The source.', schema: successOf(Source) },
      401: { description: 'No valid token.', schema: FailureEnvelope },
      403: { description: 'The token lacks sources:manage.', schema: FailureEnvelope },
      404: { description: 'There is no such source.', schema: FailureEnvelope },
    },
    async handle({ params }) {
      const result = await loadSource(deps, params)
      return { status: 200, json: { status: 'success', statusCode: 200, result }, headers: HEADERS }
    },
  })
}
