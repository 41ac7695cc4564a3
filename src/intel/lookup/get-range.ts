// GET /beta/ranges/{cidr} (design section 4.5): counts and known items inside a range. The slash of
// the range is sent as %2F or as it is, since many proxies refuse %2F. The answer shows more than a
// look-up and costs more, so it needs a token.

import { Type } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import { answerSuccess } from '../../kernel/http/answer-success.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { parseSubject } from '../../values/range.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import { rangeNotReadable } from '../errors.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { type AddressKey, keyOfSubject } from '../snapshot/scan-range.ts'
import { inTurn } from './in-turn.ts'
import { presentRange, RangeContents } from './range-contents-wire.ts'
import { requireRange } from './read-asked-item.ts'
import { type RangeQuestion, readRangeContents } from './read-range-contents.ts'

const LIMIT_DEFAULT = 100
// About 200 KB.
const LIMIT_MAX = 1_000
// Reading a whole /8 with a million known addresses takes half a second of a core, in slices of a
// millisecond. So one thread reads one range after the other, and refuses more than this many.
const UNFINISHED_MAX = 16
const HEADERS = { 'cache-control': 'no-store' } as const

const Query = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMIT_MAX, default: LIMIT_DEFAULT })),
  after: Type.Optional(Type.String({ maxLength: 64, description: 'The next of the former page.' })),
})

interface Form {
  readonly path: string
  readonly operationId: string
  readonly summary: string
}

interface RangeDeps {
  readonly index: IntelIndex
  readonly clock: Clock
}

export function getRangeRoutes(deps: RangeDeps): readonly Route[] {
  const run = inTurn(UNFINISHED_MAX)
  const answer = async (text: string, query: { limit?: number; after?: string }) => {
    const range = requireRange(text)
    const after = query.after === undefined || query.after === '' ? null : readAfter(query.after)
    const question = { range, after, limit: query.limit ?? LIMIT_DEFAULT }
    const result = await run(() => describeRange(deps, question))
    return answerSuccess(result, { headers: HEADERS })
  }
  const cidr = Type.String({ description: 'Such as 192.0.2.0%2F24 or 2001:db8::%2F32.' })
  const address = Type.String({ description: 'The first address of the range.' })
  const prefixLength = Type.String({ description: 'Such as 24.' })
  return [
    defineRoute({
      ...routeOf({
        path: '/beta/ranges/{cidr}',
        operationId: 'getRange',
        summary: 'Get a range',
      }),
      params: Type.Object({ cidr }),
      query: Query,
      handle: ({ params, query }) => answer(params.cidr, query),
    }),
    defineRoute({
      ...routeOf({
        path: '/beta/ranges/{address}/{prefixLength}',
        operationId: 'getRangeBySegments',
        summary: 'Get the known contents of a range, its slash not encoded',
      }),
      params: Type.Object({ address, prefixLength }),
      query: Query,
      handle: ({ params, query }) => answer(`${params.address}/${params.prefixLength}`, query),
    }),
  ]
}

function routeOf({ path, operationId, summary }: Form) {
  return {
    method: 'GET',
    path,
    group: 'intel',
    access: { kind: 'scope', scope: 'intel:read' },
    operationId,
    summary,
    description:
      'Counts of the known addresses and ranges inside it by kind, tag and source, and a page of them. The widest range is a /8 of IPv4 and a /16 of IPv6. An answer shows one serial; a later page may show a later one. limit=0 gives the counts only.',
    responses: {
      200: { description: 'The contents.', schema: successOf(RangeContents) },
      400: { description: 'Not a range, or too wide.', schema: FailureEnvelope },
      503: { description: 'Too many requests for ranges at once.', schema: FailureEnvelope },
    },
  } as const
}

function readAfter(text: string): AddressKey {
  const parsed = parseSubject(text)
  const key = parsed.kind === 'subject' ? keyOfSubject(parsed.subject) : null
  if (key === null) throw rangeNotReadable('after must be the next of the page before.')
  return key
}

async function describeRange(
  { index, clock }: RangeDeps,
  question: RangeQuestion,
): Promise<RangeContents> {
  const view = index.view()
  const { serial } = index.state()
  const known = await readRangeContents(view, clock.nowMs(), question)
  return presentRange(question.range.text, serial, known)
}
