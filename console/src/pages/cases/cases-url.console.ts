// Proves that the URL is the state of the queue: filters, sort, columns and views go into it by
// mouse and by keyboard, and come back from it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { moveTo, until, withConsole } from '../../../../test/console/console-kit.ts'
import { pressKeys } from '../../../../test/console/keyboard.ts'
import { createQueueKit, rowOf } from '../../../../test/console/queue-kit.ts'

const kit = withConsole()
const queue = createQueueKit(kit, 'queue-url')

function paramsOf(page: Page): Record<string, string[]> {
  const { searchParams } = new URL(page.url())
  return Object.fromEntries(
    [...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]),
  )
}

/** The domains of the rows, as they stand one under the other. */
async function listDomains(page: Page): Promise<readonly string[]> {
  const texts = await page.getByRole('row').allTextContents()
  return texts.flatMap((text) => /(?:url|other)-\d\.example/.exec(text)?.[0] ?? [])
}

/** Rows that go are gone before those that come. */
async function waitForDomains(page: Page, domains: readonly string[]): Promise<void> {
  const expected = domains.join()
  await until(`the rows are ${expected}`, async () => (await listDomains(page)).join() === expected)
}

let seeded: Promise<void> | null = null

/** The console is open in tests only. */
function seed(): Promise<void> {
  seeded ??= makeCases()
  return seeded
}

async function makeCases(): Promise<void> {
  const [high, low] = await queue.openCases('url', 3)
  await queue.openCases('other', 1)
  const bulk = '/beta/casework/cases/bulk'
  await queue.send('POST', bulk, { ids: [high], change: { severity: 'high', add_tags: ['seen'] } })
  await queue.send('POST', bulk, { ids: [low], change: { severity: 'low' } })
}

test('filters are set by mouse, changed and taken away; Back goes one step', async () => {
  await seed()
  const page = await queue.openQueue('')
  await rowOf(page, 'other-0.example').waitFor()
  await page.getByRole('button', { name: 'Add a filter' }).click()
  await page.getByRole('menuitem', { name: 'Severity' }).hover()
  await page.getByRole('menuitem', { name: 'High' }).click()
  await rowOf(page, 'other-0.example').waitFor({ state: 'detached' })
  assert.deepEqual(paramsOf(page), { severity: ['high'] })
  await page.getByRole('button', { name: /^Severity/ }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Low' }).click()
  await rowOf(page, 'url-1.example').waitFor()
  await waitForDomains(page, ['url-1.example'])
  await page.getByRole('button', { name: /^State/ }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Resolved' }).click()
  await page.waitForURL(/state=NEW&state=IN_PROGRESS&state=RESOLVED/)
  await page.goBack()
  await page.waitForURL((url) => url.search === '?severity=low')
  await page.goBack()
  await rowOf(page, 'url-0.example').waitFor()
  await page.getByRole('button', { name: 'Remove the filter Severity' }).click()
  await rowOf(page, 'other-0.example').waitFor()
  assert.deepEqual(paramsOf(page), {})
})

test('a typed filter is set by keyboard alone', async () => {
  await seed()
  const page = await queue.openQueue('')
  await page.getByRole('button', { name: 'Add a filter' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Tag' }).press('Enter')
  await page.getByRole('combobox', { name: 'Tag' }).fill('seen')
  await page.keyboard.press('Enter')
  await page.waitForURL(/tag=seen/)
  await rowOf(page, 'url-1.example').waitFor({ state: 'detached' })
  await waitForDomains(page, ['url-0.example'])
})

test('Escape in a typed filter closes its suggestions first, then the filter', async () => {
  await seed()
  const page = await queue.openQueue('')
  await page.getByRole('button', { name: 'Add a filter' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Event type' }).press('Enter')
  const field = page.getByRole('combobox', { name: 'Event type' })
  await field.fill('Phi')
  const suggestion = page.getByRole('option', { name: 'Phishing' })
  await suggestion.waitFor()
  await page.keyboard.press('Escape')
  await suggestion.waitFor({ state: 'hidden' })
  assert.equal(await field.inputValue(), 'Phi')
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
})

test('the sort and the columns stand in the URL, which gives a colleague the same', async () => {
  await seed()
  const page = await queue.openQueue('?reporter=url@example.org')
  const head = page.getByRole('columnheader', { name: 'Last event' })
  await head.getByRole('button').click()
  await page.waitForURL(/sort=last_event_date/)
  await page.locator('[aria-sort=ascending]').waitFor()
  await rowOf(page, 'url-2.example').and(page.locator('[aria-rowindex="2"]')).waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Tags' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Assignee' }).click()
  await page.getByRole('columnheader', { name: 'Assignee' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  const { page: other } = await kit.signIn('viewer', page.url(), 'queue-url')
  await rowOf(other, 'url-0.example').getByText('seen').waitFor()
  assert.equal(await other.getByRole('columnheader', { name: 'Assignee' }).count(), 0)
  await waitForDomains(other, ['url-2.example', 'url-1.example', 'url-0.example'])
  assert.equal(await other.locator('[aria-sort=ascending]').innerText(), 'Last event')
})

test('the views that everybody has are chosen by mouse and by keys, with their counts', async () => {
  await seed()
  const page = await queue.openQueue('?tag=seen')
  await rowOf(page, 'url-0.example').click()
  await page.waitForURL(/open=/)
  const views = page.getByRole('navigation', { name: 'Views' })
  await views.getByRole('button', { name: 'Unassigned 4', exact: true }).click()
  await page.waitForURL((url) => url.search === '?assignee=none')
  await views.getByRole('button', { name: /^Unassigned/ }).waitFor()
  await pressKeys(page, 'g', '2')
  await page.waitForURL(/assignee=me/)
  await page.getByRole('heading', { name: 'Nothing to do here' }).waitFor()
  await pressKeys(page, 'g', '6')
  await page.waitForURL(/due=0h/)
  await page.getByRole('button', { name: 'Show all cases' }).click()
  await page.waitForURL(/state=any/)
  await rowOf(page, 'other-0.example').waitFor()
})

test('a saved view gives back its filters and its sort, and says when they differ', async () => {
  await seed()
  const page = await queue.openQueue('?reporter=url@example.org&severity=high&sort=created_at')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('High ones')
  await page.keyboard.press('Enter')
  const view = page.getByRole('button', { name: 'High ones 1', exact: true })
  await view.waitFor()
  await page.waitForURL(/view=/)
  await page.getByRole('button', { name: 'Remove the filter Severity' }).click()
  await rowOf(page, 'url-2.example').waitFor()
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('menuitem', { name: 'Keep these filters in it' }).click()
  await page.getByRole('button', { name: 'High ones 3', exact: true }).waitFor()
  await page.goto('/cases')
  await page.getByRole('button', { name: 'High ones 3', exact: true }).click()
  await page.waitForURL(/reporter=url/)
  const { reporter, sort, severity } = paramsOf(page)
  assert.deepEqual([reporter, sort, severity], [['url@example.org'], ['created_at'], undefined])
})

test('whatever a URL says, the queue shows', async () => {
  await seed()
  const page = await queue.openQueue('')
  for (const query of [
    '?state=no&severity=x&waiting=&sort=-nothing&hide=x&hide=y',
    '?due=soon&created=2026-13-45..&view=none&open=%00',
    '?state=any&state=NEW&customer=1&customer=2&sort=1',
  ]) {
    await moveTo(page, `/cases${query}`)
    await page.getByRole('grid', { name: 'Cases' }).waitFor()
  }
  await page.goto('/cases?item=198.51.100.0/99')
  await page.getByRole('alert').getByRole('heading').waitFor()
  await page.getByRole('button', { name: 'Remove the filter Address, range or domain' }).click()
  await rowOf(page, 'other-0.example').waitFor()
})
