// Proves of every page that asks for something what it shows when the answer is a fault of the
// service: that it says so, offers to ask again, names the request for the log, and passes axe.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { lookOverState, moveTo, withConsole } from '../../test/console/console-kit.ts'

const kit = withConsole()
const ID = '01990000-0000-7000-8000-000000000000'
const PAGES = [
  '/search?q=mail',
  '/lookup/192.0.2.1',
  '/tags',
  '/overview',
  '/cases',
  `/cases/C-${ID.toUpperCase()}`,
  '/events',
  '/reports',
  `/reports/${ID}`,
  '/customers',
  '/customers/c-1',
  '/rules',
  '/playbooks',
  `/playbooks/${ID}`,
  '/runs',
  `/runs/${ID}`,
  '/notices',
  '/sources',
  '/admin/people',
  '/admin/audit',
] as const
// What a page needs to be there at all.
const FRAME = /^\/beta\/(?:session|sign-in|whoami)/
const REQUEST_ID = 'req-of-the-fault'
const PROBLEM = {
  type: 'about:blank',
  title: 'Internal Server Error',
  status: 500,
  code: 'KERNEL_INTERNAL_TROUBLE',
  detail: 'The request failed because of a fault in the service.',
}

async function fail(route: Route): Promise<void> {
  if (FRAME.test(new URL(route.request().url()).pathname)) return await route.fallback()
  await route.fulfill({
    status: 500,
    contentType: 'application/problem+json',
    headers: { 'x-request-id': REQUEST_ID },
    body: JSON.stringify(PROBLEM),
  })
}

/** What is wrong with what the page says; nothing when it says all. */
async function findFaults(page: Page, path: string): Promise<readonly string[]> {
  const problem = page.getByRole('alert').first()
  await problem.waitFor()
  // A page has several parts, which fail one after the other.
  const retry = page.getByRole('button', { name: 'Retry' })
  await retry
    .first()
    .waitFor({ timeout: 10_000 })
    .catch(() => undefined)
  const said = (await page.getByRole('alert').allInnerTexts()).join(' ')
  return [
    ...(said.includes(PROBLEM.detail)
      ? []
      : [`${path} does not say what the server said: ${said}`]),
    ...(said.includes(REQUEST_ID) ? [] : [`${path} does not name the request`]),
    ...((await retry.count()) > 0 ? [] : [`${path} does not offer to ask again`]),
    ...((await page.getByText('The page has a fault').count()) > 0 ? [`${path} stopped`] : []),
  ]
}

test('each page says that the service failed, offers to ask again, and passes axe so', async () => {
  const { page } = await kit.signIn('instance-admin', '/account')
  await page.route('**/beta/**', fail)
  const faults: string[] = []
  for (const path of PAGES) {
    await moveTo(page, path)
    faults.push(...(await findFaults(page, path)))
    const name = path.slice(1).replaceAll(/\W+/g, '-')
    await lookOverState(page, `error-${name}`)
  }
  assert.deepEqual(faults, [])
})
