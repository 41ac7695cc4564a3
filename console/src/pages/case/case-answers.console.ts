// Proves what the page of a case makes of answers: those that come late leave alone what was done
// since, those that fail say so, and what the history holds is told in words.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { moveTo, until, withConsole } from '../../../../test/console/console-kit.ts'
import { pressKey, waitForRest } from '../../../../test/console/keyboard.ts'
import { holdAnswers } from '../../../../test/console/late-answers.ts'
import { PREFERENCES } from '../../../../test/console/windows.ts'
import {
  createActivePlaybook,
  type GraphNode,
  runDueSteps,
} from '../../../../test/playbook-fixtures.ts'

const kit = withConsole()
const CASES = '/beta/casework/cases'

async function post(path: string, json: object) {
  const { app } = kit
  const answer = await app.send('POST', path, { token: app.token, json })
  assert.ok(answer.status < 300, answer.text)
  return answer
}

async function openCase(customer: string): Promise<string> {
  const event = {
    event_type: 'LoginAttack',
    ip: '198.51.100.8',
    event_date: '2026-11-20T10:00:00Z',
    sender_email: 'cert@example.net',
    customer_id: customer,
    // Without one, it would be the event of the test before, once more.
    report_id: customer,
  }
  return (await post('/beta/casework/events', event)).json().case_id
}

/** A manual node with two ways and what else is given. */
async function startAsking(caseId: string, config: object = {}): Promise<string> {
  const nodes: readonly GraphNode[] = [
    { id: 'begin', kind: 'start', paths: { next: 'ask' } },
    {
      id: 'ask',
      kind: 'manual',
      config: { paths: ['yes', 'no'], titles: { yes: 'It is', no: 'It is not' }, ...config },
      paths: { yes: 'done', no: 'done' },
    },
    { id: 'done', kind: 'end' },
  ]
  const playbook = await createActivePlaybook(kit.app, kit.app.token, nodes)
  const run = await post(`${CASES}/${caseId}/runs`, { playbook_id: playbook })
  await runDueSteps(kit.app)
  return run.json().run_id
}

async function openPage(role: string, caseId: string): Promise<Page> {
  const { page } = await kit.signIn(role, `/cases/${caseId}`)
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  return page
}

function toast(page: Page, text: string): Locator {
  return page.getByRole('status').filter({ hasText: text }).last()
}

test('a mail is sent only to the recipient that its button names', async () => {
  const contacts = [{ email: 'abuse@button.example', purpose: 'abuse', language: 'en' }]
  await post('/beta/casework/customers', { id: 'button', contacts })
  const page = await openPage('lead', await openCase('button'))
  await pressKey(page, 'r')
  const dialog = page.getByRole('dialog', { name: 'Write a mail about the case' })
  await dialog.getByRole('textbox', { name: 'Your text' }).fill('Please look.')
  await dialog.getByRole('button', { name: 'Send to abuse@button.example' }).waitFor()
  const held = await holdAnswers(page, /notices\?preview=true/, 'POST')
  const asked = page.waitForRequest(
    (request) => request.postData()?.includes('cert@example.org') === true,
  )
  await dialog.getByText('Other', { exact: true }).click()
  await dialog.getByRole('textbox', { name: 'E-mail address' }).fill('cert@example.org')
  await asked
  await waitForRest(page)
  assert.ok(await dialog.getByRole('button', { name: /^Send/ }).isDisabled())
  held.release()
  const button = dialog.getByRole('button', { name: 'Send to cert@example.org' })
  await until('the mail can be sent', () => button.isEnabled())
})

test('what is written while a comment is sent stays in the field', async () => {
  const page = await openPage('agent', await openCase('typing'))
  const held = await holdAnswers(page, /\/comments$/, 'POST')
  const comment = page.getByRole('textbox', { name: 'Comment' })
  await comment.fill('Called the customer.')
  await comment.press('Control+Enter')
  await comment.press('End')
  await comment.pressSequentially(' Nobody answered.')
  held.release()
  await toast(page, 'Comment added.').waitFor()
  await until('the rest stays', async () => (await comment.inputValue()) === 'Nobody answered.')
})

test('the answer to an act that was left does not close the next dialog', async () => {
  const page = await openPage('instance-admin', await openCase('left'))
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Place a legal hold' }).click()
  const dialog = page.getByRole('dialog', { name: 'Place a legal hold' })
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Asked by court.')
  const held = await holdAnswers(page, /\/hold$/, 'POST')
  await dialog.getByRole('button', { name: 'Place a legal hold' }).click()
  await page.keyboard.press('Escape')
  await pressKey(page, 'r')
  const mail = page.getByRole('dialog', { name: 'Write a mail about the case' })
  await mail.waitFor()
  held.release()
  await toast(page, 'Legal hold placed.').waitFor()
  await waitForRest(page)
  assert.equal(await mail.count(), 1)
})

test('a way that cannot be taken says why; only one that is left was chosen by somebody', async () => {
  const caseId = await openCase('paused')
  const runId = await startAsking(caseId)
  const { page } = await kit.signIn('lead')
  // Without the stream of changes the page does not know yet.
  await page.route('**/beta/casework/stream*', (route) => route.abort())
  await page.goto(`/cases/${caseId}`)
  const button = page.getByRole('button', { name: 'It is not' })
  await button.waitFor()
  await post(`/beta/casework/runs/${runId}/pause`, {})
  await button.click()
  await toast(page, 'The run is paused').waitFor()
})

test('the second of four eyes begins with all that the first one wrote', async () => {
  const caseId = await openCase('eyes')
  const options = [{ value: 'spam', label: 'Unwanted mail' }]
  const form = [{ name: 'seen', type: 'choices', label: 'Seen', options, required: ['yes'] }]
  await startAsking(caseId, { four_eyes: true, form })
  const first = { node: 'ask', path: 'yes', form: { seen: ['spam'] } }
  await post(`${CASES}/${caseId}/decisions`, first)
  const page = await openPage('lead', caseId)
  await page.getByRole('button', { name: 'It is …' }).click()
  const dialog = page.getByRole('dialog', { name: 'It is' })
  await dialog.getByText('Unwanted mail', { exact: true }).first().waitFor()
  assert.ok(await dialog.getByRole('button', { name: 'It is' }).isEnabled())
})

test('a box that is not ticked is the answer "no", where one is needed', async () => {
  const caseId = await openCase('box')
  const form = [{ name: 'listed', type: 'boolean', label: 'Listed', required: ['yes'] }]
  await startAsking(caseId, { four_eyes: true, form })
  const page = await openPage('lead', caseId)
  await page.getByRole('button', { name: 'It is …' }).click()
  const dialog = page.getByRole('dialog', { name: 'It is' })
  await dialog.getByRole('checkbox', { name: 'Listed' }).waitFor()
  await dialog.getByRole('button', { name: 'It is' }).click()
  await toast(page, 'Chosen: It is.').waitFor()
  const path = `${CASES}/${caseId}/triggers`
  const answer = await kit.app.send('GET', path, { token: kit.app.token })
  assert.deepEqual(answer.json().items[0].first_decision.form, { listed: false })
})

test('a template that may not go to a party is not chosen for it', async () => {
  const page = await openPage('lead', await openCase('party'))
  await pressKey(page, 'r')
  const dialog = page.getByRole('dialog', { name: 'Write a mail about the case' })
  const template = dialog.getByRole('combobox', { name: 'Template' })
  await template.click()
  await page.getByRole('option', { name: 'reminder', exact: true }).click()
  await dialog.getByText('Reporter', { exact: true }).click()
  await until('another one is chosen', async () => (await template.inputValue()) === 'answer')
})

test('events that left a case cannot be split off from it again', async () => {
  const events = Array.from({ length: 3 }, (_, index) => ({
    event_type: 'LoginAttack',
    ip: '198.51.100.8',
    event_date: new Date(Date.UTC(2026, 10, 20, index)).toISOString(),
    sender_email: 'cert@example.net',
    customer_id: 'again',
    report_id: `again-${index}`,
  }))
  const pushed = (await post('/beta/casework/events', events)).json()
  const page = await openPage('lead', pushed.items[0].case_id)
  const start = async (): Promise<Locator> => {
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Split off events' }).click()
    return page.getByRole('dialog', { name: 'Split off events' })
  }
  const split = await start()
  await split
    .getByRole('checkbox', { name: /^LoginAttack/ })
    .first()
    .check()
  await split.getByRole('button', { name: 'Split off 1 event' }).click()
  await page.waitForURL((url) => !url.pathname.endsWith(pushed.items[0].case_id))
  await page.getByText(/1 event, 1 reporter/).waitFor()
  await page.goBack()
  await page.getByText(/2 events, 1 reporter/).waitFor()
  const again = await start()
  await again.getByRole('checkbox', { name: 'Choose all 2 shown' }).waitFor()
})

test('times that are told, typed and asked for are of the zone of the person', async () => {
  const caseId = await openCase('words')
  const change = { severity: 'high', deadline_at: '2026-12-01T12:00:00.000Z' }
  await post(`${CASES}/bulk`, { ids: [caseId], change })
  const page = await openPage('lead', caseId)
  const timeline = page.getByRole('list', { name: 'Timeline' })
  await timeline.getByText(/Severity: High/).waitFor()
  await timeline.getByText(/Deadline: 1 Dec 2026, 13:00/).waitFor()
  await page.evaluate(`localStorage.setItem('${PREFERENCES}', '{"tour":"done","zone":"utc"}')`)
  await page.reload()
  await timeline.getByText(/Deadline: 1 Dec 2026, 12:00/).waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Set a deadline' }).click()
  const deadline = page.getByRole('dialog').getByLabel('Deadline')
  assert.equal(await deadline.inputValue(), '2026-12-01T12:00')
  await deadline.fill('2026-12-02T08:30')
  await page.getByRole('button', { name: 'Set deadline' }).click()
  await timeline.getByText(/Deadline: 2 Dec 2026, 08:30/).waitFor()
  const asked = page.waitForRequest((request) =>
    /deadline_before=[^&]*T00.*created_after=2026-11-11T00/.test(request.url()),
  )
  await moveTo(page, '/cases?due=today&created=2026-11-11..')
  await asked
})

test('a playbook that failed says why in words', async () => {
  const caseId = await openCase('failed')
  const playbook = await createActivePlaybook(kit.app, kit.app.token, [
    { id: 'begin', kind: 'start', paths: { next: 'look' } },
    { id: 'look', kind: 'true_false', config: { condition: 'vars.none.at > 1' } },
  ])
  await post(`${CASES}/${caseId}/runs`, { playbook_id: playbook })
  await runDueSteps(kit.app)
  const page = await openPage('lead', caseId)
  const panel = page.getByRole('region', { name: /^Playbook/ })
  await panel.getByText('A condition could not be computed').waitFor()
})

test('a failure to list the people is said where one is chosen', async () => {
  const { page } = await kit.signIn('agent')
  await page.route('**/beta/casework/assignees*', (route) =>
    route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{}' }),
  )
  await page.goto(`/cases/${await openCase('people')}`)
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  await pressKey(page, 'a')
  await page.getByRole('combobox', { name: 'Assignee' }).waitFor()
  await page.getByRole('alert').waitFor()
})
