// Proves the pages of notices: the outbox, the list of addresses without mail, a template with its
// preview, and the limits.

import assert from 'node:assert/strict'
import { test } from 'node:test'
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

test('limits are saved; a viewer reads no templates', async () => {
  const { page } = await kit.signIn(ROLE, '/notices?tab=limits')
  await page.getByRole('switch', { name: 'Limit Receipt' }).click()
  await page.getByText('Not limited').waitFor()
  await page.getByRole('button', { name: 'Save limits' }).click()
  await page.getByText(/The limits were saved/).waitFor()
  await page.reload()
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
