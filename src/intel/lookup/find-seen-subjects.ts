// Which subjects have the sightings of an item: the item with what covers it, as in a look-up, or
// the sighted addresses inside a range. Read from memory.

import type { Item } from '../../values/item.ts'
import { type Range, subjectOfRange } from '../../values/range.ts'
import type { IntelView } from '../snapshot/intel-view.ts'
import { FACT_SIGHTING, FACT_WORDS, factKindOf } from '../snapshot/record.ts'
import { type AddressKey, rangeOfKey, scanRange } from '../snapshot/scan-range.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'

/** Only sightings that were last seen from this second on matter. */
export interface SeenSince {
  readonly seconds: number
}

/** The item and what covers it, by canonical text. */
export function subjectsOfItem(view: IntelView, item: Item): readonly string[] {
  const covering = view.lookup(item).sightings.map(({ subject }) => subject)
  return [...new Set([item.text, ...covering])]
}

export interface SeenInRange {
  readonly subjects: readonly string[]
  /** False when there are more of them than `subjectsMax`. */
  readonly isComplete: boolean
}

/** Serves other requests between slices of the work. */
export async function seenInRange(
  view: IntelView,
  range: Range,
  since: SeenSince,
  subjectsMax: number,
): Promise<SeenInRange> {
  const keys: AddressKey[] = []
  let isComplete = true
  await scanRange([...view.overlay, view.snapshot], range, (snapshot, record, key) => {
    if (!isSighted(snapshot, record, since)) return
    if (keys.length < subjectsMax) keys.push(key)
    else isComplete = false
  })
  return { subjects: keys.map((key) => subjectOfRange(rangeOfKey(key)).text), isComplete }
}

function isSighted({ records }: Snapshot, record: number, since: SeenSince): boolean {
  const end = record + 1 + (records[record] ?? 0) * FACT_WORDS
  for (let fact = record + 1; fact < end; fact += FACT_WORDS) {
    const isSighting = factKindOf(records[fact] ?? 0) === FACT_SIGHTING
    if (isSighting && (records[fact + 2] ?? 0) >= since.seconds) return true
  }
  return false
}
