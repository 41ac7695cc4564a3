// Proves the pages of notices: the outbox, the list of addresses without mail, a template with its
// preview, and the limits.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from 'playwright-core'
import {
  assertNothingRan,
  EVIL_TEXTS,
  lookOver,
  moveTo,
  withConsole,
} from '../../../../test/console/console-kit.ts'
import { pressKey } from '../../../../test/console/keyboard.ts'

const kit = withConsole()

const ROLE = 'tenant-admin'

async function send(path: string, json: object) {
  const answer = await kit.app.send('POST', path, { token: kit.app.token, json })
  assert.ok(answer.status < 300, answer.text)
  return answer.json()
}

/** A notice that waits for a relay; its id. */
async function holdNotice(customer: string): Promise<string> {
  const contacts = [{ email: `abuse@${customer}.example`, purpose: 'abuse', language: 'en' }]
  await send('/beta/casework/customers', { id: customer, contacts })
  const { case_id: caseId } = await send('/beta/casework/events', {
    event_type: 'Spam',
    domain: `${customer}.example`,
    event_date: new Date().toISOString(),
    sender_email: 'radar@blimpworks.example',
    customer_id: customer,
  })
  const notice = { template: 'answer', party: 'customer', text: 'Please look.' }
  return (await send(`/beta/casework/cases/${caseId}/notices`, notice)).id
}

function refuse(route: Route): Promise<void> {
  return route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{}' })
}

test('an empty outbox says what it is for', async () => {
  await kit.app.createTenant('no-notices')
  const { page } = await kit.signIn(ROLE, '/notices', 'no-notices')
  await page.getByRole('heading', { name: 'No notices yet' }).waitFor()
  await page.goto('/notices?state=bounced')
  await page.getByRole('heading', { name: 'No notice has these properties' }).waitFor()
})

test('an address is put on the list by keyboard, taken off, and put back by Undo', async () => {
  const { page } = await kit.signIn(ROLE, '/notices?tab=suppressed')
  await page.getByRole('button', { name: 'Add address' }).waitFor()
  await pressKey(page, 'n')
  await page.getByRole('textbox', { name: 'Address' }).fill('someone@example.net')
  await page.getByRole('textbox', { name: 'Reason' }).fill(EVIL_TEXTS[0])
  await page.getByRole('textbox', { name: 'Address' }).press('Enter')
  await page.getByText('someone@example.net gets no more mail.').waitFor()
  await page.getByText(EVIL_TEXTS[0]).waitFor()
  await assertNothingRan(page)
  await page.getByRole('button', { name: 'Take someone@example.net off the list' }).click()
  await page.getByText('someone@example.net gets mail again.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.getByRole('button', { name: 'Take someone@example.net off the list' }).waitFor()
})

test('an address that is on the list already has no Undo, which would take it off', async () => {
  const path = '/beta/casework/suppressed-addresses/bounced@example.net'
  await kit.app.send('PUT', path, { token: kit.app.token, json: {} })
  const { page } = await kit.signIn(ROLE, '/notices?tab=suppressed')
  await page.getByRole('row').filter({ hasText: 'bounced@example.net' }).waitFor()
  await pressKey(page, 'n')
  await page.getByRole('textbox', { name: 'Address' }).fill('Bounced@example.net')
  await page.getByRole('textbox', { name: 'Address' }).press('Enter')
  await page.getByText('Bounced@example.net gets no more mail.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0)
})

test('an address that could not be added stays in its form', async () => {
  const { page } = await kit.signIn(ROLE, '/notices?tab=suppressed')
  await page.getByRole('button', { name: 'Add address' }).click()
  const address = page.getByRole('textbox', { name: 'Address' })
  await page.route('**/beta/casework/suppressed-addresses**', refuse)
  await address.fill('kept@example.net')
  await address.press('Enter')
  await page.getByText('That did not work').waitFor()
  await page.getByRole('dialog').getByRole('alert').waitFor()
  assert.equal(await address.inputValue(), 'kept@example.net')
})

test('a recipient that is refused can be corrected, and the field follows the URL', async () => {
  await holdNotice('outbox')
  const { page } = await kit.signIn(ROLE, '/notices?recipient=ab')
  const recipient = page.getByRole('textbox', { name: 'Recipient, in full' })
  await page.getByRole('button', { name: 'Retry' }).waitFor()
  await recipient.fill('abuse@outbox.example')
  await page.getByRole('row').filter({ hasText: 'abuse@outbox.example' }).waitFor()
  await moveTo(page, '/notices')
  assert.equal(await recipient.inputValue(), '')
})

test('a further page that fails leaves the notices that are there', async () => {
  await holdNotice('further')
  const { page } = await kit.signIn(ROLE)
  await page.route('**/beta/casework/notices?*', async (route) => {
    if (route.request().url().includes('cursor=')) return await refuse(route)
    const response = await route.fetch()
    await route.fulfill({ json: { ...(await response.json()), next_cursor: 'further' } })
  })
  await page.goto('/notices')
  await page.getByRole('button', { name: 'Retry' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'abuse@further.example' }).waitFor()
})

test('a key that is pressed twice sends a notice once', async () => {
  const noticeId = await holdNotice('twice')
  const { page } = await kit.signIn(ROLE, `/notices?open=${noticeId}`)
  await page.getByRole('button', { name: 'Drop' }).waitFor()
  const { promise, resolve } = Promise.withResolvers<void>()
  let count = 0
  await page.route('**/resend', async (route) => {
    count += 1
    await promise
    await refuse(route)
  })
  await pressKey(page, 's')
  await pressKey(page, 's')
  resolve()
  await page.getByText('That did not work').first().waitFor()
  assert.equal(count, 1)
})

test('a template is written; a forbidden variable is refused at its field', async () => {
  const { page } = await kit.signIn(ROLE, '/notices/templates/notice/en')
  const subject = page.getByRole('textbox', { name: 'Subject' })
  await subject.fill('Abuse: {{ event.sender_email }}')
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByText(/the variable event\.sender_email is not shown/).waitFor()
  await subject.fill('Abuse: {{ case.id }}')
  await page.reload()
  await page.getByText('Abuse: {{ case.id }}').waitFor()
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByText('Yours, version 1').waitFor()
  await page.goto('/notices/templates/notice/en')
  await page.getByRole('button', { name: 'Back to the shipped text' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Back to the shipped text' }).click()
  await page.getByText('The template was deleted.').waitFor()
})

test('a template that could not be saved stays with what was written', async () => {
  const { page } = await kit.signIn(ROLE, '/notices/templates/notice/de')
  const subject = page.getByRole('textbox', { name: 'Subject' })
  await subject.fill('Abuse: {{ case.id }}, please look')
  await page.route('**/beta/casework/templates**', refuse)
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByText('That did not work').waitFor()
  await page.getByRole('alert').first().waitFor()
  await page.getByText('Abuse: {{ case.id }}, please look').first().waitFor()
})

test('limits are saved; a viewer reads no templates', async () => {
  const { page } = await kit.signIn(ROLE, '/notices?tab=limits')
  await page.getByRole('switch', { name: 'Limit Receipt' }).click()
  await page.getByText('Not limited').waitFor()
  await page.getByRole('button', { name: 'Save limits' }).click()
  await page.getByText(/The limits were saved/).waitFor()
  await page.reload()
  await page.getByText('Not limited').waitFor()
})

test('limits go back by Undo, and what is set stays when the answer cannot be renewed', async () => {
  await kit.app.createTenant('limits')
  const { page } = await kit.signIn(ROLE, '/notices?tab=limits', 'limits')
  const receipt = page.getByRole('switch', { name: 'Limit Receipt' })
  await receipt.click()
  await page.getByRole('button', { name: 'Save limits' }).click()
  await page.getByText(/The limits were saved/).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  await receipt.and(page.locator(':checked')).waitFor()
  const stored = await page.request.get('/beta/casework/notice-limits')
  assert.ok('receipt' in (await stored.json()).limits)
  await page.route('**/beta/casework/notice-limits', refuse)
  await receipt.click()
  await page.getByRole('button', { name: 'Save limits' }).click()
  await page.getByText('That did not work').waitFor()
  await page.getByRole('alert').waitFor()
  await page.getByText('Not limited').waitFor()
})

test('a failure is said with a way to try again', async () => {
  const { page } = await kit.signIn(ROLE, '/account')
  await page.route('**/beta/casework/notices?*', (route) =>
    route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{}' }),
  )
  await moveTo(page, '/notices')
  await page.getByRole('button', { name: 'Retry' }).waitFor()
})

test('the pages of notices pass axe in both schemes and three widths', async () => {
  const { page } = await kit.signIn(ROLE, '/notices?tab=templates')
  await page.getByRole('row').filter({ hasText: 'statement_of_reasons' }).first().waitFor()
  await lookOver(page, 'notices-templates')
  await moveTo(page, '/notices/templates/notice/en')
  await page.getByRole('textbox', { name: 'Text of the mail' }).waitFor()
  await lookOver(page, 'notices-editor')
  await moveTo(page, '/notices?tab=limits')
  await page.getByRole('button', { name: 'Save limits' }).waitFor()
  await lookOver(page, 'notices-limits')
  assert.match(page.url(), /tab=limits/)
})
