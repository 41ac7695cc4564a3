// The item that a caller asks about, as it stands or refanged.

import { type Item, parseItem } from '../../values/item.ts'
import { parseWrappedItem } from '../../values/wrapped-item.ts'
import { itemNotReadable } from '../errors.ts'

/** Throws INTEL_ITEM_NOT_READABLE, which names the item that was probably meant. */
export function requireItem(text: string, mayRefang: boolean): Item {
  const item = parseItem(text)
  if (item !== null) return item
  const meant = parseWrappedItem(text)
  if (mayRefang && meant !== null) return meant
  throw itemNotReadable(meant?.text ?? null)
}

/** Ends the sentence about a text that is no item; empty when it names none refanged either. */
export function explainRefang(text: string): string {
  const meant = parseWrappedItem(text)
  return meant === null ? '' : `; with ?refang=true it is read as ${meant.text}`
}
