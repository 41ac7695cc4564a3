// Reads the known contents of a range from memory, all at one serial: counts, and a page of items
// in the order of addresses, each with the classification that a look-up would give.

import { type Range, singleAddress, subjectOfRange } from '../../values/range.ts'
import { type Classification, classify } from '../facts/classify-item.ts'
import type { IntelView } from '../snapshot/intel-view.ts'
import { decodeRecord, emptyFacts } from '../snapshot/record.ts'
import { RecordCounter } from '../snapshot/record-counter.ts'
import {
  type AddressKey,
  coveringRanges,
  findRangeRecord,
  isAddressKey,
  rangeOfKey,
  scanRange,
} from '../snapshot/scan-range.ts'

export interface RangeQuestion {
  readonly range: Range
  /** Only items behind this one; null begins with the first. */
  readonly after: AddressKey | null
  readonly limit: number
}

export interface KnownItem {
  readonly text: string
  readonly classification: Classification
}

export interface KnownInRange {
  readonly counter: RecordCounter
  readonly addresses: number
  readonly ranges: number
  readonly coveredBy: readonly KnownItem[]
  readonly items: readonly KnownItem[]
  readonly hasMore: boolean
}

/** Serves other requests between slices of the work. */
export async function readRangeContents(
  view: IntelView,
  nowMs: number,
  question: RangeQuestion,
): Promise<KnownInRange> {
  const newestFirst = [...view.overlay, view.snapshot]
  const counter = new RecordCounter(view.policy, Math.floor(nowMs / 1_000))
  const page = new FirstKeys(question.limit + 1)
  let ranges = 0
  await scanRange(newestFirst, question.range, (snapshot, record, key) => {
    if (!counter.add(snapshot, record)) return
    if (!isAddressKey(key)) ranges += 1
    if (question.after === null || key > question.after) page.add(key)
  })
  const keys = page.list()
  const describe = (range: Range): KnownItem => ({
    text: subjectOfRange(range).text,
    classification: classifyRange(view, range, nowMs),
  })
  return {
    counter,
    addresses: counter.subjects - ranges,
    ranges,
    coveredBy: coveringRanges(newestFirst, question.range)
      .filter((range) => isKnown(view, range))
      .map(describe),
    items: keys.slice(0, question.limit).map((key) => describe(rangeOfKey(key))),
    hasMore: keys.length > question.limit,
  }
}

function isKnown(view: IntelView, range: Range): boolean {
  const found = findRangeRecord([...view.overlay, view.snapshot], range)
  return found !== null && (found.snapshot.records[found.record] ?? 0) > 0
}

/**
 * An address is classified as by a look-up, a range by its own entries and those of the ranges
 * around it.
 */
export function classifyRange(view: IntelView, range: Range, nowMs: number): Classification {
  const address = singleAddress(range)
  if (address !== null) return classify(view.lookup(address), view.policy, nowMs)
  const newestFirst = [...view.overlay, view.snapshot]
  const facts = emptyFacts()
  for (const holder of [range, ...coveringRanges(newestFirst, range).toReversed()]) {
    const found = findRangeRecord(newestFirst, holder)
    if (found === null) continue
    const { snapshot, record } = found
    const match = { subject: holder.text, isOwn: holder === range }
    decodeRecord(snapshot.records, record, snapshot.origins, match, facts)
  }
  return classify(facts, view.policy, nowMs)
}

/** Finds the lowest of many keys in bounded memory. */
class FirstKeys {
  readonly #max: number
  #keys: AddressKey[] = []

  constructor(max: number) {
    this.#max = max
  }

  add(key: AddressKey): void {
    this.#keys.push(key)
    if (this.#keys.length >= this.#max * 4) this.#keys = this.list()
  }

  list(): AddressKey[] {
    return this.#keys.toSorted((a, b) => (a < b ? -1 : 1)).slice(0, this.#max)
  }
}
