// Proves the pages of rules: order by mouse and keyboard, a group with its preview, a mute rule, the
// test of one event, the state in the URL, and what a person without the permission sees.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertNothingRan,
  EVIL_TEXTS,
  lookOver,
  moveTo,
  until,
  withConsole,
} from '../../../../test/console/console-kit.ts'
import { pressKey } from '../../../../test/console/keyboard.ts'

const kit = withConsole()

const ROLE = 'tenant-admin'

async function makeGroup(id: string, name: string): Promise<void> {
  const answer = await kit.app.send('POST', '/beta/casework/case-groups', {
    token: kit.app.token,
    json: { id, name, order: 1, key_fields: ['ip'], condition: 'event.event_type == "Spam"' },
  })
  assert.equal(answer.status, 201, answer.text)
}

/** The ids of the groups, in the order of the server. */
async function listGroups(): Promise<readonly string[]> {
  const answer = await kit.app.send('GET', '/beta/casework/case-groups', { token: kit.app.token })
  return answer.json().items.map(({ id }: { readonly id: string }) => id)
}

test('a group is moved by the arrow keys on its handle, by J, and back by Undo', async () => {
  await makeGroup('keys-b', 'Keys B')
  await makeGroup('keys-a', 'Keys A')
  const { page } = await kit.signIn(ROLE, '/rules')
  const rows = page.getByRole('list', { name: 'Case groups' }).getByRole('listitem')
  await rows.first().getByRole('button', { name: 'Keys A', exact: true }).waitFor()
  await page.getByRole('button', { name: /^Move Keys A/ }).press('ArrowDown')
  await page.getByText('Keys A is now number 2.').first().waitFor()
  await rows.nth(1).getByRole('button', { name: 'Keys A', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await rows.nth(0).getByRole('button', { name: 'Keys A', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Keys A', exact: true }).focus()
  await pressKey(page, 'J')
  await rows.nth(1).getByRole('button', { name: 'Keys A', exact: true }).waitFor()
  // The page shows a move at once; the next test begins with the order of the server.
  await until('the server has the order', async () => (await listGroups())[1] === 'keys-a')
})

test('a group is moved by dragging its handle', async () => {
  await makeGroup('drag-b', 'Drag B')
  await makeGroup('drag-a', 'Drag A')
  const { page } = await kit.signIn(ROLE, '/rules')
  const rows = page.getByRole('list', { name: 'Case groups' }).getByRole('listitem')
  await rows.nth(0).getByRole('button', { name: 'Drag A', exact: true }).waitFor()
  await rows.nth(1).getByRole('button', { name: 'Drag B', exact: true }).waitFor()
  await page.getByRole('button', { name: /^Move Drag A/ }).dragTo(rows.nth(1), { steps: 5 })
  await rows.nth(1).getByRole('button', { name: 'Drag A', exact: true }).waitFor()
  await rows.nth(0).getByRole('button', { name: 'Drag B', exact: true }).waitFor()
  await until('the server has the order', async () => {
    const [first, second] = await listGroups()
    return first === 'drag-b' && second === 'drag-a'
  })
})

test('a group is written with a preview; a faulty condition is said at its field', async () => {
  const { page } = await kit.signIn(ROLE, '/rules')
  await page.getByRole('button', { name: 'New group' }).waitFor()
  await pressKey(page, 'n')
  await page.getByRole('textbox', { name: 'Name' }).fill('Port scans')
  await page.getByRole('textbox', { name: 'Condition' }).fill('event.event_type == ')
  await page.getByText('The rule has a fault; see the marked field.').waitFor()
  await page.getByRole('textbox', { name: 'Condition' }).fill('event.event_type == "PortScan"')
  await page.getByText(/^(?:Would have matched|There are no events)/).waitFor()
  await page.reload()
  await page.getByText(/^(?:Would have matched|There are no events)/).waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Port scans')
  await page.getByRole('textbox', { name: 'Name' }).press('Control+s')
  const panel = page.getByRole('complementary', { name: 'Port scans' })
  await panel.getByText('event.event_type == "PortScan"').waitFor()
  assert.match(page.url(), /open=/)
  await panel.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete Port scans' }).click()
  await page.getByText('Port scans was deleted.').waitFor()
  const listed = page.getByRole('button', { name: 'Port scans', exact: true })
  await listed.waitFor({ state: 'detached' })
})

test('a mute rule is made, found by its address, and ended', async () => {
  const { page } = await kit.signIn(ROLE, '/rules/new-mute-rule')
  await page.getByRole('textbox', { name: 'IP address' }).fill('192.0.2.7')
  await page.getByRole('textbox', { name: 'Reason' }).fill('Our own scanner')
  await page.getByText(/^(?:Would have muted|There are no events)/).waitFor()
  await page.getByRole('button', { name: 'Create mute rule' }).click()
  const panel = page.getByRole('complementary', { name: 'Our own scanner' })
  await panel.getByText('In force').waitFor()
  const address = page.url()
  await page.goto('/rules')
  await page.goto(address)
  await panel.getByRole('button', { name: 'End rule' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End rule' }).click()
  await page.getByText('The mute rule has ended.').waitFor()
  await page.getByText('No mute rules').waitFor()
})

test('a calendar is made and shown with its hours', async () => {
  const { page } = await kit.signIn(ROLE, '/rules?tab=calendars')
  await page.getByRole('heading', { name: 'No calendars' }).waitFor()
  await pressKey(page, 'n')
  await page.getByRole('textbox', { name: 'Name' }).fill('desk')
  await page.getByRole('textbox', { name: 'Monday' }).fill('nine to five')
  await page.getByText('Write times as').waitFor()
  await page.getByRole('textbox', { name: 'Monday' }).fill('08:00-12:00, 13:00-16:30')
  await page.getByRole('button', { name: 'Save calendar' }).click()
  const panel = page.getByRole('complementary', { name: 'desk' })
  await panel.getByText('08:00–12:00, 13:00–16:30').waitFor()
})

test('one event is tested against the stored rules', async () => {
  const { page } = await kit.signIn(ROLE, '/rules?tab=test')
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  const result = page.getByRole('region', { name: 'What becomes of it' })
  await result.getByRole('list', { name: 'Rules asked' }).getByText('Everything').waitFor()
})

test('a viewer reads rules and cannot change them; what is evil stays text', async () => {
  await makeGroup('evil', EVIL_TEXTS[0])
  const { page } = await kit.signIn('viewer', '/rules?open=evil')
  const panel = page.getByRole('complementary', { name: EVIL_TEXTS[0] })
  await panel.getByText('event.event_type == "Spam"').waitFor()
  assert.equal(await page.getByRole('button', { name: 'New group' }).count(), 0)
  assert.equal(await panel.getByRole('link', { name: 'Edit' }).count(), 0)
  await assertNothingRan(page)
  await moveTo(page, '/rules/new-group')
  await page.getByText('You may not see this').waitFor()
})

test('a server that fails is said with a way to try again', async () => {
  const { page } = await kit.signIn(ROLE, '/account')
  await page.route('**/beta/casework/mute-rules*', (route) =>
    route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{}' }),
  )
  await moveTo(page, '/rules?tab=mute')
  await page.getByRole('button', { name: 'Retry' }).waitFor()
})

test('the pages of rules pass axe in both schemes and three widths', async () => {
  await makeGroup('looks', 'Spam of one address')
  const { page } = await kit.signIn(ROLE, '/rules')
  await page.getByRole('button', { name: 'Spam of one address', exact: true }).waitFor()
  await lookOver(page, 'rules')
  await page.getByRole('button', { name: 'Spam of one address', exact: true }).click()
  await page.getByRole('complementary', { name: 'Spam of one address' }).waitFor()
  await lookOver(page, 'rules-panel')
  await moveTo(page, '/rules/groups/looks')
  await page.getByRole('textbox', { name: 'Condition' }).waitFor()
  await lookOver(page, 'rules-editor')
})
