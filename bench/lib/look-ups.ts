// Look-ups and quick checks of a made-up intel set, as requests of a load and one by one.

import { setTimeout as delay } from 'node:timers/promises'
import { generateQuestions } from './intel-set.ts'
import { buildRequest } from './load.ts'

/** The items of one quick check. */
export const ITEMS_A_CHECK = 1_000

const SEEN_TIMEOUT_MS = 30_000

/** `count` requests of look-ups, half of them for items of the set. */
export function buildLookups(items: readonly string[], count: number, seed: number): Buffer[] {
  return generateQuestions(items, count, seed).map((item) => buildRequest('GET', pathOf(item)))
}

/** `count` requests of quick checks of 1,000 items each, half of them of the set. */
export function buildChecks(items: readonly string[], count: number, seed: number): Buffer[] {
  return Array.from({ length: count }, (_, index) =>
    buildRequest(
      'POST',
      '/beta/quick-check',
      { 'content-type': 'application/json' },
      JSON.stringify(generateQuestions(items, ITEMS_A_CHECK, seed + index)),
    ),
  )
}

/** How long the answers to look-ups are on average, in characters. */
export async function measureAnswerLength(
  port: number,
  items: readonly string[],
  seed: number,
): Promise<number> {
  const questions = generateQuestions(items, 200, seed)
  let total = 0
  for (const item of questions) total += (await lookUp(port, item)).length
  return Math.round(total / questions.length)
}

export interface ListedWait {
  /** Since `performance.now()` was this; since the call when left out. */
  readonly sinceMs?: number
  /** Between two questions. */
  readonly pauseMs: number
  /** Half a minute when left out. */
  readonly timeoutMs?: number
  /** Asks by a new connection each time. */
  readonly hasFreshConnections?: boolean
}

/**
 * Milliseconds until a look-up says that the item is listed. A look-up that fails is repeated, as
 * on a busy machine a connection may break. Throws when the time is over.
 */
export async function waitUntilListed(
  port: number,
  item: string,
  wait: ListedWait,
): Promise<number> {
  const { sinceMs = performance.now(), timeoutMs = SEEN_TIMEOUT_MS } = wait
  let cause: unknown = null
  while (performance.now() - sinceMs < timeoutMs) {
    try {
      const text = await lookUp(port, item, wait.hasFreshConnections)
      if (text.includes('"ACTIVE"')) return performance.now() - sinceMs
    } catch (error) {
      cause = error
    }
    // Asking without a pause would take the processor that the server needs to show it.
    await delay(wait.pauseMs)
  }
  throw new Error(`${item} was not listed at port ${port} within ${timeoutMs} ms`, { cause })
}

async function lookUp(port: number, item: string, isFresh = false): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${pathOf(item)}`, {
    ...(isFresh ? { headers: { connection: 'close' } } : {}),
    signal: AbortSignal.timeout(SEEN_TIMEOUT_MS),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`the look-up of ${item} was answered ${answer.status}: ${text}`)
  return text
}

function pathOf(item: string): string {
  return `/beta/query/${encodeURIComponent(item)}`
}
