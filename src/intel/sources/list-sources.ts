// GET /beta/sources (design sections 4.3 and 9). The URL of a fetched list may hold a key, so every
// endpoint of sources needs the scope to manage them.

import { Type } from 'typebox'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import type { SourceDeps } from './load-source.ts'
import { listSources } from './source-store.ts'
import { presentSource, Source } from './source-wire.ts'

const HEADERS = { 'cache-control': 'no-store' } as const

export function listSourcesRoute({ db, clock, counts }: SourceDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/sources',
    group: 'intel',
    access: { kind: 'scope', scope: 'sources:manage' },
    operationId: 'listSources',
    summary: 'List the sources of intel',
    description:
      'Every source with its state, its terms of use and its number of live entries. The state of a source never changes a verdict.',
    responses: {
      200: { description: 'By kind and name.', schema: successOf(Type.Array(Source)) },
      401: { description: 'No valid token.', schema: FailureEnvelope },
      403: { description: 'The token lacks sources:manage.', schema: FailureEnvelope },
    },
    async handle() {
      const sources = await listSources(db)
      const entriesOf = await counts.read(sources)
      const nowMs = clock.nowMs()
      const result = sources.map((source) => presentSource(source, entriesOf(source), nowMs))
      return { status: 200, json: { status: 'success', statusCode: 200, result }, headers: HEADERS }
    },
  })
}
