// Proves the shared parts: axe on all of them, text of strangers stays text, a table of 100,000 rows
// keeps few of them, and what a table shows stands in its URL.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertNothingRan,
  checkAxe,
  lookOver,
  moveTo,
  withConsole,
} from '../../../../test/console/console-kit.ts'
import { pressKey } from '../../../../test/console/keyboard.ts'

const kit = withConsole()
const TABLE = '/parts?show=table&rows=100000'

test('all parts pass axe, and nothing that a stranger wrote runs', async () => {
  const { page } = await kit.signIn('viewer', '/parts')
  await page.getByRole('textbox', { name: 'Condition' }).waitFor()
  await lookOver(page, 'parts')
  await page.getByRole('button', { name: 'Show as table' }).click()
  await page.getByRole('table').waitFor()
  await page.getByRole('button', { name: 'Erase 3 reports' }).click()
  await page.getByRole('dialog', { name: 'Erase 3 reports' }).waitFor()
  await checkAxe(page)
  await assertNothingRan(page)
})

test('of 100,000 rows at most a hundred are in the page, at both ends of the list', async () => {
  const { page } = await kit.signIn('viewer', TABLE)
  const grid = page.getByRole('grid', { name: 'Table' })
  assert.equal(await grid.getAttribute('aria-rowcount'), '100001')
  await page.getByRole('row').nth(5).waitFor()
  assert.ok((await page.getByRole('row').count()) <= 100)
  await grid.evaluate((element) => Reflect.set(element, 'scrollTop', 1e9))
  await page.locator('[aria-rowindex="100001"]').waitFor()
  assert.ok((await page.getByRole('row').count()) <= 100)
})

test('j, k and x move and select; a click opens the panel; the URL gives the same again', async () => {
  const { page } = await kit.signIn('viewer', TABLE)
  await page.getByRole('row').nth(5).waitFor()
  const moves = [
    ['j', 0],
    ['j', 1],
    ['j', 2],
    ['k', 1],
  ] as const
  for (const [key, row] of moves) {
    await page.keyboard.press(key)
    await page.locator(`[aria-rowindex="${row + 2}"]:focus`).waitFor()
  }
  await pressKey(page, 'x')
  await page
    .getByRole('row', { selected: true })
    .getByText('198.51.100.1', { exact: true })
    .waitFor()
  await page.getByRole('button', { name: 'Events' }).click()
  await page.getByRole('gridcell', { name: '111', exact: true }).click()
  const panel = page.getByRole('complementary', { name: '198.51.100.3' })
  await panel.waitFor()
  const { searchParams } = new URL(page.url())
  assert.deepEqual([searchParams.get('open'), searchParams.get('sort')], ['C-3', 'events'])
  await page.reload()
  await panel.waitFor()
  await page.getByRole('columnheader', { name: 'Events' }).waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
})

test('the table passes axe in both schemes and three widths, with its panel', async () => {
  const { page } = await kit.signIn('viewer', TABLE)
  await page.getByRole('row').nth(5).waitFor()
  await lookOver(page, 'table')
  await moveTo(page, `${TABLE}&open=C-3`)
  await page.getByRole('complementary').waitFor()
  await lookOver(page, 'table-panel')
})

test('whatever a URL says, the page shows', async () => {
  const { page } = await kit.signIn('viewer')
  for (const search of [
    '?show=table&rows=x&sort=-&hide=&open=%00',
    '?show=table&hide=item&hide=no',
  ]) {
    await moveTo(page, `/parts${search}`)
    await page.getByRole('grid').waitFor()
  }
  assert.equal(await page.getByRole('columnheader', { name: 'Item' }).count(), 0)
})
