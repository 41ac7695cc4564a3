// Proves the page of a case: its acts by mouse and by keyboard, its timeline and URL, mails, merges
// and splits, its states, and what strangers write.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import {
  assertNothingRan,
  EVIL_TEXTS,
  lookOver,
  lookOverState,
  until,
  withConsole,
} from '../../../../test/console/console-kit.ts'
import { pressInDialog, pressKey } from '../../../../test/console/keyboard.ts'
import {
  createActivePlaybook,
  type GraphNode,
  runDueSteps,
  trigger,
} from '../../../../test/playbook-fixtures.ts'

const kit = withConsole()
const CASES = '/beta/casework/cases'

const ASK: readonly GraphNode[] = [
  { id: 'begin', kind: 'start', paths: { next: 'ask' } },
  {
    id: 'ask',
    kind: 'manual',
    config: {
      question: 'Is it abuse?',
      paths: ['yes', 'no', 'later'],
      titles: { yes: 'It is', no: 'It is not', later: 'Ask later' },
      timeout: 'P2D',
      form: [{ name: 'why', type: 'text', label: 'Why', required: ['yes'] }],
    },
    paths: { yes: 'work', no: 'done', later: 'done', timeout: 'done' },
  },
  { id: 'work', kind: 'set_state', config: { state: 'IN_PROGRESS' }, paths: { next: 'done' } },
  { id: 'done', kind: 'end' },
]

async function post(path: string, json: object): Promise<void> {
  const { app } = kit
  const answer = await app.send('POST', path, { token: app.token, json })
  assert.ok(answer.status < 300, answer.text)
}

/** A case of the customer with so many events, two of them by another reporter. */
async function openCase(customer: string, count = 6): Promise<string> {
  const json = Array.from({ length: count }, (_, index) => ({
    event_type: 'LoginAttack',
    ip: '198.51.100.7',
    event_date: new Date(Date.UTC(2026, 10, 20, index)).toISOString(),
    sender_email: index < count - 2 ? 'fail2ban@example.org' : 'cert@example.net',
    customer_id: customer,
    report_id: `${customer}-${index}`,
  }))
  const { app } = kit
  const answer = await app.send('POST', '/beta/casework/events', { token: app.token, json })
  assert.ok(answer.status < 300, answer.text)
  return answer.json().items[0].case_id
}

async function startAsking(caseId: string): Promise<string> {
  const playbook = await createActivePlaybook(kit.app, kit.app.token, ASK)
  await post(`${CASES}/${caseId}/runs`, { playbook_id: playbook })
  await runDueSteps(kit.app)
  return playbook
}

async function openPage(role: string, caseId: string, query = ''): Promise<Page> {
  const { page } = await kit.signIn(role, `/cases/${caseId}${query}`)
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  return page
}

function toast(page: Page, text: string | RegExp): Locator {
  return page.getByRole('status').filter({ hasText: text }).last()
}

test('the head says what the case is, and its buttons take the ways out', async () => {
  const caseId = await openCase('ways')
  await startAsking(caseId)
  const page = await openPage('lead', caseId)
  await page.getByText('Is it abuse?').first().waitFor()
  await page.getByText(/LoginAttack from/).waitFor()
  await page.getByText(/6 events, 2 reporters, since 20 Nov 2026/).waitFor()
  await page.getByRole('button', { name: 'It is not' }).click()
  await toast(page, 'Chosen: It is not.').waitFor()
  await page.getByRole('button', { name: 'It is not' }).waitFor({ state: 'detached' })
})

test('a way that somebody else took changes the buttons with a note and no error', async () => {
  const caseId = await openCase('taken')
  const playbook = await startAsking(caseId)
  const { page } = await kit.signIn('lead')
  // Without the stream of changes the page does not know yet.
  await page.route('**/beta/casework/stream*', (route) => route.abort())
  await page.goto(`/cases/${caseId}`)
  const button = page.getByRole('button', { name: 'Ask later' })
  await button.waitFor()
  await trigger(kit.app, kit.app.token, caseId, { node: `${playbook}/ask`, path: 'no' })
  await runDueSteps(kit.app)
  await button.click()
  await toast(page, 'Somebody else has chosen meanwhile').waitFor()
  await button.waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('alert').count(), 0)
})

test('a way with a form is taken by keyboard', async () => {
  const caseId = await openCase('form')
  await startAsking(caseId)
  const page = await openPage('lead', caseId)
  await page.getByRole('button', { name: 'It is …' }).waitFor()
  await pressKey(page, 't')
  await page.getByRole('dialog', { name: 'Trigger the playbook' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'It is …' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'It is' })
  await form.getByRole('textbox', { name: 'Why' }).fill('The logs say so.')
  await form.getByRole('button', { name: 'It is' }).press('Enter')
  await toast(page, 'Chosen: It is.').waitFor()
})

test('a case is assigned, moved and commented by keyboard; a comment survives a reload', async () => {
  const caseId = await openCase('keys')
  const page = await openPage('agent', caseId)
  await pressKey(page, 'a')
  await page.getByRole('combobox', { name: 'Assignee' }).fill('me')
  await page.keyboard.press('Enter')
  await toast(page, /^Assigned to/)
    .getByRole('button', { name: 'Undo' })
    .waitFor()
  await pressKey(page, 's')
  await page.getByRole('dialog', { name: 'Change the state' }).waitFor()
  await page.getByRole('radio', { name: 'In progress' }).waitFor()
  await pressInDialog(page, 'Enter')
  await page.getByRole('heading', { level: 1 }).getByText('In progress').waitFor()
  await pressKey(page, 'c')
  const comment = page.getByRole('textbox', { name: 'Comment' })
  await comment.and(page.locator(':focus')).waitFor()
  await comment.pressSequentially('Called the customer.')
  await page.reload()
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  assert.equal(await comment.inputValue(), 'Called the customer.')
  await comment.press('Control+Enter')
  const timeline = page.getByRole('list', { name: 'Timeline' })
  await timeline.getByText('Called the customer.').waitFor()
  await until('the field is empty', async () => (await comment.inputValue()) === '')
})

test('events of one sender are one line; kinds and order stand in the URL', async () => {
  const caseId = await openCase('fold')
  const page = await openPage('viewer', caseId)
  const timeline = page.getByRole('list', { name: 'Timeline' })
  const line = timeline.getByRole('listitem').filter({ hasText: 'fail2ban@example.org' })
  await line.getByText('4 events').waitFor()
  await line.getByRole('button', { name: 'Show each' }).click()
  await line.getByRole('link', { name: 'Event' }).nth(3).waitFor()
  assert.equal(await line.getByRole('link', { name: 'Event' }).count(), 4)
  await page.getByText('Decisions', { exact: true }).click()
  await page.waitForURL(/show=decisions/)
  await line.waitFor({ state: 'detached' })
  await timeline.getByText('Case opened').waitFor()
  await page.getByRole('button', { name: 'Newest last' }).click()
  await page.waitForURL(/order=newest/)
  await page.reload()
  await page.getByRole('button', { name: 'Newest first' }).waitFor()
  await timeline.getByText('Case opened').waitFor()
  await page.getByText('Mails', { exact: true }).click()
  await page.getByRole('heading', { name: 'Nothing of this kind yet' }).waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await line.waitFor()
})

test('the playbook is a graph and a list, with its place', async () => {
  const caseId = await openCase('graph')
  await startAsking(caseId)
  const page = await openPage('lead', caseId)
  await page.getByText(/Stands at ask · waits on: Us · next timer/).waitFor()
  await page.getByRole('button', { name: 'Fit the whole graph' }).waitFor()
  await page.getByText('List', { exact: true }).click()
  await page.waitForURL(/steps=list/)
  await page.getByRole('list', { name: 'Steps' }).getByText('here now').waitFor()
})

test('a mail is shown as it goes out before it is sent', async () => {
  const contacts = [{ email: 'abuse@customer.example', purpose: 'abuse', language: 'en' }]
  await post('/beta/casework/customers', { id: 'mailed', name: 'Mailed Ltd', contacts })
  const caseId = await openCase('mailed')
  const page = await openPage('lead', caseId)
  await page.getByRole('link', { name: 'Mailed Ltd' }).first().waitFor()
  await pressKey(page, 'r')
  const dialog = page.getByRole('dialog', { name: 'Write a mail about the case' })
  await dialog.getByRole('textbox', { name: 'Your text' }).fill('Please look at port 22.')
  const preview = dialog.getByRole('region', { name: 'The mail as it goes out' })
  await preview.getByText('Please look at port 22.').waitFor()
  await preview.getByText('No relay is set').waitFor()
  await dialog.getByRole('button', { name: 'Send to abuse@customer.example' }).click()
  await toast(page, 'Mail handed over.').waitFor()
  await page.getByText('Mail to the customer, held back').waitFor()
})

test('events are split off, and a case is merged by search and taken back', async () => {
  const caseId = await openCase('merging')
  const page = await openPage('lead', caseId)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Split off events' }).click()
  const split = page.getByRole('dialog', { name: 'Split off events' })
  await split.getByRole('textbox', { name: 'Address, domain or reporter' }).fill('cert@')
  await split.getByRole('checkbox', { name: 'Choose all 2 shown' }).check()
  await split.getByText('2 events become a new case; 4 stay.').waitFor()
  await split.getByRole('button', { name: 'Split off 2 events' }).click()
  await page.waitForURL((url) => !url.pathname.endsWith(caseId))
  await page.getByText(/2 events, 1 reporter/).waitFor()
  await pressKey(page, 'm')
  const merge = page.getByRole('dialog', { name: 'Merge with another case' })
  await merge.getByRole('radio', { name: /LoginAttack, 198.51.100.7/ }).check()
  await merge.getByRole('radio', { name: 'The other: this case is merged into it' }).check()
  await merge.getByRole('button', { name: 'Merge cases' }).click()
  await page.waitForURL((url) => url.pathname.endsWith(caseId))
  await page.getByText(/6 events, 2 reporters/).waitFor()
  await toast(page, '1 case merged into this one.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.getByText(/4 events, 1 reporter/).waitFor()
})

test('n and p go through the queue that the case was opened from', async () => {
  const first = await openCase('walk')
  const { page } = await kit.signIn('agent', '/cases?customer=walk')
  const row = page.getByRole('row').filter({ hasText: 'LoginAttack' })
  await row.first().waitFor()
  await pressKey(page, 'j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/queue=/)
  await page.getByText('1 of 1').waitFor()
  assert.match(page.url(), new RegExp(first))
})

test('a case that is not there, and a part that fails, say so', async () => {
  const { page } = await kit.signIn('viewer', '/cases/C-00000000-0000-7000-8000-000000000000')
  await page.getByRole('heading', { name: 'This does not exist' }).waitFor()
  await page.getByRole('link', { name: 'To the cases' }).click()
  await page.waitForURL(/\/cases$/)
  const caseId = await openCase('failing')
  await page.route('**/timeline?*', (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto(`/cases/${caseId}`)
  const part = page.getByRole('region', { name: 'Timeline' })
  await part.getByRole('heading', { name: 'This could not be loaded' }).waitFor()
  await page.getByRole('heading', { name: /What we know/ }).waitFor()
  await page.unroute('**/timeline?*')
  await part.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('list', { name: 'Timeline' }).waitFor()
})

test('what strangers wrote is text, and the page passes axe at every width', async () => {
  const evil = EVIL_TEXTS.join(' ')
  await post('/beta/casework/customers', { id: 'evil', name: evil.slice(0, 200) })
  const caseId = await openCase('evil')
  await startAsking(caseId)
  await post(`${CASES}/${caseId}/comments`, { text: evil })
  await post(`${CASES}/${caseId}/hold`, { reason: evil })
  const page = await openPage('instance-admin', caseId)
  await page.getByText(EVIL_TEXTS[0]).first().waitFor()
  await page.getByRole('button', { name: 'Fit the whole graph' }).waitFor()
  await lookOver(page, 'case')
  await assertNothingRan(page)
  await pressKey(page, 'r')
  await page.getByRole('dialog', { name: 'Write a mail about the case' }).waitFor()
  await lookOverState(page, 'case-mail')
})
