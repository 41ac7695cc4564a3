// The outcome of an enricher for an item. Found, absent, off and failed are never mixed up: only a
// failure makes an answer partial (design 4.4).

import type { Item } from '../../values/item.ts'
import type { Answer } from '../dns/dns-answer.ts'

/**
 * `off`: not asked, by the settings or because the question has no meaning for this item.
 */
export type Outcome<Value> = Answer<Value> | { readonly kind: 'off' }

export const OFF = { kind: 'off' } as const

/**
 * One part of the enrichment of a look-up. Nothing here throws or rejects: trouble is an outcome.
 */
export interface Enricher<Value> {
  /**
   * The outcome from memory, or null when `ask` has to send a question. Never does input or output.
   */
  readonly answerNow: (item: Item) => Outcome<Value> | null
  /**
   * Sends the question. Continues after the caller has stopped waiting, so that the next look-up
   * finds the answer in the cache.
   */
  readonly ask: (item: Item) => Promise<Outcome<Value>>
  /** The outcome of a question that `ask` has not answered by the deadline. */
  readonly whenLate: () => Outcome<Value>
  readonly close: () => Promise<void>
}
