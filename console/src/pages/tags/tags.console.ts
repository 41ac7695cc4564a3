// Proves the pages of tags.

import { test } from 'node:test'
import {
  assertNothingRan,
  EVIL_TEXTS,
  lookOver,
  withConsole,
} from '../../../../test/console/console-kit.ts'

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
