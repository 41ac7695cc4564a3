// Proves the list of events: filters in the URL, the panel with its ways on, a complaint by phone,
// reassigning, hostile text.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertNothingRan,
  EVIL_TEXTS,
  lookOver,
  lookOverState,
  moveTo,
  withConsole,
} from '../../../../test/console/console-kit.ts'
import { pressKey } from '../../../../test/console/keyboard.ts'
import { createQueueKit } from '../../../../test/console/queue-kit.ts'
import { feedStreams } from '../../../../test/stream-kit.ts'

const kit = withConsole()

async function pushEvent(ip: string, more: object = {}): Promise<string> {
  const json = {
    event_date: new Date().toISOString(),
    event_type: 'PortScan',
    sender_email: 'radar@blimpworks.example',
    ip,
    event_details: { note: EVIL_TEXTS[0], url: EVIL_TEXTS[2] },
    ...more,
  }
  const { app } = kit
  const answer = await app.send('POST', '/beta/casework/events', { token: app.token, json })
  assert.equal(answer.status, 201, answer.text)
  return answer.json().event_id
}

test('filters stand in the URL, and a copied one shows the same', async () => {
  await pushEvent('203.0.113.81')
  await pushEvent('203.0.113.82', { event_type: 'Spam' })
  const { page, context } = await kit.signIn(
    'agent',
    '/events?sender_email=radar%40blimpworks.example',
  )
  await page.getByRole('row').filter({ hasText: '203.0.113.82' }).waitFor()
  await page.getByRole('button', { name: 'Add a filter' }).click()
  await page.getByRole('menuitem', { name: 'Item' }).click()
  await page.getByRole('combobox', { name: 'Item' }).fill('203.0.113.81/32')
  await page.keyboard.press('Enter')
  await page.waitForURL(/item=203\.0\.113\.81/)
  await page.getByRole('row').filter({ hasText: '203.0.113.82' }).waitFor({ state: 'hidden' })
  const copy = await context.newPage()
  await copy.goto(page.url())
  await copy.getByRole('row').filter({ hasText: '203.0.113.81' }).waitFor()
  assert.equal(await copy.getByRole('row').filter({ hasText: '203.0.113.82' }).count(), 0)
})

test('j and Enter open the panel, whose text of strangers is text', async () => {
  await pushEvent('203.0.113.83')
  const { page } = await kit.signIn('agent', '/events?item=203.0.113.83')
  await page.getByRole('row').filter({ hasText: '203.0.113.83' }).waitFor()
  await pressKey(page, 'j')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'PortScan' })
  await panel.getByRole('figure', { name: 'The event as JSON' }).getByText('onerror').waitFor()
  await panel.getByText(EVIL_TEXTS[2], { exact: true }).first().waitFor()
  assert.match(page.url(), /open=/)
  await assertNothingRan(page)
  await lookOver(page, 'events-panel')
  await panel.getByRole('link', { name: /^C-/ }).waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
})

test('a complaint by phone becomes an event', async () => {
  const { page } = await kit.signIn('agent', '/events')
  await page.getByRole('heading', { name: 'Events' }).waitFor()
  await pressKey(page, 'n')
  const dialog = page.getByRole('dialog', { name: 'Add an event' })
  const type = dialog.getByRole('combobox', { name: 'Type' })
  await type.and(page.locator(':focus')).waitFor()
  assert.equal(await type.getAttribute('aria-expanded'), 'false', 'the list covers no field')
  await type.fill('Spam')
  await page.getByRole('option', { name: 'Spam', exact: true }).click()
  await dialog.getByLabel('Address').fill('203.0.113.84')
  await dialog.getByLabel('What was said').fill(EVIL_TEXTS[1])
  await page.reload()
  await dialog.getByText(EVIL_TEXTS[1]).waitFor()
  await dialog.getByRole('combobox', { name: 'Type' }).fill('Spam')
  await page.getByRole('option', { name: 'Spam', exact: true }).click()
  await dialog.getByLabel('Address').fill('203.0.113.84')
  await lookOverState(page, 'events-add')
  await dialog.getByRole('button', { name: 'Add an event' }).click()
  await page
    .getByRole('complementary', { name: 'Spam' })
    .getByText('203.0.113.84')
    .first()
    .waitFor()
  await assertNothingRan(page)
})

test('an event gets another owner, and the act is taken back', async () => {
  const id = await pushEvent('203.0.113.85')
  const { app } = kit
  const json = { id: 'kd-events' }
  await app.send('POST', '/beta/casework/customers', { token: app.token, json })
  const { page } = await kit.signIn('agent', `/events?item=203.0.113.85&open=${id}`)
  const panel = page.getByRole('complementary', { name: 'PortScan' })
  await panel.getByRole('button', { name: 'Reassign' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reassign' })
  await dialog.getByLabel('Customer').fill('kd-events')
  await dialog.getByRole('button', { name: 'Reassign' }).click()
  await panel.getByRole('link', { name: 'kd-events' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await panel.getByRole('link', { name: '203.0.113.85' }).nth(1).waitFor()
})

test('a refusal is gone when the form is opened again', async () => {
  const id = await pushEvent('203.0.113.86')
  const { page } = await kit.signIn('agent', `/events?open=${id}`)
  await page.route('**/reassign', (route) =>
    route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{}' }),
  )
  const reassign = page.getByRole('complementary').getByRole('button', { name: 'Reassign' })
  const dialog = page.getByRole('dialog', { name: 'Reassign' })
  await reassign.click()
  await dialog.getByRole('button', { name: 'Find the owner anew' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await reassign.click()
  await dialog.getByLabel('Customer').waitFor()
  assert.equal(await dialog.getByRole('alert').count(), 0)
})

test('new events are counted until they are loaded, whatever is scrolled or shown between', async () => {
  const queue = createQueueKit(kit, 'events-new')
  await queue.openCases('old', 130)
  const { page } = await kit.signIn('agent', '/account', 'events-new')
  const stream = page.waitForResponse('**/beta/casework/stream*')
  await page.goto('/events')
  await stream
  const first = page.getByRole('row').filter({ hasText: 'old-0.example' })
  await first.waitFor()
  await queue.openCases('new', 1)
  await feedStreams(kit.app)
  const fresh = page.getByRole('button', { name: '1 new' })
  await fresh.waitFor()
  const further = page.waitForResponse(/events\?.*cursor=/)
  const grid = page.getByRole('grid', { name: 'Events' })
  await grid.evaluate((element) => Reflect.set(element, 'scrollTop', 1e9))
  await further
  await grid.and(page.locator('[aria-rowcount="131"]')).waitFor()
  assert.equal(await fresh.count(), 1)
  await moveTo(page, '/account')
  await queue.openCases('newer', 1)
  await feedStreams(kit.app)
  await moveTo(page, '/events')
  await page.getByRole('button', { name: '2 new' }).click()
  await page.getByRole('row').filter({ hasText: 'newer-0.example' }).waitFor()
  await page.getByRole('button', { name: /new$/ }).waitFor({ state: 'detached' })
})

test('the queue of unassigned events is empty and says what it is for', async () => {
  const { page } = await kit.signIn('agent', '/events?tab=unassigned')
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor()
  await page.getByRole('button', { name: 'Find owners again' }).waitFor()
  await page.route('**/beta/casework/events?*', (route) => route.abort())
  await page.goto('/events')
  await page.getByRole('alert').getByRole('button', { name: 'Retry' }).waitFor()
  await lookOverState(page, 'events-failed')
})
