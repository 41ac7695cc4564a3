// The fourteen main tasks of a desk, each from its beginning to its end by mouse alone and by
// keyboard alone. A page that can only be used by the other hand fails here.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { withConsole } from '../../test/console/console-kit.ts'
import { pressInDialog, pressKey } from '../../test/console/keyboard.ts'
import {
  assertOneHand,
  HANDS,
  type Hand,
  hasFocus,
  tabTo,
  typeInto,
  watchHands,
} from '../../test/console/one-hand.ts'
import { PASSWORD } from '../../test/people-kit.ts'
import { createActivePlaybook, runDueSteps } from '../../test/playbook-fixtures.ts'

const kit = withConsole()
const CASES = '/beta/casework/cases'

/** Opens the page and counts from then on what each hand does. */
async function open(role: string, path: string): Promise<Page> {
  const { page } = await kit.signIn(role, path)
  await watchHands(page)
  return page
}

async function post(path: string, json: object): Promise<void> {
  const { app } = kit
  const answer = await app.send('POST', path, { token: app.token, json })
  assert.ok(answer.status < 300, answer.text)
}

/** A case of the customer with events of one reporter. */
async function openCase(customer: string, ip = '198.51.100.9', count = 2): Promise<string> {
  const json = Array.from({ length: count }, (_, index) => ({
    event_type: 'LoginAttack',
    ip,
    event_date: new Date(Date.UTC(2026, 10, 20, index)).toISOString(),
    sender_email: 'fail2ban@example.org',
    customer_id: customer,
    report_id: `${customer}-${ip}-${index}`,
  }))
  const { app } = kit
  const answer = await app.send('POST', '/beta/casework/events', { token: app.token, json })
  assert.ok(answer.status < 300, answer.text)
  return answer.json().items[0].case_id
}

async function openCasePage(caseId: string): Promise<Page> {
  const page = await open('lead', `/cases/${caseId}`)
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  return page
}

async function pushReport(ip: string): Promise<string> {
  const body = [
    'From: olga@blimpworks.example',
    'To: abuse@provider.example',
    'Subject: Port scan',
    `Message-ID: <task-${ip}@blimpworks.example>`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    `${ip} scanned our ports.`,
  ].join('\r\n')
  const { app } = kit
  const headers = { 'content-type': 'message/rfc822' }
  const answer = await app.send('POST', '/beta/casework/reports', {
    token: app.token,
    body,
    headers,
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.json().report_id
}

function button(within: Page | Locator, name: string): Locator {
  return within.getByRole('button', { name, exact: true })
}

async function waitForFocus(field: Locator): Promise<void> {
  await field.and(field.page().locator(':focus')).waitFor()
}

function toast(page: Page, text: string | RegExp): Locator {
  return page.getByRole('status').filter({ hasText: text }).last()
}

/** Opens a menu by the hand and takes an entry of it. */
async function choose(page: Page, hand: Hand, menu: Locator, entry: string): Promise<void> {
  const item = page.getByRole('menuitem', { name: entry })
  if (hand === 'mouse') {
    await menu.click()
    await item.click()
    return
  }
  await tabTo(page, menu)
  await page.keyboard.press('Enter')
  await item.waitFor()
  while (!(await hasFocus(page, item))) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

/** Puts the text into the field by the hand, for what stood there. */
async function write(page: Page, hand: Hand, field: Locator, text: string): Promise<void> {
  if (hand === 'mouse') return await typeInto(page, field, text)
  await tabTo(page, field)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** Presses the button by the hand. */
async function press(page: Page, hand: Hand, target: Locator): Promise<void> {
  if (hand === 'mouse') return await target.click()
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

/** Finds the option of a field that offers some while a person types. */
async function pick(page: Page, hand: Hand, field: Locator, name: string): Promise<void> {
  await write(page, hand, field, name)
  const option = page.getByRole('option', { name, exact: true })
  await option.waitFor()
  if (hand === 'mouse') return await option.click()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

interface Task {
  readonly name: string
  /** Ends at what the person wanted to see. */
  readonly walk: (hand: Hand) => Promise<Page>
}

const TASKS: readonly Task[] = [
  {
    name: 'sign in',
    async walk(hand) {
      const { person } = await kit.signIn('viewer')
      const page = await kit.open('/account')
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await watchHands(page)
      await write(page, hand, page.getByLabel('E-mail address'), person.email)
      await write(page, hand, page.getByLabel('Password', { exact: true }), PASSWORD)
      await press(page, hand, button(page, 'Sign in'))
      await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
      return page
    },
  },
  {
    name: 'look up an address from anywhere',
    async walk(hand) {
      const page = await open('viewer', '/cases')
      const box = page.getByRole('combobox', { name: 'Search' })
      if (hand === 'mouse') {
        await typeInto(page, box, '198.51.100.9')
        await page.getByRole('option', { name: 'Look up 198.51.100.9' }).click()
      } else {
        await pressKey(page, '/')
        await waitForFocus(box)
        await page.keyboard.type('198.51.100.9')
        await page.keyboard.press('Enter')
      }
      await page.waitForURL(/\/lookup\/198\.51\.100\.9$/)
      await page.getByRole('note', { name: 'Verdict' }).waitFor()
      return page
    },
  },
  {
    name: 'check many items and take the result along',
    async walk(hand) {
      const page = await open('viewer', '/check')
      await write(page, hand, page.getByRole('textbox', { name: 'Items' }), '203.0.113.9 ')
      await press(page, hand, button(page, 'Check'))
      await page.getByRole('grid').getByRole('row').nth(1).getByText('203.0.113.9').waitFor()
      const saved = page.waitForEvent('download')
      await press(page, hand, button(page, 'Export CSV'))
      assert.match(await readFile(await (await saved).path(), 'utf8'), /203\.0\.113\.9/)
      return page
    },
  },
  {
    name: 'open the newest case of the queue',
    async walk(hand) {
      const customer = `newest-${hand}`
      const caseId = await openCase(customer)
      const page = await open('agent', `/cases?customer=${customer}`)
      const row = page.getByRole('row').filter({ hasText: 'LoginAttack' }).first()
      await row.waitFor()
      if (hand === 'mouse') {
        await row.getByText('LoginAttack').click()
        await page.getByRole('complementary').getByRole('link', { name: 'Open case' }).click()
      } else {
        await pressKey(page, 'j')
        await page.keyboard.press('Enter')
      }
      await page.waitForURL(new RegExp(`/cases/${caseId}`))
      await page.getByRole('list', { name: 'Timeline' }).waitFor()
      return page
    },
  },
  {
    name: 'assign a case to oneself',
    async walk(hand) {
      const page = await openCasePage(await openCase(`assign-${hand}`))
      if (hand === 'mouse') await button(page, 'Assign').click()
      else await pressKey(page, 'a')
      const field = page.getByRole('combobox', { name: 'Assignee' })
      await field.waitFor()
      if (hand === 'mouse') {
        await page
          .getByRole('option', { name: /\(me\)|^Me/i })
          .first()
          .click()
      } else {
        await waitForFocus(field)
        await page.keyboard.type('me')
        await page.keyboard.press('Enter')
      }
      await toast(page, /^Assigned to/).waitFor()
      return page
    },
  },
  {
    name: 'move a case to another state',
    async walk(hand) {
      const page = await openCasePage(await openCase(`move-${hand}`))
      if (hand === 'mouse') await choose(page, hand, button(page, 'More'), 'Change state')
      else await pressKey(page, 's')
      const dialog = page.getByRole('dialog', { name: 'Change the state' })
      await dialog.getByRole('radio', { name: 'In progress' }).waitFor()
      if (hand === 'mouse') await dialog.getByRole('button', { name: /Change/ }).click()
      else await pressInDialog(page, 'Enter')
      await page.getByRole('heading', { level: 1 }).getByText('In progress').waitFor()
      return page
    },
  },
  {
    name: 'take a way out of the playbook',
    async walk(hand) {
      const caseId = await openCase(`way-${hand}`)
      const playbook = await createActivePlaybook(kit.app, kit.app.token, [
        { id: 'begin', kind: 'start', paths: { next: 'ask' } },
        {
          id: 'ask',
          kind: 'manual',
          config: { question: 'Is it abuse?', paths: ['yes', 'no'], timeout: 'P2D' },
          paths: { yes: 'done', no: 'done', timeout: 'done' },
        },
        { id: 'done', kind: 'end' },
      ])
      await post(`${CASES}/${caseId}/runs`, { playbook_id: playbook })
      await runDueSteps(kit.app)
      const page = await openCasePage(caseId)
      await button(page, 'yes').waitFor()
      if (hand === 'mouse') {
        await button(page, 'yes').click()
      } else {
        await pressKey(page, 't')
        await page.getByRole('dialog', { name: 'Trigger the playbook' }).waitFor()
        await press(page, hand, button(page.getByRole('dialog'), 'yes'))
      }
      await toast(page, 'Chosen: yes.').waitFor()
      return page
    },
  },
  {
    name: 'comment on a case',
    async walk(hand) {
      const page = await openCasePage(await openCase(`comment-${hand}`))
      const field = page.getByRole('textbox', { name: 'Comment' })
      if (hand === 'mouse') {
        await typeInto(page, field, 'Called the customer.')
        await button(page, 'Comment').click()
      } else {
        await pressKey(page, 'c')
        await waitForFocus(field)
        await page.keyboard.type('Called the customer.')
        await page.keyboard.press('Control+Enter')
      }
      await page.getByRole('list', { name: 'Timeline' }).getByText('Called the').waitFor()
      return page
    },
  },
  {
    name: 'write to the customer',
    async walk(hand) {
      const id = `write-${hand}`
      const contacts = [{ email: `${id}@customer.example`, purpose: 'abuse', language: 'en' }]
      await post('/beta/casework/customers', { id, name: id, contacts })
      const page = await openCasePage(await openCase(id))
      await page.getByRole('link', { name: id }).first().waitFor()
      if (hand === 'mouse') await button(page, 'Write a mail').click()
      else await pressKey(page, 'r')
      const dialog = page.getByRole('dialog', { name: 'Write a mail about the case' })
      await write(page, hand, dialog.getByRole('textbox', { name: 'Your text' }), 'Look at 22.')
      await dialog.getByRole('region').getByText('Look at 22.').waitFor()
      await press(page, hand, dialog.getByRole('button', { name: /^Send to/ }))
      await toast(page, 'Mail handed over.').waitFor()
      return page
    },
  },
  {
    name: 'merge two cases',
    async walk(hand) {
      const ip = hand === 'mouse' ? '198.51.100.204' : '198.51.100.205'
      await openCase(`merged-${hand}`, ip)
      const page = await openCasePage(await openCase(`merge-${hand}`))
      if (hand === 'mouse') await choose(page, hand, button(page, 'More'), 'Merge with')
      else await pressKey(page, 'm')
      const dialog = page.getByRole('dialog', { name: 'Merge with another case' })
      await write(page, hand, dialog.getByLabel('Find the other case'), ip)
      const other = dialog
        .getByRole('radiogroup', { name: 'Cases found' })
        .getByRole('radio')
        .first()
      if (hand === 'mouse') {
        await other.check()
      } else {
        await tabTo(page, other)
        await page.keyboard.press('Space')
      }
      await press(page, hand, button(dialog, 'Merge cases'))
      await page.getByText(/4 events, 1 reporter/).waitFor()
      return page
    },
  },
  {
    name: 'correct a report that was read wrongly',
    async walk(hand) {
      const id = await pushReport(hand === 'mouse' ? '192.0.2.75' : '192.0.2.76')
      const page = await open('lead', `/reports/${id}`)
      const reading = page.getByRole('region', { name: 'What was read' })
      const wrong = reading.getByRole('button', { name: /^Wrong\?/ })
      await choose(page, hand, wrong, 'Another type')
      const dialog = page.getByRole('dialog', { name: 'Correct the event' })
      await pick(page, hand, dialog.getByRole('combobox', { name: 'Type' }), 'Phishing')
      await dialog.getByRole('list', { name: 'What changes' }).getByText('Phishing').waitFor()
      await press(page, hand, button(dialog, 'Correct the event'))
      await reading.getByRole('region', { name: 'Corrections' }).getByText('Phishing').waitFor()
      return page
    },
  },
  {
    name: 'enter a complaint by phone',
    async walk(hand) {
      const page = await open('agent', '/events')
      await page.getByRole('heading', { name: 'Events' }).waitFor()
      if (hand === 'mouse') await button(page, 'Add an event').click()
      else await pressKey(page, 'n')
      const dialog = page.getByRole('dialog', { name: 'Add an event' })
      await pick(page, hand, dialog.getByRole('combobox', { name: 'Type' }), 'Spam')
      await write(page, hand, dialog.getByLabel('Address'), '203.0.113.87')
      await write(page, hand, dialog.getByLabel('What was said'), 'Called at noon.')
      await press(page, hand, button(dialog, 'Add an event'))
      await page.getByRole('complementary', { name: 'Spam' }).waitFor()
      return page
    },
  },
  {
    name: 'find a case by what is known of it',
    async walk(hand) {
      const ip = hand === 'mouse' ? '198.51.100.202' : '198.51.100.203'
      await openCase(`find-${hand}`, ip)
      const page = await open('agent', '/')
      await write(page, hand, page.getByRole('combobox', { name: 'Search' }), ip)
      const found = page.getByRole('listbox', { name: 'Results' })
      // Tests of other pages may have cases of the same address.
      const entry = found.getByRole('option', { name: new RegExp(`^Case .*find-${hand}`) })
      await entry.waitFor()
      if (hand === 'mouse') {
        await entry.click()
      } else {
        while ((await entry.getAttribute('aria-selected')) !== 'true') {
          await page.keyboard.press('ArrowDown')
        }
        await page.keyboard.press('Enter')
      }
      await page.waitForURL(/\/cases\/C-/)
      return page
    },
  },
  {
    name: 'put an address on the own blocklist',
    async walk(hand) {
      const ip = hand === 'mouse' ? '192.0.2.96' : '192.0.2.97'
      const page = await open('instance-admin', `/lookup/${ip}`)
      await button(page, 'Mark').waitFor()
      if (hand === 'mouse') {
        await choose(page, hand, button(page, 'Mark'), 'Put on your blocklist')
      } else {
        await pressKey(page, 'l')
      }
      await write(page, hand, page.getByRole('textbox', { name: 'Reason' }), 'As agreed.')
      await press(page, hand, button(page, 'Put on blocklist'))
      const lists = page.getByRole('region', { name: 'Lists and tags' })
      await lists.getByText('As agreed.').waitFor()
      return page
    },
  },
]

for (const { name, walk } of TASKS) {
  for (const hand of HANDS) {
    test(`${name}, by ${hand} alone`, async () => {
      await assertOneHand(await walk(hand), hand)
    })
  }
}
