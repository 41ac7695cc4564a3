// Proves the list of reports and the page of one: reading with marks, the queue by keyboard,
// correction by mouse, hostile mail, states of the page.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  assertNothingRan,
  EVIL_TEXTS,
  lookOver,
  lookOverState,
  moveTo,
  withConsole,
} from '../../../../test/console/console-kit.ts'
import { pressInDialog, pressKey } from '../../../../test/console/keyboard.ts'

const kit = withConsole()
const REPORTS = '/beta/casework/reports'

let count = 0

async function pushMail(lines: readonly string[], subject = 'Port scan'): Promise<string> {
  count += 1
  const body = [
    `From: "${EVIL_TEXTS[0].replaceAll('"', "'")}" <olga@blimpworks.example>`,
    'To: abuse@provider.example',
    `Subject: ${subject}`,
    `Message-ID: <console-${count}@blimpworks.example>`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    ...lines,
  ].join('\r\n')
  return await push(body, 'message/rfc822')
}

async function push(body: string, type: string): Promise<string> {
  const headers = { 'content-type': type }
  const answer = await kit.app.send('POST', REPORTS, { token: kit.app.token, body, headers })
  assert.equal(answer.status, 201, answer.text)
  return answer.json().report_id
}

/** JSON of an unknown shape is quarantined. */
async function pushUnreadable(): Promise<string> {
  count += 1
  return await push(JSON.stringify({ note: EVIL_TEXTS[1], count }), 'application/json')
}

function readReport(id: string) {
  return kit.app.send('GET', `${REPORTS}/${id}`, { token: kit.app.token })
}

async function stateOf(id: string): Promise<string> {
  return (await readReport(id)).json().state
}

function row(page: Page, name: string | RegExp) {
  return page.getByRole('row').filter({ hasText: name }).first()
}

test('the list opens a report, whose marked words and values lead to each other', async () => {
  await pushMail(['Hello,', '192.0.2.71 scanned our ports.', ...EVIL_TEXTS], EVIL_TEXTS[0])
  const { page } = await kit.signIn('lead', '/reports?channel=api')
  await page.getByRole('heading', { name: 'Reports' }).waitFor()
  await page.getByRole('tab', { name: 'Accepted' }).click()
  await page.waitForURL(/tab=accepted/)
  await row(page, '192.0.2.71').getByText('PortScan').click()
  const mail = page.getByRole('region', { name: 'As it came' })
  const reading = page.getByRole('region', { name: 'What was read' })
  await mail.getByText(EVIL_TEXTS[1]).waitFor()
  await mail.getByRole('button', { name: '192.0.2.71 (Address)' }).click()
  await reading.getByRole('button', { name: '192.0.2.71' }).first().waitFor()
  await mail.getByText(EVIL_TEXTS[0]).first().waitFor()
  assert.equal(await mail.getByRole('link').count(), 0)
  assert.equal(await mail.getByRole('img').count(), 0)
  await assertNothingRan(page)
  await lookOver(page, 'report')
  await page.goBack()
  await page.waitForURL(/\/reports\?.{0,200}tab=accepted/)
  await row(page, '192.0.2.71').waitFor()
  await lookOver(page, 'reports')
})

test('a wrong type is corrected, taken back, and not over what another person did', async () => {
  const id = await pushMail(['192.0.2.72 scanned our ports.'])
  const { page } = await kit.signIn('lead', `/reports/${id}`)
  const reading = page.getByRole('region', { name: 'What was read' })
  await reading.getByRole('button', { name: /^Wrong\?/ }).click()
  await page.getByRole('menuitem', { name: 'Another type' }).click()
  const dialog = page.getByRole('dialog', { name: 'Correct the event' })
  await dialog.getByRole('combobox', { name: 'Type' }).fill('Phishing')
  await page.getByRole('option', { name: 'Phishing', exact: true }).click()
  await dialog.getByRole('list', { name: 'What changes' }).getByText('Phishing').waitFor()
  await lookOverState(page, 'report-correct')
  await dialog.getByRole('button', { name: 'Correct the event' }).click()
  await reading.getByRole('region', { name: 'Corrections' }).getByText('Phishing').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  const { version } = (await readReport(id)).json()
  await reading.getByRole('button', { name: /^Wrong\?/ }).click()
  await page.getByRole('menuitem', { name: 'Another type' }).click()
  await dialog.getByRole('combobox', { name: 'Type' }).fill('Spam')
  await page.getByRole('option', { name: 'Spam', exact: true }).click()
  // Meanwhile another person adds an event, which this one has not seen.
  const added = await kit.app.send('POST', `${REPORTS}/${id}/correct`, {
    token: kit.app.token,
    json: { version, add: [{ event_type: 'Spam', subject: { ip: '192.0.2.77' } }] },
  })
  assert.equal(added.status, 200, added.text)
  await dialog.getByRole('button', { name: 'Correct the event' }).click()
  await dialog
    .getByRole('alert')
    .getByText(/changed/)
    .waitFor()
  assert.equal((await readReport(id)).json().version, version + 1)
  // The failure is said in a toast too, which lies over the button.
  await dialog.getByRole('button', { name: 'Correct the event' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  assert.equal((await readReport(id)).json().version, version + 2)
})

test('the queue of quarantined reports is worked by keyboard', async () => {
  const [first, second] = [await pushUnreadable(), await pushUnreadable()]
  const { page } = await kit.signIn('lead', '/reports?tab=quarantined')
  await page.getByRole('row').nth(2).waitFor()
  await pressKey(page, 'j')
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`/reports/${second}`))
  await page.getByText(/^1 of \d/).waitFor()
  await pressKey(page, 'n')
  await page.waitForURL(new RegExp(`/reports/${first}`))
  await pressKey(page, 'p')
  await page.waitForURL(new RegExp(`/reports/${second}`))
  await page.getByRole('button', { name: 'Read again' }).waitFor()
  await pressKey(page, 'r')
  await page.getByText('Read again, and still quarantined.').waitFor()
  await pressKey(page, 'x')
  const dialog = page.getByRole('dialog', { name: 'Reject this report' })
  await dialog.getByRole('button', { name: 'Reject' }).waitFor()
  await pressInDialog(page, 'Enter')
  await page.waitForURL(new RegExp(`/reports/${first}`))
  assert.equal(await stateOf(second), 'rejected')
  await pressKey(page, 'c')
  const add = page.getByRole('dialog', { name: 'Add an event' })
  await add.getByRole('combobox', { name: 'Type' }).fill('PortScan')
  await page.getByRole('option', { name: 'PortScan', exact: true }).click()
  await add.getByLabel('Address', { exact: true }).fill('192.0.2.73')
  await add.getByRole('button', { name: 'Add an event' }).click()
  await page.getByText('The event is added.').waitFor()
  assert.equal(await stateOf(first), 'accepted')
  await assertNothingRan(page)
})

test('the reason of a rejection is no draft any more when it was sent', async () => {
  const [first, second] = [await pushUnreadable(), await pushUnreadable()]
  const { page } = await kit.signIn('lead', `/reports/${second}?tab=quarantined`)
  await page.getByText(/^1 of \d/).waitFor()
  await pressKey(page, 'x')
  const dialog = page.getByRole('dialog', { name: 'Reject this report' })
  await dialog.getByRole('textbox', { name: 'Why' }).fill('Nothing is reported.')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await page.waitForURL(new RegExp(`/reports/${first}`))
  await page.getByText('The report is rejected.').waitFor()
  await pressKey(page, 'p')
  await page.waitForURL(new RegExp(`/reports/${second}`))
  await page.getByRole('button', { name: 'Add an event' }).click()
  const add = page.getByRole('dialog', { name: 'Add an event' })
  assert.equal(await add.getByRole('textbox', { name: 'Why' }).inputValue(), '')
})

test('a viewer sees what was read, not the text, and no act', async () => {
  const id = await pushMail(['192.0.2.74 scanned our ports.'])
  const { page } = await kit.signIn('viewer', `/reports/${id}`)
  await page.getByRole('heading', { name: 'You may not read the text' }).waitFor()
  await page.getByRole('region', { name: /192\.0\.2\.74/ }).waitFor()
  assert.equal(await page.getByRole('button', { name: /Wrong|Read again|Reject/ }).count(), 0)
})

test('nothing matches, an unknown report, and a failure each say so', async () => {
  const { page } = await kit.signIn('lead', '/reports?text=nothing-has-this-word')
  await page.getByRole('heading', { name: 'No report matches' }).waitFor()
  await moveTo(page, '/reports/00000000-0000-7000-8000-000000000000')
  await page.getByRole('heading', { name: 'This does not exist' }).waitFor()
  await page.route('**/beta/casework/reports?*', (route) => route.abort())
  await moveTo(page, '/reports')
  await page.getByRole('alert').getByRole('button', { name: 'Retry' }).waitFor()
  await lookOverState(page, 'reports-failed')
})

test('the page of a record that is not there leads back to its list', async () => {
  const { page } = await kit.signIn('tenant-admin')
  const id = '01990000-0000-7000-8000-000000000000'
  const ways = [
    [`/reports/${id}`, 'To the reports', '/reports'],
    [`/runs/${id}`, 'To the runs', '/runs'],
    [`/playbooks/${id}`, 'To the playbooks', '/playbooks'],
    [`/playbooks/${id}/edit`, 'To the playbooks', '/playbooks'],
  ] as const
  for (const [missing, name, list] of ways) {
    await moveTo(page, missing)
    await page.getByRole('heading', { name: 'This does not exist' }).waitFor()
    await page.getByRole('link', { name }).click()
    await page.waitForURL((url) => url.pathname === list)
  }
})
