// POST /beta/sources/{kind}/{name}/fetch (design section 4.3): fetches a published list now, due or
// not.

import { Type } from 'typebox'
import type { Db } from '../../../kernel/db/database.ts'
import { answerSuccess } from '../../../kernel/http/answer-success.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../../vocabulary/envelope-wire.ts'
import { sourceBusy, sourceHasNoUrl, sourceUnknown } from '../../errors.ts'
import { findSource } from '../source-store.ts'
import { FetchResult, presentFetchResult } from '../source-wire.ts'
import type { SourceFetcher } from './refresh-source.ts'

// A proxy waits for 60 s, and a connection of ours ends after 75 s of silence.
const ANSWER_MS = 30_000

export interface FetchSourceDeps {
  readonly db: Db
  readonly fetcher: SourceFetcher
  /** The longest time until the answer; a test sets its own. */
  readonly answerMs?: number
}

export function fetchSourceRoute({ db, fetcher, answerMs = ANSWER_MS }: FetchSourceDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/sources/{kind}/{name}/fetch',
    group: 'intel',
    access: { kind: 'scope', scope: 'sources:manage' },
    operationId: 'fetchSource',
    summary: 'Fetch a source now',
    description:
      'Answers when the fetch has ended. A fetch that takes longer than 30 s is answered 202 and goes on: fetch.running of the source tells for how long, then state and fetch.trouble tell the outcome. A failed fetch changes nothing.',
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
      202: { description: 'The fetch goes on.', schema: successOf(FetchResult, 202) },
      401: { description: 'No valid token.', schema: FailureEnvelope },
      403: { description: 'The token lacks sources:manage.', schema: FailureEnvelope },
      404: { description: 'There is no such source.', schema: FailureEnvelope },
      409: { description: 'The source has no URL, or is being fetched.', schema: FailureEnvelope },
    },
    async handle({ params, query, log }) {
      const source = await findSource(db, params)
      if (source === null) throw sourceUnknown()
      if (source.fetch === null) throw sourceHasNoUrl()
      // Never aborted: the fetch goes on when the client is gone.
      const { signal } = new AbortController()
      const mayShrink = query.allowShrink === true
      const fetching = fetcher.fetchNow(source.id, { mayShrink, signal })
      const done = await settleWithin(answerMs, fetching)
      if (done === 'running') {
        fetching.catch((error: unknown) =>
          log.error('A list could not be fetched', { ...params, cause: String(error) }),
        )
        return answerSuccess({ outcome: done }, { status: 202 })
      }
      if (done === null) throw sourceBusy()
      const result = presentFetchResult(done)
      return answerSuccess(result)
    },
  })
}

/** The result of `work`, or `running` when it takes longer; the work goes on then. */
async function settleWithin<Result>(
  limitMs: number,
  work: Promise<Result>,
): Promise<Result | 'running'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'running'>((resolve) => {
    timer = setTimeout(() => resolve('running'), limitMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
