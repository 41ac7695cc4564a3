// GET /beta/query/{item} (interface endpoint 7): everything known about one address or domain, with
// its enrichment under one deadline. A plainly spelled item is answered in front of Fastify
// (docs/decisions/0008).

import { Type } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import { PROBLEM_HEADER } from '../../kernel/http/problem-header.ts'
import type { RawAnswer } from '../../kernel/http/raw-route.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { Item } from '../../values/item.ts'
import { FailureEnvelope, partialSuccessOf, successOf } from '../../vocabulary/envelope-wire.ts'
import type { Enrichment, EnrichmentAnswer } from '../enrichment/enrich.ts'
import { lookupPartial } from '../errors.ts'
import { isBogon } from '../facts/bogon.ts'
import { classify } from '../facts/classify-item.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { LookupResult } from './lookup-result-wire.ts'
import { presentLookup } from './present-lookup-result.ts'
import { requireItem } from './read-asked-item.ts'
import { RefangQuery } from './refang-wire.ts'

const PATH = '/beta/query/'

export interface LookupItemDeps {
  readonly index: Pick<IntelIndex, 'view' | 'headers'>
  readonly enrichment: Pick<Enrichment, 'enrichNow' | 'enrich'>
  readonly clock: Clock
}

export function lookupItemRoute(deps: LookupItemDeps): Route {
  return defineRoute({
    method: 'GET',
    path: `${PATH}{item}`,
    group: 'intel',
    access: { kind: 'open-intel', scope: 'intel:read' },
    operationId: 'lookupItem',
    summary: 'Look up an address or a domain',
    description:
      'All that is known of the item: lists, tags, sightings, reverse DNS, abuse contact and autonomous system. 503 brings what could be found in time.',
    params: Type.Object({
      item: Type.String({ description: 'IP address or domain, percent-encoded where needed.' }),
    }),
    query: RefangQuery,
    unknownQuery: 'ignored',
    isHot: true,
    responses: {
      200: { description: 'All that is known.', schema: successOf(LookupResult) },
      400: { description: 'The item is no address and no domain.', schema: FailureEnvelope },
      503: {
        description: 'All but what an enricher could not say in time.',
        schema: partialSuccessOf(LookupResult),
      },
    },
    handle: ({ params, query }) => lookUp(deps, params.item, query.refang === true),
    answerRaw(message) {
      const text = readPlainItem(message.url, PATH)
      return text === null ? null : () => lookUp(deps, text, false)
    },
  })
}

/** At once when memory holds the whole enrichment, which is nearly always. */
function lookUp(
  deps: LookupItemDeps,
  text: string,
  mayRefang: boolean,
): RawAnswer | Promise<RawAnswer> {
  const item = requireItem(text, mayRefang)
  const known = deps.enrichment.enrichNow(item)
  if (known !== null) return answer(deps, text, item, known)
  return deps.enrichment.enrich(item).then((found) => answer(deps, text, item, found))
}

function answer(
  { index, clock }: LookupItemDeps,
  text: string,
  item: Item,
  enrichment: EnrichmentAnswer,
): RawAnswer {
  const view = index.view()
  const headers = index.headers()
  return {
    status: enrichment.isPartial ? 503 : 200,
    text: presentLookup({
      text,
      isDomain: item.kind === 'domain',
      bogon: isBogon(item),
      classification: classify(view.lookup(item), view.policy, clock.nowMs()),
      enrichment,
    }),
    isAscii: true,
    headers: enrichment.isPartial
      ? { ...headers, [PROBLEM_HEADER]: lookupPartial().code }
      : headers,
  }
}

// The longest domain name (RFC 1035 section 3.1). A longer text is no item; Fastify answers it.
const PLAIN_LENGTH_MAX = 253

// 1 for letters, digits, dot, hyphen, colon and underscore: the characters of items, of which none
// has another meaning in a target.
const PLAIN = new Uint8Array(128)
for (const letter of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:_') {
  PLAIN[letter.charCodeAt(0)] = 1
}

/**
 * The text after `prefix`, or null when the target has another path, a query or a character that is
 * not plain. The colon of IPv6 may be percent-encoded, which many clients do.
 */
export function readPlainItem(target: string | undefined, prefix: string): string | null {
  if (target === undefined || !target.startsWith(prefix)) return null
  const text = target.slice(prefix.length)
  const plain = text.includes('%3') ? text.replaceAll(/%3a/gi, ':') : text
  const { length } = plain
  if (length === 0 || length > PLAIN_LENGTH_MAX) return null
  for (let at = 0; at < length; at += 1) if (PLAIN[plain.charCodeAt(at)] !== 1) return null
  return plain
}
