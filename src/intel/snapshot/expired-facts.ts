// Which entries of a record ran out so long ago that a new snapshot leaves them out. Sightings do
// not expire: their retention is that of the database.

import { FACT_SIGHTING, FACT_WORDS, factKindOf } from './record.ts'

/** Whether the fact at this word is an entry that expired by `expiredSeconds`; 0 means never. */
export function isExpired(records: Uint32Array, fact: number, expiredSeconds: number): boolean {
  if (expiredSeconds === 0) return false
  const expires = records[fact + 3] ?? 0
  return (
    expires !== 0 && expires <= expiredSeconds && factKindOf(records[fact] ?? 0) !== FACT_SIGHTING
  )
}

/** Whether the record has a fact that is not expired. */
export function hasFacts(records: Uint32Array, record: number, expiredSeconds: number): boolean {
  const end = record + 1 + (records[record] ?? 0) * FACT_WORDS
  for (let fact = record + 1; fact < end; fact += FACT_WORDS) {
    if (!isExpired(records, fact, expiredSeconds)) return true
  }
  return false
}

/**
 * How many entries expired by `expiredSeconds`, in the records from word `from` on, until about
 * `factsMax` facts are read; with `countsEmpty` an empty record counts too. `next` is the word to
 * continue at.
 */
export function countExpired(
  records: Uint32Array,
  {
    from,
    factsMax,
    expiredSeconds,
    countsEmpty,
  }: { from: number; factsMax: number; expiredSeconds: number; countsEmpty: boolean },
): { readonly expired: number; readonly next: number } {
  let expired = 0
  let record = from
  for (let facts = 0; record < records.length && facts < factsMax; ) {
    const count = records[record] ?? 0
    if (count === 0 && countsEmpty) expired += 1
    const end = record + 1 + count * FACT_WORDS
    for (let fact = record + 1; fact < end; fact += FACT_WORDS) {
      if (isExpired(records, fact, expiredSeconds)) expired += 1
    }
    facts += count + 1
    record = end
  }
  return { expired, next: record }
}
