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
