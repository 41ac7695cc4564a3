// GET /beta/query/{item} (interface endpoint 7): everything known about one address or domain, with
// its enrichment under one deadline.

import { Type } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import { defineRoute, type Reply, type Route } from '../../kernel/http/route.ts'
import { type Item, parseItem } from '../../values/item.ts'
import { FailureEnvelope, partialSuccessOf, successOf } from '../../vocabulary/envelope-wire.ts'
import type { Enrichment, EnrichmentAnswer } from '../enrichment/enrich.ts'
import { itemNotReadable } from '../errors.ts'
import { isBogon } from '../facts/bogon.ts'
import { classify } from '../facts/classify-item.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { LookupResult } from './lookup-result-wire.ts'
import { presentLookup } from './present-lookup-result.ts'

interface LookupDeps {
  readonly index: IntelIndex
  readonly enrichment: Enrichment
  readonly clock: Clock
}

export function lookupItemRoute(deps: LookupDeps): Route {
  const { enrichment } = deps
  return defineRoute({
    method: 'GET',
    path: '/beta/query/{item}',
    group: 'intel',
    access: { kind: 'open-intel', scope: 'intel:read' },
    operationId: 'lookupItem',
    summary: 'Look up one address or domain',
    params: Type.Object({
      item: Type.String({ description: 'IP address or domain, percent-encoded where needed.' }),
    }),
    isHot: true,
    responses: {
      200: { description: 'All that is known.', schema: successOf(LookupResult) },
      400: { description: 'The item is no address and no domain.', schema: FailureEnvelope },
      503: {
        description: 'All but what an enricher could not say in time.',
        schema: partialSuccessOf(LookupResult),
      },
    },
    handle({ params }) {
      const item = parseItem(params.item)
      if (item === null) throw itemNotReadable()
      const known = enrichment.enrichNow(item)
      if (known !== null) return answer(deps, params.item, item, known)
      return enrichment.enrich(item).then((found) => answer(deps, params.item, item, found))
    },
  })
}

function answer(
  { index, clock }: LookupDeps,
  text: string,
  item: Item,
  enrichment: EnrichmentAnswer,
): Reply {
  const view = index.view()
  const nowMs = clock.nowMs()
  return {
    status: enrichment.isPartial ? 503 : 200,
    text: presentLookup({
      text,
      isDomain: item.kind === 'domain',
      bogon: isBogon(item),
      classification: classify(view.lookup(item), view.policy, nowMs),
      enrichment,
    }),
    isAscii: true,
    headers: index.headers(),
  }
}
