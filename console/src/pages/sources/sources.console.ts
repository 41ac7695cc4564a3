// Proves the pages of sources: the list with its filters in the URL, a well-known list that is added
// and removed, the entries with search and delisting, and who may not change anything.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertNothingRan,
  EVIL_TEXTS,
  lookOver,
  moveTo,
  withConsole,
} from '../../../../test/console/console-kit.ts'

const kit = withConsole()

// Sources belong to the whole instance.
const ROLE = 'instance-admin'

async function makeList(name: string, items: readonly string[], reason = 'test'): Promise<void> {
  const answer = await kit.app.send('PUT', `/beta/sources/mail-blocklist/${name}/entries`, {
    token: kit.app.token,
    json: items.map((item) => ({ item, reason })),
  })
  assert.equal(answer.status, 200, answer.text)
}

test('sources are filtered by state, opened by keyboard, and found again by their address', async () => {
  await makeList('round-trip', ['192.0.2.1'])
  const { page } = await kit.signIn(ROLE, '/sources?state=fresh')
  await page.getByRole('row').filter({ hasText: 'round-trip' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'round-trip' }).click()
  await page.getByRole('complementary', { name: 'round-trip' }).waitFor()
  const address = page.url()
  assert.match(address, /state=fresh/)
  await page.keyboard.press('Escape')
  await page.getByRole('complementary').waitFor({ state: 'hidden' })
  await page.goto(address)
  await page.getByRole('complementary', { name: 'round-trip' }).getByText('Fresh').waitFor()
})

test('the panel of a list charts its entries over time, with a table of the values', async () => {
  await makeList('grows', ['192.0.2.1'])
  await makeList('grows', ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
  const { page } = await kit.signIn('viewer', '/sources?open=mail-blocklist%2Fgrows')
  const panel = page.getByRole('complementary', { name: 'grows' })
  const entries = panel.getByRole('figure', { name: 'Entries by day, UTC' })
  await entries.getByRole('button', { name: 'Show as table' }).press('Enter')
  await entries.getByRole('cell').first().waitFor()
  assert.deepEqual(await entries.getByRole('cell').allTextContents(), ['3'])
  const changes = panel.getByRole('figure', { name: 'Changes by day, UTC' })
  await changes.getByRole('button', { name: 'Show as table' }).press('Enter')
  await changes.getByRole('cell').first().waitFor()
  assert.deepEqual(await changes.getByRole('cell').allTextContents(), ['3', '0'])
})

test('a well-known list is added once its terms are read, and removed with its entries named', async () => {
  const { page } = await kit.signIn(ROLE, '/sources?tab=presets')
  await page.getByRole('link', { name: 'Add tor-exits' }).click()
  await page.getByRole('switch', { name: 'Fetch by schedule' }).click()
  const add = page.getByRole('button', { name: 'Add source' })
  assert.equal(await add.isDisabled(), true)
  await page.getByRole('checkbox', { name: 'I have read the terms of use' }).check()
  await add.click()
  const panel = page.getByRole('complementary', { name: 'tor-exits' })
  await panel.getByText('Never heard').waitFor()
  await panel.getByText('Free to use.').waitFor()
  await panel.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove 0 entries' }).click()
  await page.getByText('tor-exits was removed.').waitFor()
})

test('entries are found by how they begin, and one is delisted', async () => {
  await makeList('entries', ['192.0.2.7', '198.51.100.23', '198.51.100.24', 'evil.example'])
  const { page } = await kit.signIn(ROLE, '/sources/mail-blocklist/entries/entries')
  await page.getByRole('link', { name: 'evil.example' }).waitFor()
  await page.getByRole('textbox', { name: 'Begins with' }).fill('198.51.100.2')
  await page.getByRole('link', { name: '192.0.2.7' }).waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: '198.51.100.24' }).waitFor()
  await page.waitForURL(/q=198\.51\.100\.2/)
  await page.getByRole('button', { name: 'Delist 198.51.100.23' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delist 198.51.100.23' }).click()
  await page.getByText('198.51.100.23 was delisted.').waitFor()
  await page.getByRole('link', { name: '198.51.100.23' }).waitFor({ state: 'hidden' })
  await page.getByRole('textbox', { name: 'Begins with' }).fill('203.')
  await page.getByText('No entry begins with this').waitFor()
})

test('what is evil stays text, and a viewer changes nothing', async () => {
  await makeList('evil-list', ['192.0.2.99'], EVIL_TEXTS[0])
  const { page } = await kit.signIn('viewer', '/sources/mail-blocklist/evil-list/entries')
  await page.getByText(EVIL_TEXTS[0]).waitFor()
  assert.equal(await page.getByRole('button', { name: /^Delist/ }).count(), 0)
  await assertNothingRan(page)
  await moveTo(page, '/sources/new')
  await page.getByText('You may not see this').waitFor()
})

test('a failure is said with a way to try again', async () => {
  const { page } = await kit.signIn('viewer', '/account')
  await page.route('**/beta/sources', (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body: '{}' }),
  )
  await moveTo(page, '/sources')
  await page.getByRole('button', { name: 'Retry' }).waitFor()
})

test('the pages of sources pass axe in both schemes and three widths', async () => {
  await makeList('looks', ['192.0.2.1', '192.0.2.2'])
  const { page } = await kit.signIn(ROLE, '/sources?open=mail-blocklist%2Flooks')
  await page.getByRole('complementary', { name: 'looks' }).waitFor()
  await lookOver(page, 'sources')
  await moveTo(page, '/sources/new?preset=tor-exits')
  await page.getByRole('button', { name: 'Add source' }).waitFor()
  await lookOver(page, 'sources-new')
})
