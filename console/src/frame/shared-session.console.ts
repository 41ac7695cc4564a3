// Proves that all tabs of a browser follow its one session, that nothing of one tenant or person is
// shown to the next, and that leaving or switching says so when it fails.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { moveTo, withConsole } from '../../../test/console/console-kit.ts'
import { waitForRest } from '../../../test/console/keyboard.ts'
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
