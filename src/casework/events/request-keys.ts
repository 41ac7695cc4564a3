// The Idempotency-Key of pushed events: one request a key for 24 hours.

import type { Tx } from '../../kernel/db/database.ts'
import { takeAnswerKeys } from '../../kernel/db/idempotency-store.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { IncomingEvent, RefusedEvent } from './incoming-event.ts'

const KEY_REUSED: RefusedEvent = { kind: 'key_reused' }

/**
 * Reserves the keys of the requests (Idempotency-Key), two statements for all of the batch, and
 * none for events without one. Gives the events whose key was used for another request.
 */
export async function findReusedKeys(
  tx: Tx,
  scope: TenantScope,
  incoming: readonly IncomingEvent[],
): Promise<ReadonlyMap<IncomingEvent, RefusedEvent>> {
  const keyed = incoming.flatMap((one) =>
    one.requestKey === undefined ? [] : [{ one, requestKey: one.requestKey }],
  )
  if (keyed.length === 0) return new Map()
  // The events of one bulk push share their key.
  const keys = [...new Set(keyed.map(({ requestKey }) => requestKey))]
  const taken = await takeAnswerKeys(tx, scope, keys)
  const reused = new Set(keys.filter((_key, at) => taken[at]?.kind === 'other'))
  return new Map(
    keyed.flatMap(({ one, requestKey }) => (reused.has(requestKey) ? [[one, KEY_REUSED]] : [])),
  )
}
