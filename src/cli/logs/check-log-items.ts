// Quick checks for logs: a thousand items a request, and what was answered lately is kept, because
// logs name the same addresses again and again.

import type { ApiClient } from '../api-client.ts'
import { askQuickCheck } from '../check.ts'

/** What is known of an item; items of which the same is known share one. */
export interface Verdict {
  readonly intent: string
  readonly listed: boolean
  readonly active: boolean
}

// Some 100 bytes each: 5 MB.
const KEPT_MAX = 50_000
const ITEMS_A_REQUEST = 1_000

export interface ItemChecker {
  /** Asks about those that are not kept. Its answers may be gone after the next call. */
  readonly check: (items: Iterable<string>) => Promise<ReadonlyMap<string, Verdict>>
}

export function createItemChecker(client: ApiClient): ItemChecker {
  const kept = new Map<string, Verdict>()
  const verdicts = new Map<string, Verdict>()
  return {
    async check(items) {
      const answers = new Map<string, Verdict>()
      const asked: string[] = []
      for (const item of new Set(items)) {
        const known = kept.get(item)
        if (known === undefined) asked.push(item)
        else answers.set(item, known)
      }
      for (let at = 0; at < asked.length; at += ITEMS_A_REQUEST) {
        const part = asked.slice(at, at + ITEMS_A_REQUEST)
        // One after the other, so that the answers of one request are in memory at a time.
        // oxlint-disable-next-line eslint/no-await-in-loop
        const found = await askQuickCheck(client, part)
        for (const [index, answer] of found.entries()) {
          const item = part[index]
          if (item === undefined || answer.type === 'INVALID') continue
          const listed = answer.serviceMailBlocklist === 'ACTIVE'
          const verdict = share(verdicts, answer.intent, listed, answer.activity)
          answers.set(item, verdict)
          kept.set(item, verdict)
        }
      }
      forget(kept)
      return answers
    },
  }
}

function share(
  verdicts: Map<string, Verdict>,
  intent: string,
  listed: boolean,
  active: boolean,
): Verdict {
  const key = `${intent} ${listed} ${active}`
  const known = verdicts.get(key) ?? { intent, listed, active }
  verdicts.set(key, known)
  return known
}

/** The oldest go first: a map keeps the order of its entries. */
function forget(kept: Map<string, unknown>): void {
  for (const item of kept.keys()) {
    if (kept.size <= KEPT_MAX) return
    kept.delete(item)
  }
}
