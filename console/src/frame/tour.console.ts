// Proves the tour, what the first page loads, and that the frame speaks through its catalogues.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { lookOverState, moveTo, until, withConsole } from '../../../test/console/console-kit.ts'
import { PREFERENCES } from '../../../test/console/windows.ts'

const kit = withConsole()

async function openTour(): Promise<Page> {
  const { page } = await kit.signIn('instance-admin')
  await page.evaluate(`localStorage.setItem('${PREFERENCES}', '{"tour":"open"}')`)
  await page.reload()
  await page.getByRole('heading', { name: 'Look up anything' }).waitFor()
  return page
}

test('the tour goes by the keyboard, covers nothing that it explains, and stays closed', async () => {
  const page = await openTour()
  await lookOverState(page, 'tour')
  await until('the ring is around the box', async () =>
    isDeepStrictEqual(await page.evaluate(RING_GAP), [4, 4]),
  )
  const titles = ['Look up anything', 'Work cases', 'Let playbooks do the rest']
  for (const title of [...titles, 'Keep your hands on the keys', 'Make your account safe']) {
    const card = page.getByRole('region', { name: title })
    await card.and(page.locator(':focus')).waitFor()
    await until(`the card of ${title} lies beside`, async () => !(await page.evaluate(OVERLAP)))
    await page.keyboard.press('ArrowRight')
  }
  await page.getByRole('button', { name: 'Done' }).click()
  await page.reload()
  await page.getByRole('combobox', { name: 'Search' }).waitFor()
  assert.equal(await page.getByText('Step 1 of 5').count(), 0)
})

// How far the ring stands from the box of the first step, at the left and the top.
const RING_GAP = `(() => {
  const [box, ring] = ['.start [role="search"]', '.tour-ring'].map((one) => document.querySelector(one).getBoundingClientRect())
  return [Math.round(box.left - ring.left), Math.round(box.top - ring.top)]
})()`

// Whether the card and the ring around what it explains lie over one another.
const OVERLAP = `(() => {
  const [card, ring] = ['.tour', '.tour-ring'].map((one) => document.querySelector(one).getBoundingClientRect())
  return card.left < ring.right && ring.left < card.right && card.top < ring.bottom && ring.top < card.bottom
})()`

test('the tour is skipped by Escape, and comes back from the help', async () => {
  const page = await openTour()
  const card = page.getByRole('region', { name: 'Look up anything' })
  await card.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Step 1 of 5').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await page.getByRole('button', { name: 'Take the tour' }).click()
  await page.getByText('Step 1 of 5').waitFor()
  await page.setViewportSize({ width: 390, height: 900 })
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('region', { name: 'Work cases' }).waitFor()
  await until('the card lies beside', async () => !(await page.evaluate(OVERLAP)))
})

// Budget of issue 20, in bytes.
const FIRST_LOAD_MAX = 250_000

test('the first page loads at most 250 kB of scripts', async () => {
  const { page } = await kit.signIn('instance-admin', '/account')
  const sizes = new Map<string, Promise<number>>()
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    sizes.set(
      response.url(),
      response.body().then((body) => gzipSync(body).length),
    )
  })
  await page.goto('/')
  await page.getByRole('combobox', { name: 'Search' }).waitFor()
  const loaded = await Promise.all(sizes.values())
  const sum = loaded.reduce((one, other) => one + other, 0)
  assert.ok(loaded.length > 1, 'scripts were seen')
  assert.ok(sum <= FIRST_LOAD_MAX, `${sum} bytes: ${[...sizes.keys()].join(' ')}`)
})

test('in German each word of the bottom bar is whole in a narrow window', async () => {
  const { page } = await kit.signIn('instance-admin')
  await page.evaluate(`localStorage.setItem('${PREFERENCES}', '{"tour":"done","language":"de"}')`)
  await page.setViewportSize({ width: 390, height: 900 })
  await page.reload()
  const words = page.locator('.bottom-link > span')
  await words.getByText('Nachschlagen').waitFor()
  const cut = await page.evaluate<readonly string[]>(
    `[...document.querySelectorAll('.bottom-link > span')]
      .filter((one) => one.scrollWidth > one.clientWidth)
      .map((one) => one.textContent)`,
  )
  assert.deepEqual(cut, [])
})

// The letters that the pseudo-locale changes; it leaves a plain one to names and data only.
const PLAIN = `(() => {
  const found = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const shown = node.parentElement?.checkVisibility() && !node.parentElement.closest('style, script, kbd, .mono, time, [data-is-data]')
    if (shown && /[aceinouy]{1}/i.test(node.textContent) && !/^\\[.*\\]$/.test(node.textContent.trim())) found.push(node.textContent.trim())
  }
  return found
})()`

test('in the pseudo-locale frame and account say nothing of their own, and nothing is cut', async () => {
  const { page, person } = await kit.signIn('viewer')
  await page.setViewportSize({ width: 390, height: 900 })
  await page.goto('/?locale=pseudo')
  for (const tab of ['sessions', 'security', 'display']) {
    await moveTo(page, `/account?tab=${tab}`)
    await page.getByRole('tabpanel').getByText('[').first().waitFor()
    const texts = await page.evaluate<readonly string[]>(PLAIN)
    const own = texts.filter((text) => !NAMES.test(text) && !text.includes(person.email))
    assert.deepEqual(own, [], tab)
    const extra = await page.evaluate(
      'document.querySelector("#main").scrollWidth - window.innerWidth',
    )
    assert.ok(Number(extra) <= 0, `${tab} is ${String(extra)} px too wide`)
  }
})

// Names of people, browsers, tenants, languages, and times of the browser.
const NAMES =
  /^(?:Person \d+ · .*|Chrome .*|HeadlessChrome.*|lightMyRequest|Unknown|default|English|Deutsch|UTC|P\d+|· .*|.*\d+ (?:second|minute|hour|day|month)s?.*|now|\W*)$/
