// What an enricher says about an item. Found, absent, off and failed never blur: only a failure
// makes an answer partial (design 4.4).

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
   * The outcome if memory holds it, else null: then `ask` has to wait for somebody. Never does any
   * input or output.
   */
  readonly answerNow: (item: Item) => Outcome<Value> | null
  /**
   * Asks. Goes on after the caller stopped waiting, so that the next look-up finds the answer in
   * memory.
   */
  readonly ask: (item: Item) => Promise<Outcome<Value>>
  /** What to say of a question that `ask` has not answered by the deadline. */
  readonly whenLate: () => Outcome<Value>
  readonly close: () => Promise<void>
}
