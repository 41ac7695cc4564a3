// Proves that all tabs of a browser follow its one session, that nothing of one tenant or person is
// shown to the next, and that leaving or switching says so when it fails.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { moveTo, withConsole } from '../../../test/console/console-kit.ts'
import { waitForRest } from '../../../test/console/keyboard.ts'
import { holdAnswers } from '../../../test/console/late-answers.ts'
import { createPerson, invite, PASSWORD } from '../../../test/people-kit.ts'

const kit = withConsole()
const [FIRST, SECOND] = ['shared-one', 'shared-two'] as const
const FAILED = 'That did not work, and nothing was changed.'
const REFUSAL = { status: 500, contentType: 'application/problem+json', body: '{}' }

let made: Promise<unknown> | null = null

/** A person of both tenants who is in the second one. */
async function enter(): Promise<Page> {
  made ??= Promise.all([FIRST, SECOND].map((tenantId) => kit.app.createTenant(tenantId)))
  await made
  const roles = ['tenant-admin']
  const { email } = await createPerson(kit.app, kit.app.token, { tenantId: FIRST, roles })
  const { link } = await invite(kit.app, kit.app.token, { email, tenantId: SECOND, roles })
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
}

async function pushEvent(tenantId: string, domain: string): Promise<void> {
  const token = await kit.app.createToken({ tenantId })
  const json = {
    event_type: 'Phishing',
    domain,
    event_date: new Date().toISOString(),
    sender_email: 'shared@example.org',
  }
  const answer = await kit.app.send('POST', '/beta/casework/events', { token, json })
  assert.equal(answer.status, 201, answer.text)
}

test('another tab that switches the tenant takes this one along, with nothing of the former', async () => {
  const page = await enter()
  await pushEvent(SECOND, 'two-tabs.example')
  await moveTo(page, '/cases?state=any')
  await page.getByText('two-tabs.example').first().waitFor()
  const other = await page.context().newPage()
  await other.goto('/')
  await choose(other, SECOND, FIRST)
  await page.getByRole('button', { name: `Tenant: ${FIRST}` }).waitFor()
  await page.getByText('No cases yet').waitFor()
  assert.equal(await page.getByText('two-tabs.example').count(), 0)
})

test('another tab that signs out ends this one', async () => {
  const page = await enter()
  const other = await page.context().newPage()
  await other.goto('/')
  await other.getByRole('button', { name: /^Account of/ }).click()
  await other.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('a session that was asked for before a switch and comes after it is not shown', async () => {
  const page = await enter()
  const held = await holdAnswers(page, '**/beta/session', 'GET')
  // The session is asked for again when the window is looked at after a while.
  await page.clock.setFixedTime(Date.now() + 120_000)
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
  await held.isAnswered
  await choose(page, SECOND, FIRST)
  const answered = page.waitForResponse((response) => response.url().endsWith('/beta/session'))
  held.release()
  await (await answered).finished()
  await waitForRest(page)
  await page.getByRole('button', { name: `Tenant: ${FIRST}` }).waitFor()
  assert.equal(await page.getByRole('button', { name: `Tenant: ${SECOND}` }).count(), 0)
})

test('what is half written in one tenant is not in the form of another, and is there again', async () => {
  const page = await enter()
  const reason = page.getByRole('textbox', { name: 'Reason' })
  await moveTo(page, '/rules/new-mute-rule')
  await reason.fill('A customer of the second')
  await choose(page, SECOND, FIRST)
  await moveTo(page, '/rules/new-mute-rule')
  assert.equal(await reason.inputValue(), '')
  await choose(page, FIRST, SECOND)
  await moveTo(page, '/rules/new-mute-rule')
  assert.equal(await reason.inputValue(), 'A customer of the second')
})

test('a failure that was said in one tenant does not stay in another', async () => {
  const page = await enter()
  const token = await kit.app.createToken({ tenantId: SECOND })
  const json = { id: 'said', name: 'Said', order: 1, key_fields: ['ip'] }
  const answer = await kit.app.send('POST', '/beta/casework/case-groups', { token, json })
  assert.equal(answer.status, 201, answer.text)
  await moveTo(page, '/rules')
  await page.route('**/beta/casework/case-groups/*', (route) => route.fulfill(REFUSAL))
  await page.getByRole('switch', { name: 'Enabled: Said' }).press(' ')
  await page.getByText(FAILED).waitFor()
  await choose(page, SECOND, FIRST)
  assert.equal(await page.getByText(FAILED).count(), 0)
})

test('a sign-out or a switch that fails is said, and works when it is tried again', async () => {
  const page = await enter()
  await page.route('**/beta/session', async (route) => {
    if (route.request().method() === 'GET') await route.fallback()
    else await route.fulfill(REFUSAL)
  })
  const leave = async (): Promise<void> => {
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }
  await page.getByRole('button', { name: `Tenant: ${SECOND}` }).click()
  await page.getByRole('menuitem', { name: FIRST }).click()
  await page.getByText(FAILED).waitFor()
  await leave()
  await page.getByText(FAILED).nth(1).waitFor()
  await page.unroute('**/beta/session')
  await leave()
  await page.getByText('You are signed out.').waitFor()
})
