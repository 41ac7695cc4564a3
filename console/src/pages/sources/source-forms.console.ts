// Proves that nothing is lost on the pages of sources: another's change, a form, the place in a
// list; and that days of UTC are called what they are.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveTo, until, withConsole } from '../../../../test/console/console-kit.ts'

const kit = withConsole()
const ROLE = 'instance-admin'
const REFUSAL = { status: 500, contentType: 'application/json', body: '{}' }

function put(path: string, json: unknown) {
  return kit.app.send('PUT', `/beta/sources/${path}`, { token: kit.app.token, json })
}

async function describe(name: string, description: string): Promise<void> {
  // Never fetched: it is off.
  const fetch = {
    url: 'https://lists.example.org/list.txt',
    format: 'plain',
    intervalSeconds: 86_400,
    enabled: false,
  }
  const answer = await put(`mail-blocklist/${name}`, { description, fetch })
  assert.ok(answer.status < 300, answer.text)
}

async function makeList(name: string, items: readonly string[]): Promise<void> {
  const json = items.map((item) => ({ item, reason: 'test' }))
  const answer = await put(`mail-blocklist/${name}/entries`, json)
  assert.equal(answer.status, 200, answer.text)
}

test('the form of a source begins with what is stored now, not with an earlier visit', async () => {
  await describe('anew', 'As it was.')
  const { page } = await kit.signIn(ROLE, '/sources/mail-blocklist/anew/edit')
  const description = page.getByRole('textbox', { name: 'Description' })
  await description.waitFor()
  await moveTo(page, '/rules')
  await describe('anew', 'Changed by another.')
  await moveTo(page, '/sources/mail-blocklist/anew/edit')
  await description.waitFor()
  assert.equal(await description.inputValue(), 'Changed by another.')
})

test('switching the schedule takes no change of another back', async () => {
  await describe('switched', 'As it was.')
  const { page } = await kit.signIn(ROLE, '/sources?open=mail-blocklist%2Fswitched')
  const panel = page.getByRole('complementary', { name: 'switched' })
  await panel.getByText('As it was.').waitFor()
  await describe('switched', 'Changed by another.')
  const sent: unknown[] = []
  await page.route('**/beta/sources/mail-blocklist/switched', async (route) => {
    if (route.request().method() !== 'PUT') return await route.fallback()
    sent.push(route.request().postDataJSON().description)
    // Switched on it would be fetched.
    await route.fulfill(REFUSAL)
  })
  await panel.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Enable' }).click()
  await until('it was sent', async () => sent.length > 0)
  assert.deepEqual(sent, ['Changed by another.'])
})

test('a new source does not take the place of one that has the name', async () => {
  await describe('taken', 'Is there.')
  const { page } = await kit.signIn(ROLE, '/sources/new')
  await page.getByRole('textbox', { name: 'URL' }).fill('https://lists.example.org/other.txt')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('taken')
  await page.getByText('A source of this kind has this name.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Add source' }).isDisabled(), true)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('not-taken')
  await page.getByRole('button', { name: 'Add source', disabled: false }).waitFor()
})

test('a page of entries that fails leaves those before it, and is asked for again', async () => {
  await makeList(
    'long',
    Array.from({ length: 260 }, (_, at) => `e${String(at).padStart(3, '0')}.example`),
  )
  const { page } = await kit.signIn(ROLE, '/sources/mail-blocklist/long/entries')
  await page.getByRole('link', { name: 'e000.example' }).waitFor()
  await page.route('**/entries?*after=*', (route) => route.fulfill(REFUSAL))
  const goToEnd = (): Promise<unknown> =>
    page.evaluate(`{
      const list = document.querySelector('[role="grid"]')
      list.scrollTop = list.scrollHeight
    }`)
  await goToEnd()
  await page.getByRole('button', { name: 'Retry' }).waitFor()
  await page.getByRole('link', { name: 'e199.example' }).waitFor()
  await page.unroute('**/entries?*after=*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('button', { name: 'Retry' }).waitFor({ state: 'detached' })
  await goToEnd()
  await page.getByRole('link', { name: 'e259.example' }).waitFor()
})

test('well-known lists are offered once it is known which of them are there', async () => {
  const { page } = await kit.signIn(ROLE)
  await page.route('**/beta/sources', (route) => route.fulfill(REFUSAL))
  await moveTo(page, '/sources?tab=presets')
  await page.getByRole('button', { name: 'Retry' }).waitFor()
  assert.equal(await page.getByRole('link', { name: /^Add / }).count(), 0)
  await page.unroute('**/beta/sources')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('link', { name: /^Add / }).first().waitFor()
})

test('entries are found by how they begin, in capital letters too', async () => {
  await makeList('capitals', ['evil.example', '192.0.2.8'])
  const { page } = await kit.signIn(ROLE, '/sources/mail-blocklist/capitals/entries')
  await page.getByRole('link', { name: '192.0.2.8' }).waitFor()
  await page.getByRole('textbox', { name: 'Begins with' }).fill('EVIL.')
  await page.getByRole('link', { name: '192.0.2.8' }).waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'evil.example' }).waitFor()
})

test('counts by day of UTC have the day of UTC, also for who is far to the west', async () => {
  await makeList('far-west', ['192.0.2.1'])
  const { app } = kit
  const path = '/beta/sources/mail-blocklist/far-west/history'
  const history = await app.send('GET', path, { token: app.token })
  const date = String(history.json().result.days[0].date)
  const { page } = await kit.signIn(ROLE)
  const storageState = await page.context().storageState()
  const west = await page.context().browser()?.newContext({
    baseURL: kit.url,
    timezoneId: 'America/Los_Angeles',
    locale: 'en-GB',
    storageState,
  })
  const there = (await west?.newPage()) ?? assert.fail('no browser')
  await there.goto('/sources?open=mail-blocklist%2Ffar-west')
  const entries = there.getByRole('figure', { name: 'Entries by day, UTC' })
  await entries.getByRole('button', { name: 'Show as table' }).press('Enter')
  await entries.getByRole('rowheader').first().waitFor()
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
  assert.deepEqual(await entries.getByRole('rowheader').allTextContents(), [
    format.format(new Date(date)),
  ])
  await west?.close()
})
