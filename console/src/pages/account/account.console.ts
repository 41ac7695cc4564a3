// Proves the account page, and with it the frame: keys, palette, language, zone, colours.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lookOver, moveTo, withConsole } from '../../../../test/console/console-kit.ts'
import { pressKey } from '../../../../test/console/keyboard.ts'
import { openBrowser, signIn } from '../../../../test/people-kit.ts'

const kit = withConsole()

test('the keyboard map shows the keys that are live, and closes with Escape', async () => {
  const { page } = await kit.signIn('viewer', '/account')
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  await pressKey(page, '?')
  const map = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await map.getByText('Command palette').waitFor()
  await page.keyboard.press('Escape')
  await map.waitFor({ state: 'hidden' })
  await pressKey(page, '/')
  await page.getByRole('combobox', { name: 'Search' }).and(page.locator(':focus')).waitFor()
})

test('the palette finds a page and an act by their words', async () => {
  const { page } = await kit.signIn('viewer', '/account')
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  await pressKey(page, 'Control+k')
  await page.getByRole('combobox', { name: 'Command palette' }).fill('utc')
  await page.keyboard.press('Enter')
  await page.goto('/account?tab=display')
  await page.getByText(/Now it is .{1,60} UTC\./).waitFor()
})

test('language, colours and density are kept in the browser', async () => {
  const { page } = await kit.signIn('viewer', '/account?tab=display')
  await page.getByText('Deutsch').click()
  await page.getByRole('heading', { name: 'Ihr Konto' }).waitFor()
  await page.getByText('Dunkel', { exact: true }).click()
  await page.reload()
  await page.getByRole('heading', { name: 'Ihr Konto' }).waitFor()
  const scheme = 'document.documentElement.dataset.mantineColorScheme'
  assert.equal(await page.evaluate(scheme), 'dark')
})

test('a person sees their sessions and ends another one', async () => {
  const { page, person } = await kit.signIn('viewer')
  const elsewhere = openBrowser(kit.app, await signIn(kit.app, person.email))
  await page.goto('/account')
  await page.getByText('This one').waitFor()
  await page.getByRole('button', { name: /^End the session of/ }).click()
  await page.getByText('The session was ended.').waitFor()
  await page.getByRole('button', { name: /^End the session of/ }).waitFor({ state: 'hidden' })
  assert.equal((await elsewhere.send('GET', '/beta/session')).status, 401)
})

test('the account page passes axe in both schemes and three widths', async () => {
  const { page } = await kit.signIn('viewer', '/account')
  await page.getByText('This one').waitFor()
  await lookOver(page, 'account-sessions')
  await moveTo(page, '/account?tab=display')
  await page.getByText('Language').waitFor()
  await lookOver(page, 'account-display')
})
