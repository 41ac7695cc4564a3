// GET /beta/casework/search: what a person types, found in customers, cases, reports and events.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { withStatementLimit } from '../../../kernel/db/statement-limit.ts'
import { cursorNotValid, filterNotValid, scopeMissing } from '../../../kernel/errors.ts'
import type { CursorPosition, CursorSealer } from '../../../kernel/http/cursor.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import type { Caller } from '../../../vocabulary/caller.ts'
import type { Scope } from '../../../vocabulary/scopes.ts'
import { readSearch } from './read-search.ts'
import { listStages, type Stage, type StageItem } from './search-stages.ts'
import { type FoundItem, SearchKind, SearchResult } from './search-wire.ts'

export interface SearchDeps {
  readonly db: Db
  readonly clock: Clock
  readonly cursors: CursorSealer
}

// A URL as people paste it.
const QUERY_LENGTH_MAX = 500
const LIMIT_MAX = 100
const LIMIT_DEFAULT = 20
// The slowest search that is measured takes a hundredth of it.
const STATEMENT_MS_MAX = 10_000

const SCOPES = {
  customer: 'customers:read',
  case: 'cases:read',
  report: 'events:read',
  event: 'events:read',
} as const satisfies Record<FoundItem['kind'], Scope>

export function searchRecordsRoute({ db, clock, cursors }: SearchDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/search',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'searchRecords',
    summary: 'Search customers, cases, reports and events',
    description:
      'Customers come first, then cases, reports and events; of each kind the newest first, customers by id. Kinds whose scope the token lacks are left out. A page may have fewer entries than its limit: go on until `next_cursor` is empty.',
    query: Type.Object({
      q: Type.String({
        minLength: 1,
        maxLength: QUERY_LENGTH_MAX,
        description:
          'An address, range, domain, URL, e-mail address or id, also defanged; or words. Quotes make any text words.',
      }),
      kind: Type.Optional({ ...SearchKind, description: 'Only records of this kind.' }),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: LIMIT_MAX,
          description: `Entries on a page; ${LIMIT_DEFAULT} when left out.`,
        }),
      ),
      cursor: Type.Optional(
        Type.String({
          minLength: 1,
          description: 'The next_cursor of the page before, with the same `q` and `kind`.',
        }),
      ),
    }),
    responses: { 200: { description: 'A page of what was found.', schema: SearchResult } },
    async handle({ caller, query: { q, kind, limit = LIMIT_DEFAULT, cursor } }) {
      const scope = requireCaller(caller)
      const wanted = readSearch(q)
      if (wanted === null) {
        throw filterNotValid({ path: '/q', reason: 'must have a letter or digit' })
      }
      if (kind !== undefined && !scope.scopes.has(SCOPES[kind])) throw scopeMissing(SCOPES[kind])
      const now = new Date(clock.nowMs())
      const stages = listStages(db, scope, wanted, now).filter((stage) =>
        isAllowed(scope, stage, kind),
      )
      const binding = [scope.tenantId, 'search', wanted.kind, wanted.text, kind ?? '']
      const start = cursor === undefined ? null : cursors.open(binding, cursor)
      if (cursor !== undefined && start === null) throw cursorNotValid()
      const page = await withStatementLimit(STATEMENT_MS_MAX, () => readHits(stages, start, limit))
      return {
        status: 200,
        json: {
          items: page.hits.map(({ item }) => item),
          next_cursor: page.next === null ? '' : cursors.seal(binding, page.next),
          read_as: { kind: wanted.kind, text: wanted.text },
        },
      }
    },
  })
}

function isAllowed({ scopes }: Caller, stage: Stage, kind: FoundItem['kind'] | undefined): boolean {
  return (kind === undefined || stage.kind === kind) && scopes.has(SCOPES[stage.kind])
}

interface SearchPage {
  readonly hits: readonly StageItem[]
  readonly next: CursorPosition | null
}

/**
 * Stage by stage, from the one that the cursor names, until one hit more than the page holds.
 * Throws `cursorNotValid` where the token may not read the kind of that stage.
 */
async function readHits(
  stages: readonly Stage[],
  start: CursorPosition | null,
  limit: number,
): Promise<SearchPage> {
  const [name, ...place] = start ?? []
  const first = name === undefined ? 0 : stages.findIndex((stage) => stage.name === name)
  if (first < 0) throw cursorNotValid()
  const found: (StageItem & { readonly stage: string })[] = []
  for (const [index, stage] of stages.slice(first).entries()) {
    const position = index === 0 && place.length > 0 ? place : null
    const { hits, next } = await stage.find(position, limit + 1 - found.length)
    found.push(...hits.map((hit) => ({ ...hit, stage: stage.name })))
    if (found.length > limit) break
    if (next !== undefined) return { hits: found, next: [stage.name, ...next] }
  }
  const hits = found.slice(0, limit)
  const last = hits.at(-1)
  const isMore = found.length > limit && last !== undefined
  return { hits, next: isMore ? [last.stage, ...last.position] : null }
}
