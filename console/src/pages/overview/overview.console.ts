// Proves the overview: numbers, ranges by keys and in the URL, the table behind a chart, bars that
// lead to cases, what is refused and what fails.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertNothingRan,
  EVIL_TEXTS,
  lookOver,
  withConsole,
} from '../../../../test/console/console-kit.ts'
import { pressKey } from '../../../../test/console/keyboard.ts'
import { PREFERENCES } from '../../../../test/console/windows.ts'

const kit = withConsole()
const CUSTOMER = 'overview-1'
// Of its own, since the pages of one tenant count what other tests make.
const TENANT = 'overview'

let seeded: Promise<void> | null = null

/** The console is open in tests only. */
function seed(): Promise<void> {
  seeded ??= makeData()
  return seeded
}

async function makeData(): Promise<void> {
  const { send, createTenant, createToken } = kit.app
  await createTenant(TENANT)
  const token = await createToken({ tenantId: TENANT })
  const name = EVIL_TEXTS[0]
  const customer = { id: CUSTOMER, name, contacts: [] }
  const made = await send('POST', '/beta/casework/customers', { token, json: customer })
  assert.equal(made.status, 201, made.text)
  const event = { event_type: 'Spam', customer_id: CUSTOMER, sender_email: 'r@example.org' }
  const json = [1, 2, 3].map((hour) => ({
    ...event,
    event_date: new Date(Date.now() - hour * 3_600_000).toISOString(),
    ip: `192.0.2.${hour}`,
  }))
  const sent = await send('POST', '/beta/casework/events', { token, json })
  assert.equal(sent.status, 200, sent.text)
}

test('the numbers lead to the cases behind them, and a name of a customer is only text', async () => {
  await seed()
  const { page } = await kit.signIn('viewer', '/overview', TENANT)
  const numbers = page.getByRole('region', { name: 'Numbers' })
  await numbers.getByText('Median time to end').waitFor()
  const top = page.getByRole('region', { name: 'Customers with the most cases' })
  const bar = top.getByRole('link', { name: EVIL_TEXTS[0] })
  await bar.waitFor()
  await assertNothingRan(page)
  await bar.click()
  await page.waitForURL(/\/cases\?.*customer=overview-1/)
  await page.goBack()
  await numbers.getByRole('link', { name: 'Overdue cases' }).click()
  await page.waitForURL(/\/cases\?due=0h/)
})

test('a range is chosen by mouse and by key, stands in the URL, and comes back with it', async () => {
  await seed()
  const { page } = await kit.signIn('viewer', '/overview?range=90d', TENANT)
  const range = page.getByRole('radiogroup', { name: 'Time range' })
  await range.waitFor()
  await range.getByRole('radio', { name: '90 d', checked: true }).waitFor({ state: 'attached' })
  await page.getByRole('heading', { name: 'Overview' }).click()
  await pressKey(page, '1')
  await page.waitForURL(/range=24h/)
  await page.goBack()
  await page.waitForURL(/range=90d/)
  await range.getByText('Custom').click()
  await page.waitForURL(/range=custom&from=\d{4}-\d{2}-\d{2}&to=/)
  await page.getByLabel('First day').fill('2026-01-01')
  await page.waitForURL(/from=2026-01-01/)
})

test('a chart has its values as a table', async () => {
  await seed()
  const { page } = await kit.signIn('viewer', '/overview?range=7d', TENANT)
  const chart = page.getByRole('figure', { name: 'Events by type' })
  await chart.getByRole('button', { name: 'Show as table' }).click()
  await chart.getByRole('columnheader', { name: 'Spam' }).waitFor()
  await chart.getByRole('button', { name: 'Show as chart' }).click()
  await chart.getByRole('img').waitFor()
})

test('a part that fails says so and is asked for again; the rest stays', async () => {
  await seed()
  const { page } = await kit.signIn('viewer', '/', TENANT)
  await page.route('**/beta/casework/runs?*', (route) =>
    route.fulfill({
      status: 400,
      json: { status: 400, detail: 'No.', code: 'X', request_id: 'r-1' },
    }),
  )
  await page.goto('/overview')
  const runs = page.getByRole('region', { name: 'Playbook runs that need attention' })
  await runs.getByText('Request r-1').waitFor()
  await page.unroute('**/beta/casework/runs?*')
  await runs.getByRole('button', { name: 'Retry' }).click()
  await runs.getByText('No run has failed.').waitFor()
})

test('a person without cases:read learns which role is missing', async () => {
  await seed()
  const { page } = await kit.signIn('auditor', '/overview', TENANT)
  await page.getByText('You may not see this').waitFor()
})

test('the overview passes axe in both schemes and three widths', async () => {
  await seed()
  const { page } = await kit.signIn('viewer', '/overview', TENANT)
  await page.getByRole('figure', { name: 'Events by type' }).waitFor()
  await page.getByRole('link', { name: /Spam \d+ events/ }).waitFor()
  await lookOver(page, 'overview')
})

test('a refresh asks for all parts of the page', async () => {
  await seed()
  const { page } = await kit.signIn('viewer', '/', TENANT)
  await page.clock.install()
  await page.goto('/overview')
  await page.getByText('No run has failed.').waitFor()
  await page.clock.fastForward(6 * 60_000)
  await page.getByText(/^Loaded /).waitFor()
  const asked = ['casework/runs', 'cases/counts', 'beta/sources', 'metric=events'].map((part) =>
    page.waitForRequest((request) => request.url().includes(part)),
  )
  await page.getByRole('button', { name: 'Refresh' }).click()
  await Promise.all(asked)
})

test('events of today count from midnight of the chosen zone, up to this minute of yesterday', async () => {
  const tenantId = 'overview-today'
  await kit.app.createTenant(tenantId)
  const token = await kit.app.createToken({ tenantId })
  // Later than now, a day ago.
  const at = new Date(Date.now() - 24 * 3_600_000 + 5 * 60_000).toISOString()
  const json = {
    event_type: 'Spam',
    event_date: at,
    ip: '192.0.2.9',
    sender_email: 'r@example.org',
  }
  const sent = await kit.app.send('POST', '/beta/casework/events', { token, json })
  assert.equal(sent.status, 201, sent.text)
  const { page } = await kit.signIn('viewer', '/', tenantId)
  await page.evaluate(`localStorage.setItem('${PREFERENCES}', '{"tour":"done","zone":"utc"}')`)
  const asked = page.waitForRequest((request) => /\/stats\?.*interval=hour/.test(request.url()))
  await page.goto('/overview')
  const { searchParams } = new URL((await asked).url())
  assert.match(searchParams.get('from') ?? '', /T00:00:00\.000Z$/)
  const numbers = page.getByRole('region', { name: 'Numbers' })
  await numbers.getByText('0 until this time yesterday').waitFor()
})
