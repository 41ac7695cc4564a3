// GET /beta/explain/{item} (design section 4.1): the entries, sources and rules behind the answer
// about an item. The answer comes from memory, as a look-up does. Only the reasons that sources
// gave are read from the database; they are left out while it is unreachable.

import { setTimeout as delay } from 'node:timers/promises'
import { Type } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import { answerSuccess } from '../../kernel/http/answer-success.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { Log } from '../../kernel/log.ts'
import type { Item } from '../../values/item.ts'
import { ipv6Range } from '../../values/range.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import { countingRollUp } from '../facts/classify-item.ts'
import type { MatchedFacts } from '../facts/facts.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import type { IntelView } from '../snapshot/intel-view.ts'
import { explainBogon } from './bogon-reason.ts'
import { type ExplainedEntry, explain } from './explain-item-facts.ts'
import { ExplanationResult, presentExplanation } from './explanation-wire.ts'
import { requireItem } from './read-asked-item.ts'
import { listReasons } from './reason-store.ts'
import { RefangQuery } from './refang-wire.ts'

// The set may change at any second, so a proxy must not cache the answer.
const HEADERS = { 'cache-control': 'no-store' } as const
// The answer needs the database for a few texts only, so it does not wait long for one that hangs.
const REASONS_WAIT_MS = 2_000
const NO_REASONS =
  'The database does not answer, so the reasons that sources gave for their listings are missing here.'

interface ExplainDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly index: IntelIndex
}

export function explainItemRoute(deps: ExplainDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/explain/{item}',
    group: 'intel',
    access: { kind: 'open-intel', scope: 'intel:read' },
    operationId: 'explainItem',
    summary: 'Explain a look-up',
    description:
      'Every matching entry with its source, age and expiry, and the reason of each part of the answer. Enrichment is not included.',
    params: Type.Object({
      item: Type.String({ description: 'IP address or domain, percent-encoded where needed.' }),
    }),
    query: RefangQuery,
    unknownQuery: 'ignored',
    responses: {
      200: { description: 'The explanation.', schema: successOf(ExplanationResult) },
      400: { description: 'The item is not an address or a domain.', schema: FailureEnvelope },
    },
    async handle({ params, query }) {
      const item = requireItem(params.item, query.refang === true)
      const result = await explainOne(deps, params.item, item)
      return answerSuccess(result, { headers: HEADERS })
    },
  })
}

async function explainOne(deps: ExplainDeps, text: string, item: Item): Promise<ExplanationResult> {
  const { index, clock } = deps
  const view = index.view()
  const { serial } = index.state()
  const nowMs = clock.nowMs()
  const nowSeconds = Math.floor(nowMs / 1_000)
  const facts = view.lookup(item)
  const reasons = await loadReasons(deps, facts)
  return presentExplanation({
    text,
    item,
    serial,
    nowSeconds,
    bogonReason: explainBogon(item),
    explanation: explain(facts, view.policy, nowMs),
    rollUp: item.kind === 'ipv6' ? describeRollUp(view, item.words, facts, nowSeconds) : null,
    reasonOf: (entry) => reasons?.get(keyOf(entry)) ?? null,
    notes: reasons === null ? [NO_REASONS] : [],
  })
}

function describeRollUp(
  view: IntelView,
  words: Parameters<typeof ipv6Range>[0],
  facts: MatchedFacts,
  nowSeconds: number,
): NonNullable<ExplanationResult['rollUp']> {
  const { policy } = view
  const seenSince = nowSeconds - policy.lookBackSeconds
  return {
    counts: countingRollUp(facts, policy, nowSeconds) !== null,
    addressesMin: policy.ipv6RollupMin,
    prefixes: [64, 56, 48].map((bits) => {
      const range = ipv6Range(words, bits)
      const lastSeen = view.rollUps.lastSeenWithin(range)
      return {
        prefix: range.text,
        addresses: lastSeen.filter((last) => last >= seenSince).length,
        addressesEver: lastSeen.length,
      }
    }),
  }
}

/** Reasons by entry; null when the database does not answer in time. */
async function loadReasons(
  { db, log }: ExplainDeps,
  facts: MatchedFacts,
): Promise<ReadonlyMap<string, string> | null> {
  const subjects = new Set([...facts.listings, ...facts.allowances].map(({ subject }) => subject))
  if (subjects.size === 0) return new Map()
  try {
    const reasons = await Promise.race([
      listReasons(db, [...subjects]),
      delay(REASONS_WAIT_MS, null, { ref: false }),
    ])
    if (reasons === null) return null
    return new Map(
      reasons.map(({ table, subject, name, source, reason }) => [
        joinKey(table, subject, name, source),
        reason,
      ]),
    )
  } catch (error) {
    log.debug('The reasons of an explanation could not be read', {
      error: String(error),
    })
    return null
  }
}

function keyOf(entry: ExplainedEntry): string {
  if (entry.kind !== 'listing' && entry.kind !== 'allowance') return ''
  return joinKey(entry.kind, entry.subject, entry.fact.list, entry.fact.source)
}

// The database stores no NUL, so two entries never have the same key.
function joinKey(...parts: readonly string[]): string {
  return parts.join('\0')
}
