// Proves what the frame and the shared parts hold on every page: the language that is read out,
// what is found while somebody types, what is pasted, and what is copied.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveTo, until, withConsole } from '../../../test/console/console-kit.ts'
import { pressKey } from '../../../test/console/keyboard.ts'
import { holdAnswers } from '../../../test/console/late-answers.ts'

const kit = withConsole()

test('a page is read out in the language that was chosen, at once', async () => {
  const { page } = await kit.signIn('viewer', '/account?tab=display')
  const language = (): Promise<string> => page.evaluate('document.documentElement.lang')
  assert.equal(await language(), 'en')
  await page.getByText('Deutsch', { exact: true }).click()
  await until('the language is German', async () => (await language()) === 'de')
})

test('the palette does not lead to what an older text found', async () => {
  const { app } = kit
  for (const [id, name] of Object.entries({ 'found-1': 'Alphard', 'found-2': 'Betelgeuse' })) {
    const json = { id, name }
    const answer = await app.send('POST', '/beta/casework/customers', { token: app.token, json })
    assert.equal(answer.status, 201, answer.text)
  }
  const { page } = await kit.signIn('tenant-admin')
  const held = await holdAnswers(page, '**/beta/casework/search?*Betelgeuse*')
  await pressKey(page, 'Control+k')
  const box = page.getByRole('combobox', { name: 'Command palette' })
  await box.fill('Alphard')
  await page.getByRole('option', { name: 'Alphard' }).waitFor()
  await box.fill('Betelgeuse')
  await page.getByText('Nothing found.').waitFor()
  await page.keyboard.press('Enter')
  assert.equal(new URL(page.url()).pathname, '/')
  held.release()
  await page.getByRole('option', { name: 'Betelgeuse' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/customers\/found-2$/)
})

test('lines that are pasted into the search box are shown by the check that is open', async () => {
  const { page, context } = await kit.signIn('agent', '/check')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const items = page.getByRole('textbox', { name: 'Items' })
  await items.fill('192.0.2.1')
  await page.getByRole('combobox', { name: 'Search' }).click()
  await page.evaluate(String.raw`navigator.clipboard.writeText('198.51.100.7\n198.51.100.8')`)
  await page.keyboard.press('Control+V')
  await until('the lines are there', async () =>
    (await items.inputValue()).startsWith('198.51.100.7\n198.51.100.8'),
  )
})

test('a text that the browser does not copy is not called copied', async () => {
  const { page } = await kit.signIn('viewer')
  await moveTo(page, '/lookup/198.51.100.61')
  await page.evaluate(`
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError')) },
    })
    document.execCommand = () => false
  `)
  const copy = page.getByRole('button', { name: 'Copy 198.51.100.61.' }).first()
  await copy.click()
  await page.getByText('The browser did not let it be copied.').waitFor()
  assert.equal(await page.getByText('Copied', { exact: true }).count(), 0)
  await copy.and(page.locator(':focus')).waitFor()
  // No later test gets this page.
  await page.close()
})
