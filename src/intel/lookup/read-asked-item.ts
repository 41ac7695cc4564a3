// The item or range that a caller asks about; an item as it stands or refanged.

import { type Item, parseItem } from '../../values/item.ts'
import {
  IPV4_PREFIX_MIN,
  IPV6_PREFIX_MIN,
  isTooWide,
  parseRange,
  type Range,
} from '../../values/range.ts'
import { parseWrappedItem } from '../../values/wrapped-item.ts'
import { itemNotReadable, rangeNotReadable } from '../errors.ts'

/** Throws INTEL_ITEM_NOT_READABLE, which names the item that was probably meant. */
export function requireItem(text: string, mayRefang: boolean): Item {
  const item = parseItem(text)
  if (item !== null) return item
  const meant = parseWrappedItem(text)
  if (mayRefang && meant !== null) return meant
  throw itemNotReadable(meant?.text ?? null)
}

/** Throws INTEL_RANGE_NOT_READABLE, also for a range that is too wide to ask about. */
export function requireRange(text: string): Range {
  const parsed = parseRange(text)
  if (parsed.kind === 'refused') throw rangeNotReadable(parsed.reason)
  const { range } = parsed
  const bitsMin = range.kind === 'ipv4-range' ? IPV4_PREFIX_MIN : IPV6_PREFIX_MIN
  if (isTooWide(range)) {
    throw rangeNotReadable(`The range is too wide: ask about a /${bitsMin} or a smaller one.`)
  }
  return range
}

/** Ends the sentence about a text that is no item; empty when it names none refanged either. */
export function explainRefang(text: string): string {
  const meant = parseWrappedItem(text)
  return meant === null ? '' : `; with ?refang=true it is read as ${meant.text}`
}
