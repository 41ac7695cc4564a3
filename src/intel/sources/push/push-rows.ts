// POST /beta/sightings, /beta/listings, /beta/allowances and /beta/taggings (design sections 9 and
// 10). A call is one change of one kind of rows, with one serial. Allowances are an addition, see
// docs/interface-gaps.md.

import type { Readable } from 'node:stream'
import { type TSchema, Type } from 'typebox'
import type { Database } from '../../../kernel/db/database.ts'
import { answerSuccess } from '../../../kernel/http/answer-success.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../../vocabulary/envelope-wire.ts'
import type { FactTable } from '../../facts/source-kinds.ts'
import type { IntelIndex } from '../../index/intel-index.ts'
import { noteHeard } from '../source-store.ts'
import { limitStreams, PUSH_REFUSALS, STREAMED_BODY } from './push-body.ts'
import { ARRAY_ROWS_MAX, type PushForm } from './push-reader.ts'
import { pushStagedSightings, pushStagedStatements } from './push-store.ts'
import { ListingRowBody, PushResult, SightingRowBody, TaggingRowBody } from './push-wire.ts'
import type { ReadPushBody } from './read-push.ts'
import type { StagedRows } from './staged-rows.ts'

const NDJSON_BYTES_MAX = 64 * 1_024 * 1_024
// 64 MiB in two minutes is 4.5 Mbit/s: a sensor on a poor line.
const BODY_TIMEOUT_MS = 120_000
// Reading a streamed push takes up to about 60 MB; one thread reads this many at once.
const STREAMS_MAX = 4

// After a small push the next look-up on this node sees the rows. The answer to a large push does
// not wait for that: reading the rows back takes as long as storing them, and the client sends its
// next part meanwhile.
const SEEN_AT_ONCE_MAX = 1_000

interface PushEndpoint {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly row: TSchema
  readonly table: FactTable
}

const ENDPOINTS: readonly PushEndpoint[] = [
  {
    path: '/beta/sightings',
    operationId: 'pushSightings',
    summary: 'Push sightings',
    row: SightingRowBody,
    table: 'sighting',
  },
  {
    path: '/beta/listings',
    operationId: 'pushListings',
    summary: 'Push listings',
    row: ListingRowBody,
    table: 'listing',
  },
  {
    path: '/beta/allowances',
    operationId: 'pushAllowances',
    summary: 'Push allowances',
    row: ListingRowBody,
    table: 'allowance',
  },
  {
    path: '/beta/taggings',
    operationId: 'pushTaggings',
    summary: 'Push taggings',
    row: TaggingRowBody,
    table: 'tagging',
  },
]

export interface PushRoutesDeps {
  readonly database: Pick<Database, 'kysely' | 'pool'>
  readonly index: IntelIndex
  readonly readPush: ReadPushBody
}

export function pushRoutes(deps: PushRoutesDeps): readonly Route[] {
  return ENDPOINTS.map((endpoint) => pushRoute(deps, endpoint))
}

function pushRoute(deps: PushRoutesDeps, endpoint: PushEndpoint): Route {
  const limited = limitStreams(STREAMS_MAX)
  return defineRoute({
    method: 'POST',
    path: endpoint.path,
    group: 'intel',
    access: { kind: 'scope', scope: 'intel:write' },
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description:
      'A JSON array of up to 10,000 rows (8 MiB), or NDJSON of up to 64 MiB. Rows are independent. All accepted rows are durable before the answer, as one change. A repeated push changes nothing. 400 only when the body cannot be read; then no row is stored.',
    body: Type.Array(endpoint.row, { maxItems: ARRAY_ROWS_MAX }),
    ...STREAMED_BODY,
    bodyLimit: NDJSON_BYTES_MAX,
    bodyTimeoutMs: BODY_TIMEOUT_MS,
    responses: {
      200: { description: 'The accepted and rejected rows.', schema: successOf(PushResult) },
      ...PUSH_REFUSALS,
      403: { description: 'The token lacks intel:write.', schema: FailureEnvelope },
    },
    async handle({ body }) {
      const result = await limited(body, (sent) => pushBody(deps, endpoint.table, sent))
      return answerSuccess(result)
    },
  })
}

async function pushBody(
  deps: PushRoutesDeps,
  table: FactTable,
  body: Buffer | Readable,
): Promise<PushResult> {
  const { database, index, readPush } = deps
  const { accepted, rejected, staged } = await readPush(body, formOf(table))
  const hasChanged = accepted > 0 && (await storeRows(deps, table, staged))
  // Only people read when a source was last heard of, so trouble here does not fail the push.
  if (accepted > 0) await noteHeard(database.kysely, staged.sources).catch(() => undefined)
  if (hasChanged) {
    // The rows are durable. When reading them back fails, the push has still succeeded and the next
    // poll reads them.
    const seen = index.seeSoon(accepted).catch(() => undefined)
    if (accepted <= SEEN_AT_ONCE_MAX) await seen
  }
  return { accepted, rejected }
}

function formOf(table: FactTable): PushForm {
  return table === 'sighting' ? { kind: 'sightings' } : { kind: 'statements', table }
}

/** Stores the rows; true when that changed anything. */
async function storeRows(
  { database, index }: PushRoutesDeps,
  table: FactTable,
  staged: StagedRows,
): Promise<boolean> {
  return table === 'sighting'
    ? await pushStagedSightings(database, staged, index.freshPushes)
    : await pushStagedStatements(database, table, staged, index.freshPushes)
}
