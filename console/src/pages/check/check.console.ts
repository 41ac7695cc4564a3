// Proves the check of many items: pasted, dropped as a file, sorted, filtered, exported.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import {
  assertNothingRan,
  EVIL_TEXTS,
  lookOver,
  withConsole,
} from '../../../../test/console/console-kit.ts'
import { pushAttacker } from '../../../../test/console/intel-kit.ts'

const kit = withConsole()

const PASTED = [
  '# of the firewall',
  '198.51.100[.]130',
  'hxxps://shop[.]example[.]org/x?y=1',
  'Nov 26 21:40:12 host sshd[811]: Failed password for root from 198.51.100.131 port 22',
  'nothing in here',
  '198.51.100.130',
  ...EVIL_TEXTS,
].join('\n')

test('a pasted text becomes a table, by keyboard, with the lines that hold no item', async () => {
  await pushAttacker(kit, '198.51.100.130')
  const { page } = await kit.signIn('viewer', '/check')
  await page.getByRole('textbox', { name: 'Items' }).fill(PASTED)
  await page.keyboard.press('Control+Enter')
  await page.getByText(/^(\d+) of \1 checked/).waitFor()
  const table = page.getByRole('grid', { name: 'Check many items' })
  const first = table.getByRole('row').nth(1)
  await first.getByText('198.51.100.130').waitFor()
  await first.getByText('Malicious').waitFor()
  await first.getByText('2, 6').waitFor()
  await lookOver(page, 'check')
  await page.getByRole('button', { name: /^Malicious/ }).click()
  await page.waitForURL(/intent=malicious/)
  await table.getByText('shop.example.org').waitFor({ state: 'detached' })
  await page
    .getByText(/lines without an item/)
    .last()
    .click()
  await page.getByRole('cell', { name: 'nothing in here' }).waitFor()
  await assertNothingRan(page)
})

test('the order of the table is in the URL, and what is shown is exported', async () => {
  const { page } = await kit.signIn('viewer', '/check?sort=item')
  await page.getByRole('textbox', { name: 'Items' }).fill('203.0.113.9\n203.0.113.10\n')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  const rows = page.getByRole('grid').getByRole('row')
  await rows.nth(1).getByText('203.0.113.9').waitFor()
  await page.getByRole('button', { name: 'Item', exact: true }).click()
  await page.waitForURL(/sort=-item/)
  await rows.nth(1).getByText('203.0.113.10').waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const csv = await readFile(await (await saved).path(), 'utf8')
  assert.match(csv, /^item,type,intent,.*\r\n203\.0\.113\.10,IP,/)
  const json = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export JSON' }).click()
  const records = JSON.parse(await readFile(await (await json).path(), 'utf8'))
  assert.deepEqual(
    records.map(({ item, lines }: { item: string; lines: readonly number[] }) => [item, lines]),
    [
      ['203.0.113.10', [2]],
      ['203.0.113.9', [1]],
    ],
  )
})

test('a file of more than a thousand items is checked in parts', async () => {
  const { page } = await kit.signIn('viewer', '/check')
  const items = Array.from({ length: 2_500 }, (_, at) => `203.0.${at >> 8}.${at & 255}`)
  await page.getByRole('button', { name: 'Choose a file' }).waitFor()
  await page.locator('input[type=file]').setInputFiles({
    name: 'items.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(items.join('\n')),
  })
  await page.getByText('2,500 of 2,500 checked').waitFor()
  await page.getByText('items.txt').waitFor()
  assert.ok((await page.getByRole('grid').getByRole('row').count()) < 100)
})

test('a text without an item, and a failure, say what to do', async () => {
  const { page } = await kit.signIn('viewer', '/check')
  await page.getByRole('textbox', { name: 'Items' }).fill('just some words')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByText('No address or domain was found in the text').waitFor()
  await page.route('**/beta/quick-check*', (route) => route.fulfill({ status: 500 }))
  await page.getByRole('textbox', { name: 'Items' }).fill('203.0.113.9')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByRole('alert').waitFor()
  await page.unroute('**/beta/quick-check*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('1 of 1 checked').waitFor()
})

test('a folder, or a file that is gone, says that it could not be read', async () => {
  const { page } = await kit.signIn('viewer', '/check')
  await page.getByRole('button', { name: 'Choose a file' }).waitFor()
  // What a browser does with a folder that was dropped.
  await page.evaluate(
    `Blob.prototype.text = () => Promise.reject(new DOMException('gone', 'NotFoundError'))`,
  )
  const file = { name: 'folder', mimeType: '', buffer: Buffer.from('') }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('This could not be read. Choose a file, not a folder.').waitFor()
  // No later test gets this page.
  await page.close()
})

test('of many lines without an item the first ones are shown, and all are counted', async () => {
  const { page } = await kit.signIn('viewer', '/check')
  // One word is left to the server to judge, two are not.
  const lines = Array.from({ length: 750 }, (_, at) => `two words\nword-${at}`)
  await page.getByRole('button', { name: 'Choose a file' }).waitFor()
  await page.locator('input[type=file]').setInputFiles({
    name: 'lines.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(lines.join('\n')),
  })
  await page.getByText('750 of 750 checked').waitFor()
  await page.getByText('1,500 lines without an item').last().click()
  await page.getByText('The first 1,000 are shown.').waitFor()
  const shown = page.getByRole('group', { name: 'What is shown' }).getByRole('row')
  assert.equal(await shown.count(), 1 + 1_000)
})
