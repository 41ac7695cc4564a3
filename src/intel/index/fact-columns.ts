// The columns by which facts are read from their tables, in few queries (fact-store.ts) or as
// streams (fact-stream.ts).

import { parseSubject, type Subject } from '../../values/range.ts'
import type { FactTable } from '../facts/source-kinds.ts'

// Whole seconds, as the snapshot keeps them. An expiry is rounded up: nothing ends before its time.
const SEEN_SECONDS = `floor(date_part('epoch', first_seen)) as first_seconds, floor(date_part('epoch', last_seen)) as last_seconds`
const EXPIRES_SECONDS = `coalesce(ceil(date_part('epoch', expires_at)), 0) as expires_seconds`
export const STATEMENT_COLUMNS = `subject, ${SEEN_SECONDS}, ${EXPIRES_SECONDS}, fact.name, source.name as source`
// All observations of one origin are one fact, whatever days they were on.
export const SIGHTING_COLUMNS = `subject,
  floor(date_part('epoch', min(first_seen))) as first_seconds,
  floor(date_part('epoch', max(last_seen))) as last_seconds,
  sum(count)::bigint as count, source.kind, service, type, source.name as source`
export const SIGHTING_GROUP = `subject, source_id, service, type, source.kind, source.name`
const LIVE = `where is_active and (expires_at is null or expires_at > to_timestamp(:expired))`
const FROM = {
  listing: `from listing fact join intel_source source on source.id = source_id ${LIVE}`,
  allowance: `from allowance fact join intel_source source on source.id = source_id ${LIVE}`,
  tagging: `from tagging fact join intel_source source on source.id = source_id ${LIVE}`,
  sighting: `from known_sighting fact join intel_source source on source.id = source_id where true`,
} as const

/**
 * Where the facts of a table are read from; further conditions may follow. Entries whose retention
 * is over are left out.
 */
export function factsOf(table: FactTable, { expiredSeconds = 0 }: BuildTime): string {
  return FROM[table].replace(':expired', String(Math.trunc(expiredSeconds)))
}

/** The time and the options of a snapshot that is built. */
export interface BuildTime {
  readonly builtAtMs: number
  readonly lookBackSeconds: number
  /** Entries that expired at this second or before are left out. */
  readonly expiredSeconds?: number
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
