// Proves that another tenant is chosen in the top bar, on each way into the page, and that nothing of
// the former tenant stays on the page.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until, withConsole } from '../../../test/console/console-kit.ts'
import { createPerson, invite, PASSWORD } from '../../../test/people-kit.ts'

const kit = withConsole()
const [FIRST, SECOND] = ['switch-one', 'switch-two'] as const

let made: Promise<unknown> | null = null

/** The page right after the link of an invitation to the second tenant, nothing loaded since. */
async function enterByLink(): Promise<Page> {
  made ??= Promise.all([FIRST, SECOND].map((tenantId) => kit.app.createTenant(tenantId)))
  await made
  const { email } = await createPerson(kit.app, kit.app.token, { tenantId: FIRST })
  const { link } = await invite(kit.app, kit.app.token, { email, tenantId: SECOND })
  const page = await kit.open(`/welcome#${link.split('#')[1] ?? ''}`)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
  return page
}

async function choose(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: `Tenant: ${from}` }).click()
  await page.getByRole('menuitem', { name: to }).click()
  await page.getByRole('button', { name: `Tenant: ${to}` }).waitFor()
  const session = await page.request.get('/beta/session')
  assert.equal((await session.json()).tenant_id, to)
}

test('right after a sign-in by link the tenant is switched, and back again', async () => {
  const page = await enterByLink()
  await choose(page, SECOND, FIRST)
  await choose(page, FIRST, SECOND)
})

test('a page with a record of the former tenant gives way to the start page', async () => {
  const page = await enterByLink()
  const token = await kit.app.createToken({ tenantId: SECOND })
  const json = {
    event_type: 'Phishing',
    domain: 'switch.example',
    event_date: new Date().toISOString(),
    sender_email: 'switch@example.org',
  }
  const pushed = await kit.app.send('POST', '/beta/casework/events', { token, json })
  await page.goto(`/cases/${pushed.json().case_id}`)
  await page.getByRole('list', { name: 'Timeline' }).waitFor()
  await choose(page, SECOND, FIRST)
  await page.getByRole('heading', { name: 'Look up', level: 1 }).waitFor()
  await page.goto('/cases?state=any')
  await page.getByText('No cases yet').waitFor()
  assert.equal(await page.getByText('switch.example').count(), 0)
})

test('a half-written text stays in its tenant, and Undo is for the tenant of its act', async () => {
  const page = await enterByLink()
  await page.goto('/parts')
  const comment = page.getByRole('textbox', { name: 'Comment' })
  await comment.fill('Of the second tenant.')
  await page.getByRole('button', { name: '2 cases moved.' }).click()
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.waitFor()
  await choose(page, SECOND, FIRST)
  assert.equal(await undo.count(), 0)
  await page.goto('/parts')
  assert.equal(await comment.inputValue(), '')
  await choose(page, FIRST, SECOND)
  await page.goto('/parts')
  await until('it is there again', async () => (await comment.inputValue()) !== '')
})
