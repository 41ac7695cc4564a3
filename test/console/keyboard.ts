// Keys of the console as its tests press them. React adds the keys of a page after it has painted
// what the page shows, and a dialog takes the focus after it is shown: on a slow machine a key that
// is pressed at once is lost.

import type { Page } from 'playwright-core'

// A window with nothing left to paint may have no idle time at all (seen in a test of the account
// page). Effects that were due when the wait began have run long before that.
const REST_MS_MAX = 2_000

/** Resolves when the page has nothing to do: all effects of what it shows have run. */
export async function waitForRest(page: Page): Promise<void> {
  await page.evaluate(
    `new Promise((resolve) => requestIdleCallback(resolve, { timeout: ${REST_MS_MAX} }))`,
  )
}

/** Presses a key of the page, such as `j` or `Control+k`, when the page hears it. */
export async function pressKey(page: Page, key: string): Promise<void> {
  await waitForKeys(page, key)
  await page.keyboard.press(key)
}

/** Under a dialog or a menu, also one that is about to close, a page hears keys with Ctrl only. */
async function waitForKeys(page: Page, key: string): Promise<void> {
  const overlays = page.locator('[role="dialog"], [role="menu"]')
  if (!key.includes('+')) await overlays.first().waitFor({ state: 'detached' })
  await waitForRest(page)
}

/**
 * Presses the two keys of a sequence, such as `g c`. The second one does not wait for the page to
 * answer the first one: the page takes them for a sequence for 1.2 s only.
 */
export async function pressKeys(page: Page, first: string, second: string): Promise<void> {
  await waitForKeys(page, first)
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)])
}

/** Presses a key in the dialog that is shown, when it has the focus. */
export async function pressInDialog(page: Page, key: string): Promise<void> {
  await page.getByRole('dialog').locator(':focus').waitFor({ state: 'attached' })
  await waitForRest(page)
  await page.keyboard.press(key)
}
