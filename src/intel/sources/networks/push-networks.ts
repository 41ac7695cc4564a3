// POST /beta/networks: adds own address ranges to a source of kind network, or takes some off (an
// addition, see docs/interface-gaps/sources.md).

import { Type } from 'typebox'
import type { Database } from '../../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../../vocabulary/envelope-wire.ts'
import { limitStreams, PUSH_REFUSALS, STREAMED_BODY } from '../push/push-body.ts'
import { ARRAY_ROWS_MAX } from '../push/push-reader.ts'
import { NetworkRowBody, PushResult } from '../push/push-wire.ts'
import type { ReadPushBody } from '../push/read-push.ts'
import { noteHeard } from '../source-store.ts'
import { pushNetworks } from './network-store.ts'

// About 100,000 rows, which is all that there may be.
const NDJSON_BYTES_MAX = 16 * 1_024 * 1_024
const BODY_TIMEOUT_MS = 120_000
const STREAMS_MAX = 1

export interface PushNetworksDeps {
  readonly database: Pick<Database, 'kysely' | 'pool'>
  readonly readPush: ReadPushBody
  /** Reads the own networks anew. */
  readonly refreshNetworks: () => Promise<void>
}

export function pushNetworksRoute({
  database,
  readPush,
  refreshNetworks,
}: PushNetworksDeps): Route {
  const limited = limitStreams(STREAMS_MAX)
  return defineRoute({
    method: 'POST',
    path: '/beta/networks',
    group: 'intel',
    access: { kind: 'scope', scope: 'sources:manage' },
    operationId: 'pushNetworks',
    summary: 'Push your networks',
    description:
      'A JSON array of up to 10,000 rows (8 MiB), or NDJSON of up to 16 MiB: the ranges that you run. GET /beta/networks/known lists what is known inside them. Rows are independent; a repeated push changes nothing.',
    body: Type.Array(NetworkRowBody, { maxItems: ARRAY_ROWS_MAX }),
    ...STREAMED_BODY,
    bodyLimit: NDJSON_BYTES_MAX,
    bodyTimeoutMs: BODY_TIMEOUT_MS,
    responses: {
      200: { description: 'The accepted and rejected rows.', schema: successOf(PushResult) },
      ...PUSH_REFUSALS,
      403: { description: 'The token lacks sources:manage.', schema: FailureEnvelope },
      409: { description: 'There would be too many own ranges.', schema: FailureEnvelope },
    },
    async handle({ body }) {
      const result = await limited(body, async (sent) => {
        const form = { kind: 'statements', table: 'network' } as const
        const { accepted, rejected, staged } = await readPush(sent, form)
        if (accepted > 0) {
          await pushNetworks(database, staged)
          await noteHeard(database.kysely, staged.sources).catch(() => undefined)
          // The rows are durable. When reading them back fails, the next poll reads them.
          await refreshNetworks().catch(() => undefined)
        }
        return { accepted, rejected }
      })
      return { status: 200, json: { status: 'success', statusCode: 200, result } }
    },
  })
}
