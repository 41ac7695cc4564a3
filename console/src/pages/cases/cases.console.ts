// Proves the queue of cases: its saved views, its export, and what strangers write.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { assertNothingRan, EVIL_TEXTS, withConsole } from '../../../../test/console/console-kit.ts'
import { pressKeys } from '../../../../test/console/keyboard.ts'

const kit = withConsole()

interface Pushed {
  readonly case_id: string
}

/** One case for each domain, all of `name@example.org`, by which the tests filter. */
async function openCases(
  name: string,
  count: number,
  members: object = {},
): Promise<readonly string[]> {
  const json = Array.from({ length: count }, (_, index) => ({
    event_type: index % 2 === 0 ? 'Phishing' : 'Spam',
    domain: `${name}-${index}.example`,
    event_date: new Date(Date.UTC(2026, 10, 1) + (count - index) * 60_000).toISOString(),
    sender_email: `${name}@example.org`,
    ...members,
  }))
  const { app } = kit
  const answer = await app.send('POST', '/beta/casework/events', { token: app.token, json })
  assert.equal(answer.status, 200, answer.text)
  const items: readonly Pushed[] = answer.json().items
  return items.map(({ case_id: id }) => id)
}

function rowOf(page: Page, domain: string): Locator {
  return page.getByRole('row').filter({ hasText: domain })
}

/** Undoes what was done last. */
async function undo(page: Page, said: string): Promise<void> {
  await page.getByText(said, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
}

test('a view is saved with its count, renamed, shared, deleted and brought back', async () => {
  await openCases('views', 2)
  const { page } = await kit.signIn('agent', '/cases?reporter=views@example.org')
  await rowOf(page, 'views-1.example').waitFor()
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(EVIL_TEXTS[0])
  await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
  const views = page.getByRole('navigation', { name: 'Views' })
  const own = views.getByRole('region', { name: 'Yours' })
  await own.getByRole('button', { name: `${EVIL_TEXTS[0]} 2`, exact: true }).waitFor()
  const act = async (name: string): Promise<void> => {
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await views
      .getByRole('button', { name: /^Acts on the view/ })
      .last()
      .press('Enter')
    await page.getByRole('menuitem', { name }).click()
  }
  await act('Rename')
  await page.getByRole('textbox', { name: 'Name' }).fill('Views of two')
  await page.getByRole('textbox', { name: 'Name' }).press('Enter')
  await own.getByRole('button', { name: 'Views of two 2', exact: true }).waitFor()
  await act('Share with the tenant')
  const shared = views.getByRole('region', { name: 'Shared' })
  await shared.getByRole('button', { name: 'Views of two 2', exact: true }).waitFor()
  await act('Delete')
  await undo(page, 'View “Views of two” deleted.')
  await shared.getByRole('button', { name: 'Views of two 2', exact: true }).click()
  await page.waitForURL(/reporter=views/)
  await pressKeys(page, 'g', '7')
  await page.waitForURL(/state=any/)
  await assertNothingRan(page)
})

test('the list is exported as CSV, and no cell of it is a formula', async () => {
  const [first = ''] = await openCases('csv', 1, { customer_id: '=1+1' })
  const { page } = await kit.signIn('agent', `/cases?customer=${encodeURIComponent('=1+1')}`)
  await rowOf(page, '=1+1').waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const lines = readFileSync(await file.path(), 'utf8').split('\r\n')
  assert.match(lines[0] ?? '', /^id,state,severity,customer_id/)
  assert.match(lines[1] ?? '', new RegExp(`^${first},NEW,[a-z]*,'=1\\+1,`))
})

test('what strangers write is text in the queue and its panel', async () => {
  const { app } = kit
  const customer = EVIL_TEXTS[1]
  const json = { id: customer, name: EVIL_TEXTS[0] }
  const made = await app.send('POST', '/beta/casework/customers', { token: app.token, json })
  assert.equal(made.status, 201, made.text)
  const event = {
    event_type: 'Phishing',
    domain: 'evil.example',
    event_date: '2026-11-01T00:00:00Z',
    sender_email: 'reporter@example.org',
    customer_id: customer,
  }
  await app.send('POST', '/beta/casework/events', { token: app.token, json: event })
  const { page } = await kit.signIn('agent', `/cases?customer=${encodeURIComponent(customer)}`)
  const row = rowOf(page, EVIL_TEXTS[0])
  await row.click()
  await page.getByRole('complementary').getByText(EVIL_TEXTS[0]).waitFor()
  await assertNothingRan(page)
})
