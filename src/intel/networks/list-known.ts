// GET /beta/networks/known: the addresses and ranges inside the own networks that somebody lists,
// saw or tagged as bad (an addition, see docs/interface-gaps/sources.md).

import { Type } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { parseSubject } from '../../values/range.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import { rangeNotReadable } from '../errors.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { inTurn } from '../lookup/in-turn.ts'
import { type AddressKey, keyOfSubject } from '../snapshot/scan-range.ts'
import { KnownItems, presentKnown } from './known-item-wire.ts'
import type { NetworkDirectory } from './network-directory.ts'
import { readKnown } from './read-known.ts'

const LIMIT_DEFAULT = 100
// About 200 KB.
const LIMIT_MAX = 1_000
// Each is a pass over the whole set, in slices of a millisecond.
const UNFINISHED_MAX = 8
const HEADERS = { 'cache-control': 'no-store' } as const

export interface ListKnownDeps {
  readonly index: Pick<IntelIndex, 'view' | 'state'>
  readonly clock: Clock
  readonly networks: Pick<NetworkDirectory, 'networks'>
}

export function listKnownRoute({ index, clock, networks }: ListKnownDeps): Route {
  const run = inTurn(UNFINISHED_MAX)
  return defineRoute({
    method: 'GET',
    path: '/beta/networks/known',
    group: 'intel',
    access: { kind: 'scope', scope: 'intel:read' },
    operationId: 'listKnownInNetworks',
    summary: 'List what is known in your networks',
    description:
      'Addresses and ranges inside the ranges of all sources of kind network that have a live listing, a sighting within the look-back, or a malicious or suspicious tag; also by a wider entry. A later page may show a later serial. limit=0 gives the counts only.',
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({ minimum: 0, maximum: LIMIT_MAX, default: LIMIT_DEFAULT }),
      ),
      after: Type.Optional(
        Type.String({ maxLength: 64, description: 'The next of the former page.' }),
      ),
    }),
    responses: {
      200: { description: 'A page.', schema: successOf(KnownItems) },
      400: { description: 'limit or after is malformed.', schema: FailureEnvelope },
      503: { description: 'Too many such requests at once.', schema: FailureEnvelope },
    },
    async handle({ query }) {
      const after = query.after === undefined || query.after === '' ? null : readAfter(query.after)
      const question = { after, limit: query.limit ?? LIMIT_DEFAULT }
      const result = await run(async () => {
        const { serial } = index.state()
        const known = await readKnown(index.view(), networks.networks(), clock.nowMs(), question)
        return presentKnown(serial, known)
      })
      return { status: 200, json: { status: 'success', statusCode: 200, result }, headers: HEADERS }
    },
  })
}

function readAfter(text: string): AddressKey {
  const parsed = parseSubject(text)
  const key = parsed.kind === 'subject' ? keyOfSubject(parsed.subject) : null
  if (key === null) throw rangeNotReadable('after must be the next of the page before.')
  return key
}
