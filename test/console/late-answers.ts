// Answers that come late, as over a slow line: what a person does until then must not count for
// something else, and an old answer must not take the place of a newer one.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

export interface HeldAnswers {
  /** The server has answered a request; the page does not know yet. */
  readonly isAnswered: Promise<void>
  /** How many requests were sent so far. */
  readonly countSent: () => number
  readonly release: () => void
}

/** Keeps the answers to these requests back until they are released; to all methods, or to one. */
export async function holdAnswers(
  page: Page,
  which: string | RegExp,
  method?: string,
): Promise<HeldAnswers> {
  const released = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  let sent = 0
  await page.route(which, async (route) => {
    const isHeld = method === undefined || route.request().method() === method
    if (!isHeld) return await route.fallback()
    sent += 1
    const response = await route.fetch()
    answered.resolve()
    await released.promise
    await route.fulfill({ response })
  })
  return { isAnswered: answered.promise, countSent: () => sent, release: released.resolve }
}

// Each is longer than any answer of the console stays new.
const AWAY_MS = 120_000
const TRIES_MAX = 12
const ANSWER_MS_MAX = 5_000

/**
 * As when somebody comes back to the window after a while: resolves when this URL was asked for
 * again and answered. What was asked for while the clock moves counts as new, so one coming back
 * may ask for nothing.
 */
export async function comeBack(page: Page, url: string | RegExp): Promise<void> {
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    await page.clock.setFixedTime(Date.now() + tries * AWAY_MS)
    const [answer] = await Promise.all([
      page.waitForResponse(url, { timeout: ANSWER_MS_MAX }).catch(() => null),
      page.evaluate("window.dispatchEvent(new Event('visibilitychange'))"),
    ])
    if (answer !== null) {
      await answer.finished()
      return
    }
  }
  assert.fail(`${String(url)} is not asked for again`)
}
