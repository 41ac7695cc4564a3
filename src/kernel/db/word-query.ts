// Conditions on words and ranges of addresses, written as the indexes of migration 0068 have them:
// the planner uses an index on an expression for exactly that expression only.

import { type RawBuilder, sql } from 'kysely'
import type { AddressSpan } from '../../values/address-span.ts'

/** The words of the texts in the details of an event. */
export const EVENT_WORDS = sql`jsonb_to_tsvector('simple', details, '["string"]')`

/** One letter or two begin half of all words, so they are looked for as they stand. */
const PREFIX_LENGTH_MIN = 3

/**
 * Rows that contain every word, in any order, in upper or lower case; the last word may be the
 * beginning of one. A URL, an address or a domain in the text is one word with its parts.
 */
export function buildWordQuery(text: string): RawBuilder<unknown> {
  const words = text.trim().split(/\s+/)
  const last = words.at(-1) ?? ''
  const whole = sql`plainto_tsquery('simple', ${words.join(' ')})`
  if (last.length < PREFIX_LENGTH_MIN || !/^[\p{L}\p{N}._@-]+$/u.test(last)) return whole
  const before = words.slice(0, -1).join(' ')
  const prefix = sql`to_tsquery('simple', ${`'${last}':*`})`
  return before === ''
    ? sql`(${whole} || ${prefix})`
    : sql`(plainto_tsquery('simple', ${before}) && (plainto_tsquery('simple', ${last}) || ${prefix}))`
}

/**
 * Up to `most` events of any month with these words, as a table of `event_id`, `case_id` and
 * `report_id`: those with a lower id than `after`. Planned once for each connection (migration
 * 0124).
 */
export function listByWords(
  { tenantId }: { readonly tenantId: string },
  query: RawBuilder<unknown>,
  { after = null, most }: { readonly after?: string | null; readonly most: number },
): RawBuilder<unknown> {
  return sql`find_events_by_words(${tenantId}, ${query}, ${after}::uuid, ${most})`
}

/** The column of an address, as `event_case_by_ip` has it. */
const ADDRESS = sql.raw('ip::inet')

export function isAddress(ip: string): RawBuilder<unknown> {
  return sql`${ADDRESS} = ${ip}::inet`
}

/**
 * By comparison instead of `<<=`: such an index stays usable under row security, which runs no
 * other operator before its own condition.
 */
export function isInRange(
  { ranges }: AddressSpan,
  address: RawBuilder<unknown> = ADDRESS,
): RawBuilder<unknown> {
  const [first, last] = [ranges[0]?.text, ranges.at(-1)?.text]
  return sql`${address} >= host(network(${first}::cidr))::inet and ${address} <= host(broadcast(${last}::cidr))::inet`
}

/** The domain and all names below it, which lie side by side in `event_case_by_domain`. */
export function isInSite(domain: string): RawBuilder<unknown> {
  const reversed = sql`reverse(${domain})`
  // A hyphen sorts before the dot: `my-x.example` would lie between `x.example` and `a.x.example`.
  return sql`domain is not null and reverse(domain) >= ${reversed} and reverse(domain) < ${reversed} || '/'
    and (reverse(domain) = ${reversed} or reverse(domain) >= ${reversed} || '.')`
}
