// Proves of the pages that no other file looks over that they pass axe in both schemes and three
// widths: lists and editors with records, their first visit, and addresses that no page has.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lookOver, lookOverState, moveTo, withConsole } from '../../test/console/console-kit.ts'

const kit = withConsole()
const TENANT = 'look-overs'
const EMPTY_TENANT = 'look-overs-empty'
const ROLE = 'instance-admin'
const LIST = 'mail-blocklist/look-overs'

let made: Promise<string> | null = null

/** The records that the pages show; the id of the playbook. */
async function makeRecords(): Promise<string> {
  await kit.app.createTenant(TENANT)
  await kit.app.createTenant(EMPTY_TENANT)
  const token = await kit.app.createToken({ tenantId: TENANT })
  const send = async (method: string, path: string, json: unknown) => {
    const answer = await kit.app.send(method, `/beta/${path}`, { token, json })
    assert.ok(answer.status < 300, `${path}: ${answer.text}`)
    return answer.json()
  }
  const playbook = await send('POST', 'casework/playbooks', {
    name: 'Ask the customer',
    nodes: [
      { id: 'begin', kind: 'start', paths: { next: 'ask' } },
      {
        id: 'ask',
        kind: 'manual',
        config: { paths: ['fixed', 'denied'], timeout: 'P2D' },
        paths: { fixed: 'done', denied: 'said', timeout: 'said' },
      },
      {
        id: 'said',
        kind: 'comment',
        config: { text: 'Nobody answered.' },
        paths: { next: 'done' },
      },
      { id: 'done', kind: 'end' },
    ],
  })
  await send('PUT', `sources/${LIST}`, {
    description: 'Addresses that customers named.',
    licence: 'Free to use.',
    ttlSeconds: 86_400,
  })
  await send('PUT', `sources/${LIST}/entries`, [
    { item: '192.0.2.211', reason: 'Sends spam.' },
    { item: 'look-overs.example', reason: 'Phishing of a bank.' },
  ])
  await send('PUT', 'casework/calendars/desk', {
    time_zone: 'Europe/Berlin',
    hours: { monday: [{ from: '09:00', to: '17:00' }] },
    holidays: ['2027-01-01'],
  })
  await send('POST', 'casework/mute-rules', {
    key: { ip: '192.0.2.212' },
    reason: 'Our own scanner',
    until: new Date(Date.now() + 30 * 86_400_000).toISOString(),
  })
  const event = await send('POST', 'casework/events', {
    event_type: 'Spam',
    ip: '192.0.2.213',
    event_date: new Date().toISOString(),
    sender_email: 'ann@reporter.example',
  })
  await send('POST', `casework/cases/${event.case_id}/notices`, {
    template: 'answer',
    party: 'other',
    address: 'bob@elsewhere.example',
  })
  await send('PUT', 'casework/suppressed-addresses/gone@elsewhere.example', { note: 'Left.' })
  await send('POST', 'webhooks', { url: 'https://hooks.example/look', types: ['case.opened'] })
  await send('POST', 'admin/service-accounts', { id: 'look-overs', name: 'Mail gateway' })
  await send('POST', 'admin/groups', { name: 'Night shift' })
  return playbook.id
}

/**
 * Waits for the text and for all that is on its way, and looks the page over. PLAYBOOK in a path is
 * the id of the playbook.
 */
async function lookOverPages(
  pages: readonly (readonly [name: string, path: string, text: string])[],
  tenantId = TENANT,
  look = lookOver,
): Promise<void> {
  made ??= makeRecords()
  const playbookId = await made
  const { page } = await kit.signIn(ROLE, '/account', tenantId)
  for (const [name, path, text] of pages) {
    await moveTo(page, path.replace('PLAYBOOK', playbookId))
    await page.getByRole('main').getByText(text).first().waitFor()
    await page.locator('.loading').first().waitFor({ state: 'detached' })
    await look(page, name)
  }
}

test('the pages of playbooks pass axe in both schemes and three widths', async () => {
  await lookOverPages([
    ['playbooks', '/playbooks', 'Ask the customer'],
    ['playbooks-shipped', '/playbooks?new=shipped', 'Ask the customer'],
    ['playbook', '/playbooks/PLAYBOOK', 'Ask the customer'],
    ['playbook-edit', '/playbooks/PLAYBOOK/edit?node=ask', 'No problems'],
    ['playbook-outline', '/playbooks/PLAYBOOK/edit?left=outline&simulate=yes', 'Run simulation'],
  ])
})

test('the editors and lists of rules pass axe in both schemes and three widths', async () => {
  await lookOverPages([
    ['rules-new-group', '/rules/new-group', 'Condition'],
    ['rules-new-mute-rule', '/rules/new-mute-rule', 'IP address'],
    ['rules-new-calendar', '/rules/new-calendar', 'Monday'],
    ['rules-calendar', '/rules/calendars/desk', 'Monday'],
    ['rules-mute', '/rules?tab=mute', 'Our own scanner'],
    ['rules-calendars', '/rules?tab=calendars', 'desk'],
    ['rules-test', '/rules?tab=test', 'Test'],
  ])
})

test('a source, its entries and the known lists pass axe in both schemes and three widths', async () => {
  await lookOverPages([
    ['sources-edit', `/sources/${LIST}/edit`, 'Licence'],
    ['sources-entries', `/sources/${LIST}/entries`, 'look-overs.example'],
    ['sources-presets', '/sources?tab=presets', 'tor-exits'],
  ])
})

test('the outbox and the addresses without mail pass axe in both schemes and three widths', async () => {
  await lookOverPages([
    ['notices', '/notices', 'bob@elsewhere.example'],
    ['notices-suppressed', '/notices?tab=suppressed', 'gone@elsewhere.example'],
  ])
})

test('the other sections of the administration pass axe in both schemes and three widths', async () => {
  await lookOverPages([
    ['admin-groups', '/admin/groups', 'Night shift'],
    ['admin-service-accounts', '/admin/service-accounts', 'Mail gateway'],
    ['admin-retention', '/admin/retention', 'Ended cases'],
    ['admin-webhooks', '/admin/webhooks', 'hooks.example'],
    ['admin-mitigations', '/admin/mitigations', 'No adapters yet'],
    ['admin-tenants', '/admin/tenants', TENANT],
  ])
})

test('the first visit of lists passes axe', async () => {
  await lookOverPages(
    [
      ['playbooks-empty', '/playbooks', 'No playbooks yet'],
      ['notices-empty', '/notices', 'No notices yet'],
      ['customers-empty', '/customers', 'No customers yet'],
      ['events-empty', '/events', 'No events yet'],
      ['reports-empty', '/reports', 'No reports yet'],
    ],
    EMPTY_TENANT,
    lookOverState,
  )
})

test('an address without a page passes axe in both schemes and three widths', async () => {
  await lookOverPages([['not-found', '/no-such-page', 'There is no such page']])
})
