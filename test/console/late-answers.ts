// Answers that come late, as over a slow line: what a person does until then must not count for
// something else, and an old answer must not take the place of a newer one.

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
