// Proves the start page and the search: what is found as a person types, and the page of results.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertNothingRan,
  EVIL_TEXTS,
  lookOver,
  lookOverState,
  withConsole,
} from '../../../../test/console/console-kit.ts'
import { pressKeys } from '../../../../test/console/keyboard.ts'

const kit = withConsole()

async function pushEvent(members: Readonly<Record<string, unknown>>): Promise<void> {
  const answer = await kit.app.send('POST', '/beta/casework/events', {
    token: kit.app.token,
    json: { event_date: new Date().toISOString(), sender_email: 'r@reporter.example', ...members },
  })
  assert.equal(answer.status, 201, answer.text)
}

test('the start page has the focus in its box and remembers what was looked up', async () => {
  const { page } = await kit.signIn('agent')
  const box = page.getByRole('combobox', { name: 'Search' })
  await box.waitFor()
  assert.equal(await box.count(), 1)
  // The key that leads to the box is no text of it.
  await box.press('/')
  assert.equal(await box.inputValue(), '')
  await page.getByRole('link', { name: '2001:db8::7' }).click()
  await page.getByRole('note', { name: 'Verdict' }).waitFor()
  await pressKeys(page, 'g', 'l')
  const recent = page.getByRole('region', { name: 'Looked up lately' })
  await recent.getByRole('link', { name: '2001:db8::7' }).waitFor()
  await lookOver(page, 'home')
  await recent.getByRole('button', { name: 'Clear' }).click()
  await recent.getByText('Items that you look up stand here').waitFor()
})

test('records are found while a person types, and chosen by the arrows', async () => {
  await pushEvent({ event_type: 'Phishing', ip: '198.51.100.201' })
  const { page } = await kit.signIn('agent')
  await page.getByRole('combobox', { name: 'Search' }).fill('198.51.100.201')
  const found = page.getByRole('listbox', { name: 'Results' })
  await found.getByRole('option', { name: /^Event/ }).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/search\?q=198\.51\.100\.201/)
  await page.getByText('Read as an address.').waitFor()
  await page.getByRole('grid').getByRole('row', { name: /Event/ }).waitFor()
  await page.getByRole('main').getByText('Cases', { exact: true }).click()
  await page.waitForURL(/kind=case/)
  await page.getByRole('grid').getByRole('row', { name: /Case/ }).waitFor()
  await lookOver(page, 'search')
  await page.getByRole('link', { name: 'Look up 198.51.100.201' }).click()
  await page.waitForURL(/\/lookup\/198\.51\.100\.201$/)
})

test('a search that finds nothing says how to find more', async () => {
  const { page } = await kit.signIn('agent', '/search?q=zzzzunfindable')
  await page.getByText('Nothing was found').waitFor()
  await lookOverState(page, 'search-none')
})

test('pasted lines lead to the check of many', async () => {
  const { page, context } = await kit.signIn('agent')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('combobox', { name: 'Search' }).click()
  await page.evaluate(String.raw`navigator.clipboard.writeText('198.51.100.7\n198.51.100.8')`)
  await page.keyboard.press('Control+V')
  await page.waitForURL(/\/check$/)
  await page.getByText('2 of 2 checked').waitFor()
})

test('what strangers wrote is found as text', async () => {
  const [evil] = EVIL_TEXTS
  await pushEvent({
    event_type: 'Phishing',
    ip: '198.51.100.202',
    event_details: { note: `${evil} strangeword` },
  })
  const { page } = await kit.signIn('agent', '/search?q=strangeword')
  await page.getByRole('grid').getByText('strangeword').first().waitFor()
  await assertNothingRan(page)
})
