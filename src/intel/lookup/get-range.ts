// GET /beta/ranges/{cidr} (design section 4.5): what is known inside a range. The slash of the
// range is sent as %2F, or as it is: many proxies refuse the former. It tells more than a look-up
// and costs more, so it asks for a token.

import { Type } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import {
  IPV4_PREFIX_MIN,
  IPV6_PREFIX_MIN,
  isTooWide,
  parseRange,
  parseSubject,
  type Range,
} from '../../values/range.ts'
import { formatSeconds } from '../../values/timestamp.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import { rangeNotReadable, tooManyRanges } from '../errors.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { type AddressKey, keyOfSubject } from '../snapshot/range-walk.ts'
import { RangeContents, type RangeItem } from './range-contents-wire.ts'
import { gatherRange, type KnownItem, type RangeQuestion } from './read-range-contents.ts'

const LIMIT_DEFAULT = 100
// About 200 KB.
const LIMIT_MAX = 1_000
// A whole /8 is the widest: a million known addresses take 0.5 s of the processor (measured), and
// nobody has so many in one that is narrower.
const NAMES_MAX = 100
// Walks of one thread follow each other, since each may take that long, in slices of a millisecond.
const WAITING_MAX = 16
const HEADERS = { 'cache-control': 'no-store' } as const

const Query = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMIT_MAX, default: LIMIT_DEFAULT })),
  after: Type.Optional(
    Type.String({ maxLength: 64, description: 'The next of the last page: items behind it.' }),
  ),
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
  const turns = new Turns(WAITING_MAX)
  const answer = async (text: string, query: { limit?: number; after?: string }) => {
    const range = readRange(text)
    const after = query.after === undefined || query.after === '' ? null : readAfter(query.after)
    const limit = query.limit ?? LIMIT_DEFAULT
    const result = await turns.take(() => describeRange(deps, { range, after, limit }))
    return { status: 200, json: { status: 'success', statusCode: 200, result }, headers: HEADERS }
  }
  const cidr = Type.String({ description: 'Such as 192.0.2.0%2F24 or 2001:db8::%2F32.' })
  const address = Type.String({ description: 'The first address of the range.' })
  const prefixLength = Type.String({ description: 'Such as 24.' })
  return [
    defineRoute({
      ...routeOf({
        path: '/beta/ranges/{cidr}',
        operationId: 'getRange',
        summary: 'Tell what is known inside a range',
      }),
      params: Type.Object({ cidr }),
      query: Query,
      handle: ({ params, query }) => answer(params.cidr, query),
    }),
    defineRoute({
      ...routeOf({
        path: '/beta/ranges/{address}/{prefixLength}',
        operationId: 'getRangeBySegments',
        summary: 'Tell what is known inside a range, its slash sent as it is',
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
      'Counts by kind, tag and source of the addresses and ranges in it, and a page of them. IPv4 from /8 on, IPv6 from /16 on. All of one answer is of one serial; a later page is of a later one. limit=0 asks for the counts only.',
    responses: {
      200: { description: 'What is known.', schema: successOf(RangeContents) },
      400: { description: 'No range, or too wide a one.', schema: FailureEnvelope },
      503: { description: 'Too many ranges are asked about at once.', schema: FailureEnvelope },
    },
  } as const
}

function readRange(text: string): Range {
  const parsed = parseRange(text)
  if (parsed.kind === 'refused') throw rangeNotReadable(parsed.reason)
  const { range } = parsed
  const bitsMin = range.kind === 'ipv4-range' ? IPV4_PREFIX_MIN : IPV6_PREFIX_MIN
  if (isTooWide(range)) {
    throw rangeNotReadable(`The range is too wide: ask about a /${bitsMin} or a smaller one.`)
  }
  return range
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
  const known = await gatherRange(view, clock.nowMs(), question)
  const items = known.items.map(presentItem)
  return {
    range: question.range.text,
    serial,
    addresses: known.addresses,
    ranges: known.ranges,
    kinds: known.counter.kinds(),
    tags: known.counter.tags().slice(0, NAMES_MAX),
    sources: known.counter.sources().slice(0, NAMES_MAX),
    coveredBy: known.coveredBy.map(presentItem),
    items,
    next: known.hasMore ? (items.at(-1)?.item ?? '') : '',
  }
}

function presentItem({ text, classification }: KnownItem): RangeItem {
  const { serviceMailBlocklist, intent, activity, tags } = classification
  const { firstSeenSeconds, lastSeenSeconds } = classification
  return {
    item: text,
    serviceMailBlocklist,
    intent,
    activity,
    tags: [...tags],
    ...(firstSeenSeconds === undefined ? {} : { firstSeen: formatSeconds(firstSeenSeconds) }),
    ...(lastSeenSeconds === undefined ? {} : { lastSeen: formatSeconds(lastSeenSeconds) }),
  }
}

/** One after the other; whoever would be one too many is refused. */
export class Turns {
  readonly #waitingMax: number
  #waiting = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax
  }

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting >= this.#waitingMax) throw tooManyRanges()
    this.#waiting += 1
    const mine = this.#last.then(work, work)
    this.#last = mine.catch(() => undefined)
    try {
      return await mine
    } finally {
      this.#waiting -= 1
    }
  }
}
