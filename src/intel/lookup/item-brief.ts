// What intel knows of an item, in brief and from memory: for conditions of rules, and for whoever
// shows an item beside a case. It asks neither the database nor the network.

import type { Clock } from '../../kernel/clock.ts'
import { parseItem } from '../../values/item.ts'
import { classify } from '../facts/classify-item.ts'
import type { Intent } from '../facts/intent.ts'
import type { IntelIndex } from '../index/intel-index.ts'

export interface ItemBrief {
  /** On a mail blocklist, and on no allow-list. */
  readonly listed: boolean
  readonly intent: Intent
  /** Names of its live tags, sorted, each once. */
  readonly tags: readonly string[]
  /** The item itself was sighted within the look-back. */
  readonly activity: boolean
  /** Over everything known; null when nothing is. */
  readonly firstSeenSeconds: number | null
  readonly lastSeenSeconds: number | null
}

/** Never throws: an unknown item, and a text that is none, have the empty brief. */
export type BriefItem = (text: string) => ItemBrief

export const EMPTY_BRIEF: ItemBrief = Object.freeze({
  listed: false,
  intent: 'unknown',
  tags: Object.freeze([]),
  activity: false,
  firstSeenSeconds: null,
  lastSeenSeconds: null,
})

export interface BriefItemDeps {
  readonly index: Pick<IntelIndex, 'view'>
  readonly clock: Clock
}

/** The answer is of this moment, and the same that a look-up would give. */
export function createBriefItem({ index, clock }: BriefItemDeps): BriefItem {
  return (text) => {
    const item = parseItem(text)
    if (item === null) return EMPTY_BRIEF
    const view = index.view()
    const { serviceMailBlocklist, intent, tags, activity, firstSeenSeconds, lastSeenSeconds } =
      classify(view.lookup(item), view.policy, clock.nowMs())
    return {
      listed: serviceMailBlocklist === 'ACTIVE',
      intent,
      tags,
      activity,
      firstSeenSeconds: firstSeenSeconds ?? null,
      lastSeenSeconds: lastSeenSeconds ?? null,
    }
  }
}
