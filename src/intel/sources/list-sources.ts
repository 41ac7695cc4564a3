// GET /beta/sources (design sections 4.3 and 9).

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { answerSuccess } from '../../kernel/http/answer-success.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import type { SourceDeps } from './load-source.ts'
import { listSources } from './source-store.ts'
import { hideFetchPath, presentSource, Source } from './source-wire.ts'

const HEADERS = { 'cache-control': 'no-store' } as const

export function listSourcesRoute({ db, clock, counts }: SourceDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/sources',
    group: 'intel',
    access: { kind: 'one-of', ways: [['intel:read'], ['sources:manage']] },
    operationId: 'listSources',
    summary: 'List sources',
    description:
      'Every source with its state, its terms of use and its number of live entries. The state of a source never changes a verdict.',
    responses: {
      200: { description: 'By kind and name.', schema: successOf(Type.Array(Source)) },
      401: { description: 'No valid token.', schema: FailureEnvelope },
      403: { description: 'The token lacks intel:read.', schema: FailureEnvelope },
    },
    async handle({ caller }) {
      const isManager = requireCaller(caller).scopes.has('sources:manage')
      const sources = await listSources(db)
      const entriesOf = await counts.read(sources)
      const nowMs = clock.nowMs()
      const all = sources.map((source) => presentSource(source, entriesOf(source), nowMs))
      const result = isManager ? all : all.map(hideFetchPath)
      return answerSuccess(result, { headers: HEADERS })
    },
  })
}
