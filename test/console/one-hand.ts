// Walks of a page by one hand: by the keyboard alone, or by the mouse with text typed into fields.
// The page itself counts what the other hand does.

import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

export const HANDS = ['mouse', 'keyboard'] as const
export type Hand = (typeof HANDS)[number]

// More stops than any page has before what a test looks for.
const STOPS_MAX = 120

// In the storage of the tab, in case the page is loaded anew.
const COUNT = `(() => {
  if (window.handsAreCounted) return
  window.handsAreCounted = true
  const add = (name) => sessionStorage.setItem(name, Number(sessionStorage.getItem(name) ?? 0) + 1)
  addEventListener('pointerdown', () => add('mouse'), true)
  addEventListener('keydown', ({ key, target }) => {
    const isField = target instanceof HTMLElement && target.matches('input, textarea, [contenteditable]')
    if (!isField || key.length > 1) add('keyboard')
  }, true)
})()`

/**
 * From now on the page counts, also after it is loaded anew. Not by an init script: a page with one
 * is not gone on with by the next test, and a new one takes seconds.
 */
export async function watchHands(page: Page): Promise<void> {
  page.on('domcontentloaded', () => void page.evaluate(COUNT).catch(() => undefined))
  await page.evaluate(`sessionStorage.clear(); ${COUNT}`)
}

/** Throws when the other hand did anything since `watchHands`. */
export async function assertOneHand(page: Page, hand: Hand): Promise<void> {
  const other = hand === 'mouse' ? 'keyboard' : 'mouse'
  assert.equal(await page.evaluate(`sessionStorage.getItem('${other}')`), null, `the ${other}`)
}

/** Presses Tab until the element has the focus. Throws when it is never reached. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let stop = 0; stop < STOPS_MAX; stop++) {
    if (await hasFocus(page, target)) return
    await page.keyboard.press('Tab')
  }
  assert.fail('Tab does not lead to it')
}

/** Clicks a field and types, for what stood there. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await field.click({ clickCount: 3 })
  await page.keyboard.type(text)
}

export async function hasFocus(page: Page, target: Locator): Promise<boolean> {
  return (await target.and(page.locator(':focus')).count()) > 0
}
