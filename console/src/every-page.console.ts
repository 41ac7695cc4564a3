// Proves of every page of the menu that its filters stand in its URL and come back from it, that no
// text of a URL stops it, that `?` lists its keys, and that longer words fit a narrow window.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  assertNothingRan,
  EVIL_TEXTS,
  moveTo,
  withConsole,
} from '../../test/console/console-kit.ts'
import { pressKey } from '../../test/console/keyboard.ts'

const kit = withConsole()
const TENANT = 'every-page'

/** Each with all of its filters, as it writes them itself. */
const PAGES = [
  '/search?q=mail&kind=case',
  '/check?intent=malicious&intent=suspicious',
  '/tags?q=scan&intent=malicious',
  '/overview?range=7d',
  '/cases?sort=created_at&hide=tags&view=none&state=NEW&state=CLOSED&severity=high&waiting=agent&group=none&assignee=me&customer=c-1&item=198.51.100.7&reporter=a%40example.org&type=Phishing&tag=seen&text=words&due=24h&created=2026-11-01..2026-11-20',
  '/events?tab=unassigned&cause=no_match&event_type=Spam&item=198.51.100.7&sender_email=a%40example.org&customer_id=c-1&text=words&at=24h',
  '/reports?tab=quarantined&format=text&via=smtp&reporter=a%40example.org&received=24h&text=words&corrected=yes',
  '/customers?text=hotel',
  '/rules?tab=mute&ended=shown',
  '/playbooks',
  '/runs?show=failed',
  '/notices?state=failed&party=customer&recipient=a%40example.org',
  '/sources?state=failed&kind=blocklist',
  '/account?tab=display',
] as const

let made: Promise<unknown> | null = null

async function signIn(path: string): Promise<Page> {
  made ??= kit.app.createTenant(TENANT)
  await made
  const { page } = await kit.signIn('instance-admin', path, TENANT)
  return page
}

/** The page with its title, and no fault of its own. */
async function waitForPage(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('[aria-busy=true], .loading').first().waitFor({ state: 'detached' })
  assert.equal(await page.getByText('The page has a fault').count(), 0, page.url())
}

/** Names with their values, in any order. */
function readParams(url: string): readonly string[] {
  return [...new URL(url, kit.url).searchParams].map((pair) => pair.join('=')).toSorted()
}

test('the filters of each page come back from its URL, where ? lists its keys', async () => {
  const page = await signIn('/')
  for (const path of PAGES) {
    await moveTo(page, path)
    await waitForPage(page)
    assert.deepEqual(readParams(page.url()), readParams(path), path)
    await page.reload()
    await waitForPage(page)
    assert.deepEqual(readParams(page.url()), readParams(path), path)
    await page.locator('h1').click()
    await pressKey(page, '?')
    const map = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await map.getByText('Command palette').waitFor()
    await page.keyboard.press('Escape')
    await map.waitFor({ state: 'hidden' })
  }
})

test('no text of a URL stops a page, and none runs', async () => {
  const page = await signIn('/overview?range=custom&from=2026-13-45&to=2026-02-31')
  await waitForPage(page)
  for (const path of PAGES) {
    const evil = new URL(path, kit.url)
    for (const name of new Set(evil.searchParams.keys())) {
      evil.searchParams.set(name, EVIL_TEXTS[0])
    }
    for (const name of ['open', 'tab', 'received', 'at', 'created']) {
      evil.searchParams.append(name, '2026-13-45..2026-02-31')
    }
    await moveTo(page, evil.pathname + evil.search)
    await waitForPage(page)
    await assertNothingRan(page)
  }
})

test('each page has its words from the catalogue, and longer ones fit a narrow window', async () => {
  const page = await signIn('/')
  await page.setViewportSize({ width: 390, height: 900 })
  await page.goto('/account?locale=pseudo')
  const faults: string[] = []
  for (const path of PAGES) {
    const [plain = path] = path.split('?')
    await moveTo(page, plain)
    await waitForPage(page)
    const title = await page.locator('h1').innerText()
    if (!/^\[.*\]$/.test(title)) faults.push(`${plain} is called ${title}`)
    const extra = await page.evaluate(
      'document.querySelector("#main").scrollWidth - window.innerWidth',
    )
    if (Number(extra) > 0) faults.push(`${plain} is ${String(extra)} px too wide`)
  }
  assert.deepEqual(faults, [])
})
