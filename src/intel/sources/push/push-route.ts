// What the three push endpoints have in common (design section 9 and 10): media types, limits, one
// serial a call, the answer.

import type { Readable } from 'node:stream'
import { type TSchema, Type } from 'typebox'
import type { Intel } from '../../../app/open-intel.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../../vocabulary/envelope-wire.ts'
import { noteHeard } from '../source-description-store.ts'
import { limitStreams, PUSH_REFUSALS, STREAMED_BODY } from './push-body.ts'
import { ARRAY_ROWS_MAX, type PushForm } from './push-reader.ts'
import { PushResult } from './push-result-wire.ts'
import { readPush } from './read-push.ts'
import type { StagedRows } from './staged-rows.ts'

const NDJSON_BYTES_MAX = 64 * 1_024 * 1_024
// 64 MiB in two minutes is 4.5 Mbit/s: a sensor on a poor line.
const BODY_TIMEOUT_MS = 120_000
// A streamed push takes up to about 60 MB while it is read; this many may be at once in one thread.
const STREAMS_MAX = 4

// Whoever pushes a few rows finds them with the next look-up here. Whoever pushes many sends the
// next part meanwhile: reading them back takes as long as keeping them did.
const SEEN_AT_ONCE_MAX = 1_000

export interface PushDefinition {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly row: TSchema
  readonly form: PushForm
  /** Keeps the rows; true when that changed anything. */
  readonly push: (staged: StagedRows) => Promise<boolean>
}

export function pushRoute(intel: Intel, definition: PushDefinition): Route {
  const takeBody = limitStreams(STREAMS_MAX)
  return defineRoute({
    method: 'POST',
    path: definition.path,
    group: 'intel',
    access: { kind: 'scope', scope: 'intel:write' },
    operationId: definition.operationId,
    summary: definition.summary,
    description:
      'A JSON array of up to 10,000 rows (8 MiB), or NDJSON of up to 64 MiB. Rows are independent; all that are accepted are durable, and one change, before the answer. A repeated push changes nothing. 400 only when the body cannot be read; then nothing was kept.',
    body: Type.Array(definition.row, { maxItems: ARRAY_ROWS_MAX }),
    ...STREAMED_BODY,
    bodyLimit: NDJSON_BYTES_MAX,
    bodyTimeoutMs: BODY_TIMEOUT_MS,
    responses: {
      200: { description: 'What was taken and what was not.', schema: successOf(PushResult) },
      ...PUSH_REFUSALS,
      403: { description: 'The token lacks intel:write.', schema: FailureEnvelope },
    },
    async handle({ body }) {
      const result = await takeBody(body, (sent) => takePush(intel, definition, sent))
      return { status: 200, json: { status: 'success', statusCode: 200, result } }
    },
  })
}

async function takePush(
  intel: Intel,
  definition: PushDefinition,
  body: Buffer | Readable,
): Promise<PushResult> {
  const { accepted, rejected, staged } = await readPush(intel, body, definition.form)
  const hasChanged = accepted > 0 && (await definition.push(staged))
  // Told to people only, so trouble with it is no failure of the push.
  if (accepted > 0) {
    await noteHeard(intel.foundation.database.kysely, staged.sources).catch(() => undefined)
  }
  if (hasChanged) {
    // The rows are durable: trouble with reading them back is no failure of the push, and the poll
    // tries again.
    const seen = intel.index.seeSoon(accepted).catch(() => undefined)
    if (accepted <= SEEN_AT_ONCE_MAX) await seen
  }
  return { accepted, rejected }
}
