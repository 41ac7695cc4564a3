// Proves what every page of the console promises: the palette finds all kinds of things, motion is
// reduced, times follow the zone, items are copied raw or defanged and lead nowhere outside, and a
// slow answer shows progress.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { checkAxe, moveTo, withConsole } from '../../test/console/console-kit.ts'
import { pressKey, pressKeys } from '../../test/console/keyboard.ts'

const kit = withConsole()
const TENANT = 'quality'
const ADDRESS = '198.51.100.171'
const URL_OF_STRANGER = 'http://quality.example/login'
// 23:30 UTC is the next day in Berlin, where the browser of the tests stands.
const AT = '2026-11-20T23:30:00.000Z'

let seeded: Promise<string> | null = null

/** One case with one event, in a tenant of this file. */
async function seed(): Promise<string> {
  const { app } = kit
  await app.createTenant(TENANT)
  const token = await app.createToken({ tenantId: TENANT })
  const send = async (path: string, json: object) => {
    const answer = await app.send('POST', `/beta/casework/${path}`, { token, json })
    assert.ok(answer.status < 300, answer.text)
    return answer.json()
  }
  await send('customers', { id: 'quality-1', name: 'Quality Hosting' })
  const { case_id: caseId } = await send('events', {
    event_type: 'Phishing',
    event_date: AT,
    sender_email: 'reporter@quality.example',
    ip: ADDRESS,
    domain: 'quality.example',
    customer_id: 'quality-1',
    event_details: { url: URL_OF_STRANGER, note: `see ${URL_OF_STRANGER}` },
  })
  await send(`cases/${caseId}/comments`, { text: `They wrote ${URL_OF_STRANGER} and ${ADDRESS}` })
  return caseId
}

async function open(path: string): Promise<{ readonly page: Page; readonly caseId: string }> {
  seeded ??= seed()
  const caseId = await seeded
  const { page } = await kit.signIn('agent', path.replace(':case', caseId), TENANT)
  return { page, caseId }
}

async function findInPalette(page: Page, keys: string, text: string, found: RegExp) {
  await pressKey(page, keys)
  const field = page.getByRole('combobox', { name: 'Command palette' })
  await field.fill(text)
  await page.getByRole('option', { name: found }).first().waitFor()
  return field
}

test('the palette finds pages, acts, customers, cases and items, by Ctrl or Command', async () => {
  const { page, caseId } = await open('/account')
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  const field = await findInPalette(page, 'Meta+k', 'overview', /^Overview/)
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  await findInPalette(page, 'Control+k', 'compact', /compact/i)
  await field.fill('Quality Host')
  await page.getByRole('option', { name: /Quality Hosting/ }).waitFor()
  await field.fill('198.51.100[.]171')
  await page.getByRole('option', { name: /^Look up 198\.51\.100/ }).waitFor()
  await field.fill(caseId)
  await page.getByRole('option', { name: /Phishing|C-/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`/cases/${caseId}`))
})

// Every transition, and every animation that lasts longer than a person sees.
const COUNT_MOTION = `(() => {
  window.moved = []
  addEventListener('transitionrun', ({ target, propertyName }) => {
    if (target instanceof Element) window.moved.push(propertyName + ' of ' + target.className)
  }, true)
  addEventListener('animationstart', ({ target, animationName }) => {
    const seconds = Number.parseFloat(getComputedStyle(target).animationDuration)
    if (seconds > 0.001) window.moved.push(animationName)
  }, true)
})()`

/** Opens and closes what floats, and goes to another page. */
async function listMotion(page: Page): Promise<readonly string[]> {
  await page.reload()
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  await pressKey(page, '?')
  const map = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await map.getByText('Command palette').waitFor()
  await page.keyboard.press('Escape')
  await map.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Account of/ }).click()
  const entry = page.getByRole('menuitem', { name: 'Sign out' })
  await entry.waitFor()
  await page.keyboard.press('Escape')
  await entry.waitFor({ state: 'detached' })
  await pressKeys(page, 'g', 'c')
  await page.getByRole('grid', { name: 'Cases' }).waitFor()
  return await page.evaluate<readonly string[]>('window.moved')
}

test('who wants no motion sees none; others see a little', async () => {
  const { page } = await open('/account')
  await page.addInitScript(COUNT_MOTION)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  assert.ok((await listMotion(page)).length > 0, 'the test sees motion')
  await page.goto('/account')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  assert.deepEqual(await listMotion(page), [])
})

test('times change on the page at once when the zone is switched, and stay so', async () => {
  const { page } = await open('/cases/:case')
  const time = page.locator(`time[datetime^="2026-11-20T23:30"]`).first()
  await time.waitFor()
  assert.match(String(await time.getAttribute('title')), /^21 Nov 2026, 00:30:00 (?:CET|GMT\+1)$/)
  const shown = async () => (await page.locator('#main').innerText()).includes('21 Nov')
  await findInPalette(page, 'Control+k', 'utc', /UTC/)
  await page.keyboard.press('Enter')
  await page.locator('time[title="20 Nov 2026, 23:30:00 UTC"]').first().waitFor()
  assert.equal(await shown(), false)
  await page.reload()
  await page.locator('time[title="20 Nov 2026, 23:30:00 UTC"]').first().waitFor()
})

test('an item is copied as it is, with Shift defanged', async () => {
  const { page } = await open(`/lookup/${ADDRESS}`)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copy = page.getByRole('button', { name: `Copy ${ADDRESS}.` }).first()
  await copy.click()
  await page.getByText('Copied', { exact: true }).waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), ADDRESS)
  await copy.click({ modifiers: ['Shift'] })
  await page.getByText('Copied, defanged').waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), '198[.]51[.]100[.]171')
})

test('no text of strangers is a link: all links stay in the console', async () => {
  const { page, caseId } = await open('/cases/:case')
  const paths = [`/cases/${caseId}`, '/events', `/lookup/${ADDRESS}`, '/lookup/quality.example']
  for (const path of [...paths, '/cases?state=any', '/customers/quality-1']) {
    await moveTo(page, path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('[aria-busy=true], .loading').first().waitFor({ state: 'detached' })
    const hrefs = await page.evaluate<readonly string[]>(
      '[...document.querySelectorAll("a[href], area[href]")].map((one) => one.href)',
    )
    assert.ok(hrefs.length > 5, `${path} has links`)
    assert.deepEqual(
      hrefs.filter((href) => !href.startsWith(`${kit.url}/`)),
      [],
      path,
    )
  }
})

/** Holds the matching answers until it is called. */
async function hold(page: Page, isHeld: (route: Route) => boolean): Promise<() => Promise<void>> {
  const held: Route[] = []
  let isOpen = false
  await page.route('**/beta/**', async (route) => {
    if (isOpen || !isHeld(route)) await route.continue()
    else held.push(route)
  })
  return async () => {
    isOpen = true
    await Promise.all(held.map((route) => route.continue()))
  }
}

const ASKING_PAGES = [
  '/overview',
  '/cases',
  '/cases/:case',
  '/events',
  '/reports',
  '/customers',
  '/customers/quality-1',
  '/rules',
  '/playbooks',
  '/runs',
  '/notices',
  '/sources',
  '/tags',
  `/lookup/${ADDRESS}`,
  '/search?q=quality',
] as const

test('each page shows that an answer is on its way', async () => {
  const { page, caseId } = await open('/account')
  for (const path of ASKING_PAGES) {
    const release = await hold(page, (route) => !/\/session$|\/changes/.test(route.request().url()))
    await page.goto(path.replace(':case', caseId))
    await page.getByRole('navigation', { name: 'Main' }).first().waitFor({ state: 'attached' })
    const progress = page.locator('#main').locator('.loading, [aria-busy=true], [data-loading]')
    await progress.first().waitFor()
    await release()
    await progress.first().waitFor({ state: 'detached' })
    await page.unroute('**/beta/**')
  }
})

test('an act whose answer is slow says so, or shows its result at once', async () => {
  const { page } = await open('/cases/:case')
  await page.getByRole('list', { name: 'Timeline' }).waitFor()
  const release = await hold(page, (route) => route.request().method() !== 'GET')
  await page.getByRole('textbox', { name: 'Comment' }).fill('held back')
  await page.keyboard.press('Control+Enter')
  await page.locator('.composer button[data-loading]').waitFor()
  // Whatever the act is, and where no button of it is in sight.
  const progress = page.getByRole('progressbar', { name: 'Saving' })
  await progress.waitFor()
  await checkAxe(page)
  await release()
  await page.getByRole('list', { name: 'Timeline' }).getByText('held back').waitFor()
  await progress.waitFor({ state: 'detached' })
})
