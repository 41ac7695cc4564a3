// The columns by which facts are read from their tables, in few queries (fact-store.ts) or as
// streams (fact-stream.ts).

import { parseSubject, type Subject } from '../../values/range.ts'

// Whole seconds, as the snapshot keeps them. An expiry is rounded up: nothing ends before its time.
const SEEN_SECONDS = `floor(date_part('epoch', first_seen)) as first_seconds, floor(date_part('epoch', last_seen)) as last_seconds`
const EXPIRES_SECONDS = `coalesce(ceil(date_part('epoch', expires_at)), 0) as expires_seconds`
export const STATEMENT_COLUMNS = `subject, ${SEEN_SECONDS}, ${EXPIRES_SECONDS}, fact.name, source.name as source`
// All observations of one origin are one fact; the key of the table gives them in this order.
export const SIGHTING_COLUMNS = `subject,
  floor(date_part('epoch', min(first_seen))) as first_seconds,
  floor(date_part('epoch', max(last_seen))) as last_seconds,
  sum(count)::bigint as count, source.kind, service, type, source.name as source`
export const SIGHTING_GROUP = `subject, source_id, service, type, source.kind, source.name`
/** Where the facts of a table are read from; further conditions may follow. */
export const FROM = {
  listing: `from listing fact join intel_source source on source.id = source_id where is_active`,
  allowance: `from allowance fact join intel_source source on source.id = source_id where is_active`,
  tagging: `from tagging fact join intel_source source on source.id = source_id where is_active`,
  sighting: `from sighting fact join intel_source source on source.id = source_id where true`,
} as const

/** The time and the options of a snapshot that is built. */
export interface BuildTime {
  readonly builtAtMs: number
  readonly lookBackSeconds: number
  /** Start value of the hashes, as in the snapshot that the result lies over or replaces. */
  readonly seed?: number
}

/** A subject as it is stored. */
export function parseStored(text: string): Subject {
  const parsed = parseSubject(text)
  // Only canonical subjects are written; anything else was put there by hand.
  if (parsed.kind === 'refused') throw new Error(`the subject ${text} in the database is none`)
  return parsed.subject
}
