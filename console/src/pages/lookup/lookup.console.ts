// Proves the look-up page: by mouse, by keyboard, by URL, with what is missing, and with what may
// not be read.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertNothingRan,
  EVIL_TEXTS,
  lookOver,
  moveTo,
  withConsole,
} from '../../../../test/console/console-kit.ts'
import { daysAgo, pushAttacker, pushIntel } from '../../../../test/console/intel-kit.ts'
import { pressKey } from '../../../../test/console/keyboard.ts'

const kit = withConsole()

test('an item of the search box opens with its verdict first, by keyboard alone', async () => {
  await pushAttacker(kit, '198.51.100.7')
  const { page } = await kit.signIn('agent', '/account')
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  await pressKey(page, '/')
  const box = page.getByRole('combobox', { name: 'Search' })
  await box.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('198.51.100[.]7')
  await page.getByRole('option', { name: 'Look up' }).waitFor()
  await page.keyboard.press('Enter')
  const verdict = page.getByRole('note', { name: 'Verdict' })
  await verdict
    .getByText(/Malicious: .{0,200}seen 21 times in 3 days, listed on example-dnsbl/)
    .waitFor()
  await page.getByRole('heading', { name: '198.51.100.7' }).waitFor()
  const lists = page.getByRole('region', { name: 'Lists and tags' })
  await lists.getByRole('link', { name: '198.51.100.0/24' }).waitFor()
  const why = page.getByRole('region', { name: 'Why' })
  await why
    .getByText(/Rule "honeypot/)
    .first()
    .waitFor()
  await why.getByText('example-dnsbl lists it.').waitFor()
  await lookOver(page, 'lookup')
})

test('the period of the chart is in the URL, and a tag leads to its page', async () => {
  await pushAttacker(kit, '198.51.100.8')
  const { page } = await kit.signIn('viewer', '/lookup/198.51.100.8')
  await page.getByText('90 days', { exact: true }).click()
  await page.waitForURL(/\?days=90$/)
  await page.reload()
  await page
    .getByRole('radio', { name: '90 days' })
    .and(page.locator(':checked'))
    .waitFor({ state: 'attached' })
  await page.getByRole('list', { name: 'Tags' }).getByRole('link').first().click()
  await page.waitForURL(/\/tags\//)
  await page.getByRole('region', { name: 'Items with it' }).getByText('198.51.100.8').waitFor()
  await page.goBack()
  await page.waitForURL(/\?days=90$/)
})

test('sightings by day stand in the chart and in its table, divided as the URL says', async () => {
  await pushAttacker(kit, '198.51.100.11')
  const { page } = await kit.signIn('viewer', '/lookup/198.51.100.11')
  const activity = page.getByRole('region', { name: 'Observed activity' })
  const chart = activity.getByRole('figure', { name: 'Sightings by day, UTC' })
  await chart.getByText('login-attack').waitFor()
  await activity.getByText('Source', { exact: true }).click()
  await page.waitForURL(/\?by=source$/)
  await chart.getByText('honeypot · hp-2').waitFor()
  await page.reload()
  await chart.getByRole('button', { name: 'Show as table' }).press('Enter')
  const table = chart.getByRole('table')
  await table.getByRole('columnheader', { name: 'honeypot · hp-3' }).waitFor()
  assert.equal(await table.getByRole('row').count(), 31)
  const cells = await table.getByRole('cell').allTextContents()
  assert.equal(
    cells.reduce((sum, cell) => sum + Number(cell), 0),
    21,
  )
  const answer = page.waitForResponse(/beta\/sightings/)
  await activity.getByText('90 days', { exact: true }).click()
  assert.equal((await answer).status(), 200)
  await page.waitForURL(/by=source&days=90|days=90&by=source/)
})

test('the numbers beside a chart are whole, also those of thousands', async () => {
  await pushAttacker(kit, '198.51.100.12', { count: 1_000_000 })
  const { page } = await kit.signIn('viewer', '/lookup/198.51.100.12')
  const figure = page.getByRole('figure', { name: 'Sightings by day, UTC' })
  const numbers = figure.locator('.chart-number')
  await numbers
    .getByText(/,000,000$/)
    .first()
    .waitFor()
  const left = (await figure.locator('svg.chart-svg').boundingBox())?.x ?? Number.NaN
  for (const number of await numbers.all()) {
    const box = await number.boundingBox()
    assert.ok((box?.x ?? 0) >= left, `${await number.textContent()} begins left of the chart`)
  }
})

test('a neighbour is one press away, and a range lists what is known in it', async () => {
  await pushAttacker(kit, '203.0.113.20')
  await pushAttacker(kit, '203.0.113.21')
  const { page } = await kit.signIn('viewer', '/lookup/203.0.113.20')
  const strip = page.getByRole('region', { name: 'Neighbours' })
  await strip.getByRole('link', { name: '203.0.113.21: malicious' }).click()
  await page.waitForURL(/203\.0\.113\.21$/)
  await page
    .getByRole('region', { name: 'Neighbours' })
    .getByRole('link', { name: '203.0.113.0/24' })
    .click()
  await page.getByRole('heading', { name: '203.0.113.0/24' }).waitFor()
  await page.getByRole('figure', { name: 'Sightings by day, UTC' }).getByText('42').waitFor()
  const table = page.getByRole('grid', { name: '203.0.113.0/24' })
  await table.getByRole('link', { name: '203.0.113.20' }).waitFor()
  await page.reload()
  await table.getByRole('link', { name: '203.0.113.21' }).waitFor()
  await lookOver(page, 'lookup-range')
})

test('who may puts an item on their blocklist, undoes it, and removes an entry', async () => {
  const { page } = await kit.signIn('instance-admin', '/lookup/192.0.2.77')
  await page.getByText(/Reserved: .{1,200}not reachable from the public Internet/).waitFor()
  await page.getByRole('button', { name: 'Mark' }).click()
  await page.getByRole('menuitem', { name: 'Put on your blocklist' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('As agreed.')
  await page.getByRole('button', { name: 'Put on blocklist' }).click()
  const lists = page.getByRole('region', { name: 'Lists and tags' })
  await lists.getByText('As agreed.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await lists.getByText('No blocklist').waitFor()
  await page.locator('body').press('w')
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.getByText('192.0.2.77 is allowed.').waitFor()
  await lists.getByRole('button', { name: 'Remove the entry desk' }).click()
  await lists.getByText('No blocklist').waitFor()
})

test('who may not write sees no acts', async () => {
  const { page } = await kit.signIn('viewer', '/lookup/192.0.2.78')
  await page.getByRole('region', { name: 'Lists and tags' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Mark' }).count(), 0)
})

test('an item of which nothing is known says so, with its parents', async () => {
  await pushIntel(kit, 'listings', [
    { item: 'bad.example.net', list: 'names', source: 'names', reason: 'Phishing.' },
  ])
  const { page } = await kit.signIn('viewer', '/lookup/never.seen.example.org')
  await page.getByText('Reserved: no list, sensor or report names it').waitFor()
  await page.getByRole('region', { name: 'Parent domains' }).getByText('seen.example.org').waitFor()
  await moveTo(page, '/lookup/www.bad.example.net')
  await page.getByRole('region', { name: 'Lists and tags' }).getByText('Phishing.').waitFor()
  await lookOver(page, 'lookup-domain')
})

test('a text that is no item says what would be one', async () => {
  const { page } = await kit.signIn('viewer', '/lookup/not%20an%20item')
  await page.getByText('“not an item” is no address, range or domain').waitFor()
  await page.getByRole('link', { name: 'Search cases, customers and reports for it' }).click()
  await page.waitForURL(/\/search\?q=not\+an\+item/)
})

test('a part that no source answered in time says so beside itself', async () => {
  const { page } = await kit.signIn('viewer', '/account')
  await page.route('**/beta/query/**', async (route) => {
    const answer = await route.fetch()
    const { result } = await answer.json()
    await route.fulfill({
      status: 503,
      headers: { 'casework-problem': 'INTEL_LOOKUP_PARTIAL' },
      json: { status: 'partial_success', statusCode: 503, result, errors: {} },
    })
  })
  await page.goto('/lookup/198.51.100.9')
  const facts = page.getByRole('region', { name: 'Where it is' })
  await facts.getByText('Some sources did not answer.').first().waitFor()
  await page.unroute('**/beta/query/**')
  await facts.getByRole('button', { name: 'Ask again' }).first().click()
  await facts.getByText('None known').first().waitFor()
})

test('a failure shows its request and is tried again', async () => {
  const { page } = await kit.signIn('viewer', '/account')
  await page.route('**/beta/explain/**', (route) =>
    route.fulfill({
      status: 500,
      headers: { 'x-request-id': 'a1b2c3' },
      json: { status: 'failure', statusCode: 500, errors: { $: 'It broke.' } },
    }),
  )
  await page.goto('/lookup/198.51.100.10')
  await page.getByRole('button', { name: 'Request a1b2c3' }).waitFor()
  await page.unroute('**/beta/explain/**')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('note', { name: 'Verdict' }).waitFor()
})

test('what strangers wrote is shown as text', async () => {
  const [first, second, third] = EVIL_TEXTS
  await pushIntel(kit, 'listings', [
    { item: '198.51.100.66', list: first, source: second.slice(0, 90), reason: third },
  ])
  await pushIntel(kit, 'taggings', [
    { item: '198.51.100.66', tag: 'credentials:brute-force', source: first, expires: daysAgo(-3) },
  ])
  const { page } = await kit.signIn('instance-admin', '/lookup/198.51.100.66')
  await page.getByRole('region', { name: 'Lists and tags' }).getByText(third).waitFor()
  await page.getByRole('region', { name: 'Why' }).getByText(first).first().waitFor()
  await assertNothingRan(page)
})

test('a tag is taken back at once, also by a browser whose clock is ahead', async () => {
  // In no range that another test lists.
  const item = '2001:db8:7a6::1'
  const tag = 'credentials:ssh-brute-force'
  await pushIntel(kit, 'taggings', [{ item, tag, source: 'desk' }])
  const { page } = await kit.signIn('instance-admin')
  await page.clock.setFixedTime(Date.now() + 3_600_000)
  await page.goto(`/lookup/${item}`)
  const lists = page.getByRole('region', { name: 'Lists and tags' })
  await lists.getByText('Active', { exact: true }).waitFor()
  await lists.getByRole('button', { name: `Remove the entry ${tag}` }).click()
  await lists.getByText('Expired', { exact: true }).waitFor()
})

test('a refresh asks for all parts of the page', async () => {
  const { page } = await kit.signIn('viewer')
  await page.clock.install()
  await page.goto('/lookup/198.51.100.152')
  await page
    .getByRole('region', { name: 'Neighbours' })
    .getByText(/of 256 known/)
    .waitFor()
  await page.clock.fastForward(6 * 60_000)
  await page.getByText(/^Loaded /).waitFor()
  const asked = ['beta/explain', 'beta/query', 'beta/ranges', 'casework/cases', 'casework/events']
  const requests = asked.map((part) =>
    page.waitForRequest((request) => request.url().includes(part)),
  )
  await page.getByRole('button', { name: 'Refresh' }).click()
  await Promise.all(requests)
})
