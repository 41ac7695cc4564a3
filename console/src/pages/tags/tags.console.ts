// Proves the pages of tags.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertNothingRan,
  EVIL_TEXTS,
  lookOver,
  withConsole,
} from '../../../../test/console/console-kit.ts'
import { pushIntel } from '../../../../test/console/intel-kit.ts'

const kit = withConsole()

test('the catalogue is searched and filtered, which the URL keeps', async () => {
  const { page } = await kit.signIn('viewer', '/tags')
  await page.getByRole('grid', { name: 'Tags' }).getByText('credentials:ssh-brute-force').waitFor()
  await lookOver(page, 'tags')
  await page.getByRole('textbox', { name: 'Find a tag' }).fill('ssh')
  await page.waitForURL(/q=ssh/)
  await page.reload()
  const table = page.getByRole('grid', { name: 'Tags' })
  await table.getByText('credentials:ssh-brute-force').waitFor()
  await page.locator('body').press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/tags\/[^?]+ssh/)
  await page.getByRole('region', { name: 'References' }).getByRole('link').first().waitFor()
  await lookOver(page, 'tag')
})

test('a tag that is not there says so', async () => {
  const { page } = await kit.signIn('viewer', '/tags/no-such-tag')
  await page.getByText('There is no tag no-such-tag').waitFor()
  await page.getByRole('link', { name: 'All tags' }).click()
  await page.waitForURL(/\/tags$/)
})

test('what an operator wrote of a tag is text, and links lead to the web only', async () => {
  const [evil] = EVIL_TEXTS
  await kit.app.send('PUT', '/beta/tags/evil:tag', {
    token: kit.app.token,
    json: {
      intent: 'suspicious',
      category: 'activity',
      description: evil,
      references: [{ url: 'https://docs.example/"onclick=x', description: evil }],
      timeline: [{ date: '2026-11-01', action: evil, description: evil }],
    },
  })
  const { page } = await kit.signIn('viewer', '/tags/evil:tag')
  await page.getByText(evil).first().waitFor()
  await page.getByText('No item has this tag now').waitFor()
  await assertNothingRan(page)
})

test('what is typed fast, or in the middle of a word, stays as it was typed', async () => {
  const { page } = await kit.signIn('viewer', '/tags')
  const find = page.getByRole('textbox', { name: 'Find a tag' })
  await find.pressSequentially('force')
  await page.keyboard.press('Home')
  await page.keyboard.type('ssh-brute-')
  assert.equal(await find.inputValue(), 'ssh-brute-force')
  await page.waitForURL(/q=ssh-brute-force/)
})

test('a tag may be called as the list of all is called in the program', async () => {
  const json = { intent: 'suspicious', category: 'activity', description: 'A tag of this name.' }
  const { send, token } = kit.app
  const put = await send('PUT', '/beta/tags/list', { token, json })
  assert.ok(put.status < 300, put.text)
  const { page } = await kit.signIn('viewer', '/tags?q=name')
  await page.getByRole('grid').getByRole('link', { name: 'list', exact: true }).click()
  await page.waitForURL(/\/tags\/list/)
  await page.getByText('No item has this tag now').waitFor()
  await page.getByText('A tag of this name.').waitFor()
  await send('DELETE', '/beta/tags/list', { token })
})

test('items stay when the next ones fail to come', async () => {
  const tag = 'credentials:ssh-brute-force'
  await pushIntel(kit, 'taggings', [{ item: '198.51.100.177', tag, source: 'desk' }])
  const { page } = await kit.signIn('viewer')
  await page.route('**/beta/tags/*/ips*', async (route) => {
    if (!route.request().url().includes('offset=0')) {
      const json = { status: 400, detail: 'No.', code: 'X', request_id: 'r-5' }
      return await route.fulfill({ status: 400, json })
    }
    const { result, ...others } = await (await route.fetch()).json()
    await route.fulfill({ json: { ...others, result: { ...result, total: 1_000 } } })
  })
  await page.goto(`/tags/${encodeURIComponent(tag)}`)
  await page.getByText('Request r-5').waitFor()
  await page.getByRole('grid').getByRole('row', { name: '198.51.100.177' }).waitFor()
})
