// Proves that the forms of rules lose nothing that was typed, send nothing twice, and begin with
// what the server has now.

import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { moveTo, until, withConsole } from '../../../../test/console/console-kit.ts'
import { waitForRest } from '../../../../test/console/keyboard.ts'
import { comeBack, holdAnswers } from '../../../../test/console/late-answers.ts'

const kit = withConsole()
const ROLE = 'tenant-admin'
const calendars = new Set<string>()
const REFUSAL = { status: 500, contentType: 'application/problem+json', body: '{}' }

// Other files begin without calendars.
afterEach(async () => {
  for (const name of calendars) await send('DELETE', `/beta/casework/calendars/${name}`)
  calendars.clear()
})

async function send(method: string, path: string, json?: object): Promise<void> {
  const body = json === undefined ? {} : { json }
  const answer = await kit.app.send(method, path, { token: kit.app.token, ...body })
  assert.ok(answer.status < 300, answer.text)
}

function makeGroup(id: string, more: object = {}): Promise<void> {
  const json = { id, name: id, order: 1, key_fields: ['ip'], ...more }
  return send('POST', '/beta/casework/case-groups', json)
}

function putCalendar(name: string, monday: string, more: object = {}): Promise<void> {
  calendars.add(name)
  const hours = { monday: [{ from: monday, to: '17:00' }] }
  const json = { time_zone: 'Europe/Berlin', hours, ...more }
  return send('PUT', `/beta/casework/calendars/${name}`, json)
}

test('a new group is sent once, though the key to save is pressed again', async () => {
  const { page } = await kit.signIn(ROLE, '/rules/new-group')
  const held = await holdAnswers(page, '**/beta/casework/case-groups', 'POST')
  await page.getByRole('textbox', { name: 'Name' }).fill('Sent once')
  for (let press = 0; press < 3; press += 1) {
    await page.keyboard.press('Control+s')
    await waitForRest(page)
  }
  held.release()
  await page.getByRole('complementary', { name: 'Sent once' }).waitFor()
  assert.equal(held.countSent(), 1)
})

test('the unit of a length of time stays while its number is typed anew', async () => {
  await makeGroup('typed-hours', { max_gap_seconds: 12 * 3_600 })
  const { page } = await kit.signIn(ROLE, '/rules/groups/typed-hours')
  const gap = page.getByRole('textbox', { name: 'Gap between events' })
  const unit = page.getByRole('combobox', { name: 'Gap between events: unit' })
  await gap.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.type('245')
  await waitForRest(page)
  assert.deepEqual([await gap.inputValue(), await unit.inputValue()], ['245', 'hours'])
  // Of another person, meanwhile: the form changes what was changed in it, and nothing else.
  await send('PATCH', '/beta/casework/case-groups/typed-hours', { severity: 'high' })
  await page.keyboard.press('Control+s')
  await page.getByRole('complementary', { name: 'typed-hours' }).waitFor()
  const answer = await kit.app.send('GET', '/beta/casework/case-groups/typed-hours', {
    token: kit.app.token,
  })
  const { max_gap_seconds: seconds, severity } = answer.json()
  assert.deepEqual({ seconds, severity }, { seconds: 245 * 3_600, severity: 'high' })
})

test('a draft that is discarded is gone, its condition too', async () => {
  await makeGroup('discards', { condition: 'event.event_type == "Spam"' })
  const { page } = await kit.signIn(ROLE, '/rules/groups/discards')
  const condition = page.getByRole('textbox', { name: 'Condition' })
  await condition.fill('event.event_type == "Phishing"')
  const note = page.getByText('Draft kept in this browser.')
  await note.waitFor()
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await page.getByText('event.event_type == "Spam"').waitFor()
  await waitForRest(page)
  assert.equal(await note.count(), 0)
})

test('a mute rule that says nothing any more has no effect to show', async () => {
  const { page } = await kit.signIn(ROLE, '/rules/new-mute-rule')
  const address = page.getByRole('textbox', { name: 'IP address' })
  await address.fill('192.0.2.7')
  await page.getByText(/^(?:Would have muted|There are no events)/).waitFor()
  await address.fill('')
  await page.getByText('It appears when the rule says which events it takes.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
})

test('a calendar named list is opened as any other', async () => {
  await putCalendar('list', '07:30')
  const { page } = await kit.signIn(ROLE, '/rules?tab=calendars&open=list')
  await page.getByRole('complementary', { name: 'list' }).getByText('07:30').waitFor()
  await page.getByRole('link', { name: 'Edit' }).click()
  const monday = page.getByRole('textbox', { name: 'Monday' })
  await monday.waitFor()
  assert.equal(await monday.inputValue(), '07:30–17:00')
})

test('a new calendar does not take the place of one that has the name', async () => {
  await putCalendar('taken', '08:00')
  const { page } = await kit.signIn(ROLE, '/rules/new-calendar')
  await page.getByRole('textbox', { name: 'Name' }).fill('taken')
  await page.getByText('A calendar has this name.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Save calendar' }).isDisabled(), true)
})

test('the form of a calendar begins with what is stored now, not with an earlier visit', async () => {
  await putCalendar('anew', '08:00')
  const { page } = await kit.signIn(ROLE, '/rules/calendars/anew')
  const monday = page.getByRole('textbox', { name: 'Monday' })
  await monday.waitFor()
  await moveTo(page, '/rules')
  await putCalendar('anew', '10:00')
  await moveTo(page, '/rules/calendars/anew')
  await monday.waitFor()
  assert.equal(await monday.inputValue(), '10:00–17:00')
})

test('a form that is half filled in stays when the server fails later', async () => {
  await putCalendar('half', '08:00')
  const { page } = await kit.signIn(ROLE, '/rules/calendars/half')
  const monday = page.getByRole('textbox', { name: 'Monday' })
  await monday.fill('06:00–14:00')
  await page.route('**/beta/casework/calendars/half', (route) => route.fulfill(REFUSAL))
  await comeBack(page, '**/beta/casework/calendars/half')
  await waitForRest(page)
  assert.equal(await monday.inputValue(), '06:00–14:00')
})

test('holidays are the dates that were written, in whatever zone a person is', async () => {
  await putCalendar('far', '08:00', { holidays: ['2027-01-01'] })
  const { page } = await kit.signIn(ROLE)
  await page.evaluate(
    `localStorage.setItem('casework-preferences', '{"tour":"done","zone":"utc"}')`,
  )
  const storageState = await page.context().storageState()
  const far = await page.context().browser()?.newContext({
    baseURL: kit.url,
    timezoneId: 'Pacific/Auckland',
    storageState,
  })
  const there = (await far?.newPage()) ?? assert.fail('no browser')
  await there.goto('/rules?tab=calendars&open=far')
  await there.getByRole('complementary', { name: 'far' }).getByText('1 Jan 2027').waitFor()
  await far?.close()
})

test('times are those of now after a long stay on a page that shows none', async () => {
  await putCalendar('aged', '08:00')
  const { page } = await kit.signIn(ROLE, '/rules/new-calendar')
  await page.clock.setFixedTime(Date.now() + 2 * 3_600_000 + 60_000)
  await moveTo(page, '/rules?tab=calendars')
  const row = page.getByRole('row').filter({ hasText: 'aged' })
  await row.waitFor()
  // At once, and not with the next tick of half a minute.
  assert.match(await row.innerText(), /2 hours ago/)
})

test('an event that changes takes no text away that is tested; one that is missing is said', async () => {
  const json = {
    event_type: 'Phishing',
    ip: '192.0.2.77',
    event_date: '2026-11-20T10:00:00Z',
    sender_email: 'tested@example.org',
  }
  const { app } = kit
  const pushed = await app.send('POST', '/beta/casework/events', { token: app.token, json })
  const id = pushed.json().event_id
  const { page } = await kit.signIn(ROLE, `/rules?tab=test&event=${id}`)
  const text = page.getByRole('textbox', { name: 'Event as JSON' })
  await until('the event is shown', async () => (await text.innerText()).includes('192.0.2.77'))
  await text.fill('{"event_type": "Spam"}')
  const stored = await app.send('GET', `/beta/casework/events/${id}`, { token: app.token })
  const asked = new RegExp(String.raw`/beta/casework/events/${id}\?`)
  await page.route(asked, (route) => route.fulfill({ json: { ...stored.json(), tags: ['seen'] } }))
  await comeBack(page, asked)
  await waitForRest(page)
  assert.equal(await text.innerText(), '{"event_type": "Spam"}')
  await page.getByRole('button', { name: 'Use the newest event' }).click()
  await until('an event is shown', async () => (await text.innerText()).includes('sender_email'))
  await moveTo(page, '/rules?tab=test&event=missing')
  await page.getByRole('alert').waitFor()
})
