// Cases for the tests of the queue: each file has a tenant of its own, whose counts nobody else
// changes.

import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { ConsoleKit } from './console-kit.ts'

export interface QueueKit {
  readonly send: (method: string, path: string, json: object) => Promise<void>
  /**
   * Opens `count` cases, one for each domain `name-N.example`, all reported by `name@example.org`;
   * the first one has the newest event.
   */
  readonly openCases: (
    name: string,
    count: number,
    members?: object,
  ) => Promise<readonly [string, ...string[]]>
  /** One more event in a case of `openCases`. */
  readonly addEvent: (name: string, index: number) => Promise<void>
  /** The queue in a new window, as soon as a row or its absence is shown. */
  readonly openQueue: (query: string, role?: string) => Promise<Page>
}

const EVENTS = '/beta/casework/events'
const MINUTE_MS = 60_000

/** The tenant is made by the first call. */
export function createQueueKit(kit: ConsoleKit, tenantId: string): QueueKit {
  let token: Promise<string> | null = null
  const makeTenant = async (): Promise<string> => {
    await kit.app.createTenant(tenantId)
    return kit.app.createToken({ tenantId })
  }
  const ask = async (method: string, path: string, json: object) => {
    token ??= makeTenant()
    const answer = await kit.app.send(method, path, { token: await token, json })
    assert.ok(answer.status < 300, answer.text)
    return answer
  }
  return {
    async send(method, path, json) {
      await ask(method, path, json)
    },
    async openCases(name, count, members = {}) {
      const newestMs = Date.now() - MINUTE_MS
      const json = Array.from({ length: count }, (_, index) => ({
        ...describeEvent(name, index, newestMs - index * MINUTE_MS),
        ...members,
      }))
      const answer = await ask('POST', EVENTS, json)
      const items: readonly { readonly case_id: string }[] = answer.json().items
      const [first, ...rest] = items.map(({ case_id: id }) => id)
      return [first ?? assert.fail('no case was opened'), ...rest]
    },
    async addEvent(name, index) {
      await ask('POST', EVENTS, describeEvent(name, index, Date.now()))
    },
    async openQueue(query, role = 'agent') {
      token ??= makeTenant()
      await token
      const { page } = await kit.signIn(role, `/cases${query}`, tenantId)
      await page
        .getByRole('grid', { name: 'Cases' })
        .and(page.locator('[aria-busy=false]'))
        .waitFor()
      return page
    },
  }
}

function describeEvent(name: string, index: number, timeMs: number) {
  return {
    event_type: 'Phishing',
    domain: `${name}-${index}.example`,
    event_date: new Date(timeMs).toISOString(),
    sender_email: `${name}@example.org`,
  }
}

export function rowOf(page: Page, text: string): Locator {
  return page.getByRole('row').filter({ hasText: text })
}

/** The check box of the row that shows the domain. */
export function checkBoxOf(page: Page, domain: string): Locator {
  return rowOf(page, domain).getByRole('checkbox')
}

/** What was done last and can be undone. */
export function toast(page: Page, text: string | RegExp): Locator {
  return page.getByRole('status').filter({ hasText: text }).last()
}
