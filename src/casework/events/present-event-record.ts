// The record of one event (interface 2.7), and how often it came for those who ask.

import type { Db } from '../../kernel/db/database.ts'
import type { EventRow } from './event-list-store.ts'
import { findRepeats } from './fingerprint-store.ts'
import { presentEvent, presentRepeats } from './present-event.ts'

export async function presentEventRecord(
  db: Db,
  event: EventRow,
  query: { readonly repeats?: boolean },
): Promise<Record<string, unknown>> {
  const record = presentEvent(event)
  if (query.repeats !== true) return record
  const repeats = await findRepeats(db, { tenantId: event.tenant_id }, event.event_id)
  return repeats === null ? record : { ...record, ...presentRepeats(repeats) }
}
