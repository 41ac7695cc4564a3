// Proves what the queue does while others work and when things fail: rows change in their places,
// new ones are counted, few of a long list are in the page, and every state passes axe.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import {
  assertNothingRan,
  EVIL_TEXTS,
  lookOver,
  lookOverState,
  moveTo,
  until,
  withConsole,
} from '../../../../test/console/console-kit.ts'
import { pressKey, waitForRest } from '../../../../test/console/keyboard.ts'
import { holdAnswers } from '../../../../test/console/late-answers.ts'
import { checkBoxOf, createQueueKit, rowOf } from '../../../../test/console/queue-kit.ts'
import { feedStreams } from '../../../../test/stream-kit.ts'

const kit = withConsole()
const queue = createQueueKit(kit, 'queue-live')
const BULK = '/beta/casework/cases/bulk'
// Of cases that the list of all phishing is not to count.
const OTHER = { event_type: 'LoginAttack' }
// As the table promises.
const ROWS_MAX = 100

function gridOf(page: Page): Locator {
  return page.getByRole('grid', { name: 'Cases' })
}

async function scrollTo(page: Page, top: number): Promise<void> {
  await gridOf(page).evaluate((element, to) => Reflect.set(element, 'scrollTop', to), top)
}

function readTop(page: Page): Promise<number> {
  return gridOf(page).evaluate((element) => Number(Reflect.get(element, 'scrollTop')))
}

test('an empty queue says what a case is; without a match it offers other filters', async () => {
  const page = await queue.openQueue('?state=any')
  await page.getByRole('heading', { name: 'No cases yet' }).waitFor()
  await lookOverState(page, 'cases-empty')
  await moveTo(page, '/cases?customer=nobody')
  await page.getByRole('heading', { name: 'No case matches' }).waitFor()
  await page.getByRole('button', { name: 'Show open cases' }).click()
  await page.waitForURL((url) => url.search === '')
})

test('rows change in their places, and the place, the focus and the selection stay', async () => {
  const ids = await queue.openCases('live', 260)
  const page = await queue.openQueue('')
  // Changes that are handed on before the page listens would never come.
  const stream = page.waitForResponse('**/beta/casework/stream*')
  await page.reload()
  await stream
  await rowOf(page, 'live-0.example').waitFor()
  await scrollTo(page, 1_800)
  const row = rowOf(page, 'live-55.example')
  await checkBoxOf(page, 'live-55.example').check()
  await rowOf(page, 'live-57.example').click()
  await page.keyboard.press('Escape')
  await page.getByRole('complementary').waitFor({ state: 'detached' })
  const top = await readTop(page)
  await queue.addEvent('live', 55)
  await queue.send('POST', BULK, {
    ids: [ids[55]],
    change: { state: 'IN_PROGRESS', severity: 'high' },
  })
  await queue.openCases('fresh', 2)
  await feedStreams(kit.app)
  await row.getByText('In progress').waitFor()
  await row.getByText('High').waitFor()
  await row.getByRole('gridcell', { name: '2', exact: true }).waitFor()
  await page.getByRole('button', { name: '2 new' }).waitFor()
  assert.equal(await rowOf(page, 'fresh-0.example').count(), 0)
  assert.equal(await row.getAttribute('aria-selected'), 'true')
  assert.equal(await row.getAttribute('aria-rowindex'), '57')
  await rowOf(page, 'live-57.example').and(page.locator(':focus')).waitFor()
  assert.ok(Math.abs((await readTop(page)) - top) <= 36, 'the list has stayed where it was')
  await pressKey(page, 'n')
  await rowOf(page, 'fresh-1.example').waitFor()
  await page.getByRole('button', { name: '2 new' }).waitFor({ state: 'detached' })
  // The selected case is below what is loaded now, and acts still mean it.
  await page
    .getByRole('region', { name: '1 selected' })
    .getByRole('button', { name: 'Tags' })
    .click()
  await page.getByRole('dialog', { name: 'Change the tags' }).waitFor()
})

test('what happened while another page was shown is seen on the way back', async () => {
  const [first, second] = await queue.openCases('away', 2, OTHER)
  const page = await queue.openQueue('?reporter=away@example.org')
  const stream = page.waitForResponse('**/beta/casework/stream*')
  await page.reload()
  await stream
  await rowOf(page, 'away-0.example').click()
  await page.getByRole('complementary').getByRole('link', { name: 'Open case' }).click()
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  await queue.openCases('away', 1, { ...OTHER, domain: 'away-9.example' })
  const change = { state: 'IN_PROGRESS' }
  await queue.send('POST', BULK, { ids: [second], change })
  await queue.send('POST', BULK, { ids: [first], change })
  await feedStreams(kit.app)
  await page.getByRole('heading', { level: 1 }).getByText('In progress').waitFor()
  await page.goBack()
  await rowOf(page, 'away-1.example').getByText('In progress').waitFor()
  await rowOf(page, 'away-0.example').getByText('In progress').waitFor()
  await page.getByRole('button', { name: '1 new' }).waitFor()
  // Still so after another way there and back.
  await moveTo(page, '/account')
  await moveTo(page, '/cases?reporter=away@example.org')
  await page.getByRole('button', { name: '1 new' }).waitFor()
})

test('the new cases of one list are not lost by a late answer about another one', async () => {
  await queue.openCases('slow', 1, OTHER)
  await queue.openCases('quick', 1, OTHER)
  const page = await queue.openQueue('?reporter=slow@example.org')
  const stream = page.waitForResponse('**/beta/casework/stream*')
  await page.reload()
  await stream
  await rowOf(page, 'slow-0.example').waitFor()
  const asksForNew = /cases\?(?=.*limit=200)(?=.*slow)/
  const held = await holdAnswers(page, asksForNew)
  await queue.openCases('slow', 1, { ...OTHER, domain: 'slow-9.example' })
  await feedStreams(kit.app)
  await held.isAnswered
  await moveTo(page, '/cases?reporter=quick@example.org')
  await rowOf(page, 'quick-0.example').waitFor()
  await queue.openCases('quick', 1, { ...OTHER, domain: 'quick-9.example' })
  await feedStreams(kit.app)
  const fresh = page.getByRole('button', { name: '1 new' })
  await fresh.waitFor()
  const answered = page.waitForResponse(asksForNew)
  held.release()
  await answered
  await waitForRest(page)
  assert.equal(await fresh.count(), 1)
})

test('an answer that never comes holds up no other change; missed changes are told', async () => {
  const [first, second] = await queue.openCases('hung', 2, OTHER)
  const page = await queue.openQueue(`?reporter=hung@example.org&open=${first}`)
  const stream = page.waitForResponse('**/beta/casework/stream*')
  await page.reload()
  await stream
  await page.getByRole('complementary').getByRole('link', { name: 'Open case' }).waitFor()
  const held = await holdAnswers(page, `**/beta/casework/cases/${first}`)
  const change = { state: 'IN_PROGRESS' }
  await queue.send('POST', BULK, { ids: [first], change })
  await feedStreams(kit.app)
  await held.isAnswered
  await queue.send('POST', BULK, { ids: [second], change })
  await feedStreams(kit.app)
  await rowOf(page, 'hung-1.example').getByText('In progress').waitFor()
  held.release()
  // The next stream says that it does not go back as far as the last change.
  const { promise: late, resolve: reset } = Promise.withResolvers<void>()
  const headers = { 'content-type': 'text/event-stream' }
  await page.route(
    '**/beta/casework/stream*',
    async (route) => {
      await late
      await route.fulfill({ headers, body: 'id: 1\nevent: reset\ndata: {}\n\n' })
    },
    { times: 1 },
  )
  await page.reload()
  await rowOf(page, 'hung-1.example').waitFor()
  reset()
  await page.getByRole('button', { name: 'Changes were missed: load again' }).click()
  await page.getByRole('button', { name: /^Changes were missed/ }).waitFor({ state: 'detached' })
  await rowOf(page, 'hung-1.example').waitFor()
})

test('of a list that is scrolled to its end at most a hundred rows are in the page', async () => {
  const page = await queue.openQueue('?type=Phishing')
  await gridOf(page).and(page.locator('[aria-rowcount="263"]')).waitFor()
  for (let top = 0; top < 263 * 36; top += 3_000) {
    const index = Math.min(263, Math.floor(top / 36) + 4)
    // A list that has not loaded so far yet ends before that place, and stays there.
    await until(`row ${index} is in sight`, async () => {
      await scrollTo(page, top)
      assert.ok((await page.getByRole('row').count()) <= ROWS_MAX)
      return await page.locator(`[aria-rowindex="${index}"]`).isVisible()
    })
  }
  await scrollTo(page, 1e9)
  await rowOf(page, 'live-259.example').waitFor()
  assert.ok((await page.getByRole('row').count()) <= ROWS_MAX)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('region', { name: '262 selected' }).waitFor()
})

test('a page that fails is asked for again, and what is there stays', async () => {
  const page = await queue.openQueue('?type=Spam')
  await page.route('**/beta/casework/cases?*', (route) => route.abort())
  await page.goto('/cases')
  const problem = page.getByRole('alert')
  await problem.getByRole('heading', { name: 'This could not be loaded' }).waitFor()
  await lookOverState(page, 'cases-failed')
  await page.unroute('**/beta/casework/cases?*')
  await problem.getByRole('button', { name: 'Retry' }).click()
  await rowOf(page, 'fresh-0.example').waitFor()
  await page.route('**/beta/casework/cases?*cursor=*', (route) => route.abort())
  await scrollTo(page, 1e9)
  await problem.getByRole('heading', { name: 'This could not be loaded' }).waitFor()
  assert.ok((await page.getByRole('row').count()) > 10)
  await page.unroute('**/beta/casework/cases?*cursor=*')
  await problem.getByRole('button', { name: 'Retry' }).click()
  await problem.waitFor({ state: 'detached' })
})

test('a person without cases:read learns which role is missing', async () => {
  await queue.openCases('unseen', 1)
  const { page } = await kit.signIn('auditor', '/cases', 'queue-live')
  await page.getByText('You may not see this').waitFor()
})

test('what strangers wrote is text, and the queue passes axe with and without panel and bar', async () => {
  const customer = { id: 'evil', name: EVIL_TEXTS[0], contacts: [] }
  await queue.send('POST', '/beta/casework/customers', customer)
  const [first] = await queue.openCases('evil', 1, { customer_id: 'evil' })
  const [second] = await queue.openCases('plain', 3, { sender_email: 'evil@example.org' })
  const change = {
    severity: 'critical',
    comment: EVIL_TEXTS[1],
    add_tags: ['<img/src/onerror=run>'],
  }
  await queue.send('POST', BULK, { ids: [first, second], change })
  const page = await queue.openQueue('?reporter=evil@example.org')
  await rowOf(page, EVIL_TEXTS[0]).first().waitFor()
  await lookOver(page, 'cases')
  await moveTo(page, `/cases?reporter=evil@example.org&open=${first}`)
  const panel = page.getByRole('complementary')
  await panel.getByText(EVIL_TEXTS[0]).waitFor()
  await panel.getByText('<img/src/onerror=run>').waitFor()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await lookOver(page, 'cases-panel')
  await assertNothingRan(page)
})
