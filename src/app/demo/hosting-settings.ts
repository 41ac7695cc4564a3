// What the administrator of the made-up hoster set up beside the rules: webhooks, adapters,
// templates, roles, service accounts, tokens, views and retention.

import type { Caller } from '../../vocabulary/caller.ts'
import type { DemoDesk } from './demo-desk.ts'

const ROOT = '/beta/casework'

export async function setUpHostingSettings(
  { send }: DemoDesk,
  admin: Caller,
  tenantId: string,
): Promise<void> {
  const put = (path: string, json: unknown) => send(admin, 'PUT', path, { json })
  const post = (path: string, json: unknown) => send(admin, 'POST', path, { json })
  await put(`${ROOT}/secrets/firewall-signing`, {
    value: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  })
  await put(`${ROOT}/mitigation-adapters/edge-firewall`, {
    url: 'https://firewall.nordhafen.example/blocks',
    secret: 'firewall-signing',
    kinds: ['null_route', 'block_port'],
    description: 'Null routes at the edge routers.',
  })
  for (const webhook of WEBHOOKS) await post('/beta/webhooks', webhook)
  await put(`${ROOT}/templates/second-notice/en`, {
    purpose: 'reminder',
    subject: 'Second notice about {{ case.id }}',
    body: 'Hello,\n\nwe wrote to you about {{ case.id }} and have not heard from you.\n\n{{ text }}\n\nNordhafen Abuse Desk\n',
  })
  await put(`${ROOT}/calendars/office`, {
    time_zone: 'Europe/Oslo',
    hours: Object.fromEntries(WEEKDAYS.map((day) => [day, [{ from: '08:00', to: '17:00' }]])),
    holidays: ['2026-12-25', '2027-01-01'],
  })
  await put(`${ROOT}/trusted-reporters/national-cert.example`, { note: 'The national CERT.' })
  await put(`${ROOT}/trusted-reporters/example-bank.example`, { note: 'Answers within minutes.' })
  await put(`${ROOT}/suppressed-addresses/former-admin@harbour-coffee.example`, {})
  for (const view of VIEWS) await post(`${ROOT}/views`, { shared: true, ...view })
  await post('/beta/admin/roles', {
    name: 'night-shift',
    description: 'Works cases at night, and may ask for null routes.',
    scopes: ['cases:read', 'cases:write', 'cases:transition', 'mitigations:execute'],
  })
  for (const [id, name] of ACCOUNTS) await post('/beta/admin/service-accounts', { id, name })
  for (const token of TOKENS) {
    const { json } = await post('/beta/admin/tokens', { ...token, tenant_id: tenantId })
    // Nobody has seen its secret, and nobody can use it.
    await send(admin, 'DELETE', `/beta/admin/tokens/${json.id}`)
  }
}

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']

const WEBHOOKS = [
  {
    url: 'https://chat.nordhafen.example/hooks/abuse',
    types: ['case.opened', 'run.failed'],
    description: 'Channel #abuse-desk',
  },
  {
    url: 'https://tickets.nordhafen.example/in/casework',
    types: ['case.opened', 'case.moved'],
    description: 'Customer care sees cases as tickets.',
  },
  {
    url: 'https://old-siem.nordhafen.example/collect',
    types: ['report.quarantined'],
    description: 'Former SIEM; does not answer since it was moved.',
  },
]

const VIEWS = [
  { name: 'Urgent and open', list: 'cases', query: { severity: 'critical', state: 'IN_PROGRESS' } },
  { name: 'Waits for the customer', list: 'cases', query: { waiting_on: 'customer' } },
  { name: 'New today', list: 'cases', query: { state: 'NEW' } },
  { name: 'Phishing events', list: 'events', query: { event_type: 'Phishing' } },
]

const ACCOUNTS = [
  ['gateway', 'Report gateway'],
  ['feeder', 'Sensor gateway'],
  ['crm', 'Customer care'],
] as const

const TOKENS = [
  { name: 'Report gateway, Oslo', roles: ['ingest'] },
  { name: 'Honeypots', scopes: ['intel:read'] },
  { name: 'Old ticket bridge', scopes: ['cases:read', 'cases:write'] },
]
