// POST /beta/sources/{kind}/{name}/fetch (design section 4.3): fetches a published list now, due or
// not.

import { Type } from 'typebox'
import type { Db } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../../vocabulary/envelope-wire.ts'
import { sourceBusy, sourceHasNoUrl, sourceUnknown } from '../../errors.ts'
import { findSource } from '../source-store.ts'
import { FetchResult, presentFetchResult } from '../source-wire.ts'
import type { SourceFetcher } from './refresh-source.ts'

export function fetchSourceRoute({
  db,
  fetcher,
}: {
  readonly db: Db
  readonly fetcher: SourceFetcher
}): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/sources/{kind}/{name}/fetch',
    group: 'intel',
    access: { kind: 'scope', scope: 'sources:manage' },
    operationId: 'fetchSource',
    summary: 'Fetch a published list now',
    description:
      'Answers when the fetch has ended; the download may take two minutes. A failed fetch changes nothing, and its outcome says why.',
    params: Type.Object({ kind: Type.String(), name: Type.String() }),
    query: Type.Object({
      allowShrink: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            'true accepts a list that has less than half as many entries as the source has now.',
        }),
      ),
    }),
    responses: {
      200: { description: 'The outcome.', schema: successOf(FetchResult) },
      401: { description: 'No valid token.', schema: FailureEnvelope },
      403: { description: 'The token lacks sources:manage.', schema: FailureEnvelope },
      404: { description: 'There is no such source.', schema: FailureEnvelope },
      409: { description: 'The source has no URL, or is being fetched.', schema: FailureEnvelope },
    },
    async handle({ params, query }) {
      const source = await findSource(db, params)
      if (source === null) throw sourceUnknown()
      if (source.fetch === null) throw sourceHasNoUrl()
      const signal = new AbortController().signal
      const mayShrink = query.allowShrink === true
      const done = await fetcher.fetchNow(source.id, { mayShrink, signal })
      if (done === null) throw sourceBusy()
      const result = presentFetchResult(done)
      return { status: 200, json: { status: 'success', statusCode: 200, result } }
    },
  })
}
