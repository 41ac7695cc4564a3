// Recognises labels that name people instead of machines. `Our customers: 192.0.2.1` is a target.
// `Our customers are being phished at …` describes the abuse, and its location follows.

import { sourceOf } from '../../words/compile-words.ts'
import type { FoundLabel } from '../occurrences/find-label.ts'

const WRITTEN = { text: 'as written' } as const

const PEOPLE = sourceOf('people', WRITTEN)
const BEFELL = sourceOf('people.suffer', WRITTEN)
const SAID_OF_PEOPLE = new RegExp(
  `^(?:\\p{L}{1,12} )?\\p{L}{0,12}${PEOPLE}\\p{L}{0,6} {1,3}${BEFELL}(?!\\p{L})`,
  'iu',
)

// `Our sinkhole saw your host 192.0.2.1`: what stands nearer to the address is whose it is.
const SEEN_YOURS = new RegExp(
  `^${sourceOf('whose.ours', WRITTEN)} [\\p{L}\\d -]{2,60} ${sourceOf('whose.yours', WRITTEN)} ${sourceOf('whose.machine', WRITTEN)}$`,
  'iu',
)

/**
 * True when a verb after the label says what happened to people; false for each label of a machine.
 */
export function isSufferer({ label, at }: FoundLabel, text: string): boolean {
  if (label !== 'target') return false
  return SAID_OF_PEOPLE.test(text.slice(at, at + 80)) || SEEN_YOURS.test(text.slice(at).trimEnd())
}
