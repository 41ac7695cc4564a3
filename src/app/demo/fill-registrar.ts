// The smaller tenant: a registrar with a few resellers, whose cases are about names.

import type { Caller } from '../../vocabulary/caller.ts'
import type { DemoDesk } from './demo-desk.ts'
import { buildEvents } from './demo-events.ts'
import { asPerson, makeMachine, REGISTRAR_PEOPLE } from './demo-people.ts'
import type { DemoRandom } from './demo-random.ts'
import { REGISTRAR } from './demo-store.ts'
import type { Campaign } from './hosting-campaigns.ts'
import type { Desk } from './hosting-story.ts'

const ROOT = '/beta/casework'

const CUSTOMERS = [
  { id: 'r-10', name: 'Fjord Domains Reseller', contacts: [abuse('abuse@fjord-domains.example')] },
  { id: 'r-11', name: 'Namebarn', contacts: [abuse('compliance@namebarn.example')] },
  { id: 'r-12', name: 'Holm Consulting', contacts: [abuse('post@holm-consulting.example')] },
]

const NAMES: readonly (readonly [string, string])[] = [
  ['nordic-parcel-status.example', 'r-10'],
  ['secure-bank-update.example', 'r-10'],
  ['winter-sale-boots.example', 'r-11'],
  ['crypto-doubler.example', 'r-11'],
  ['holm-consulting.example', 'r-12'],
]

function abuse(email: string): object {
  return { email, purpose: 'abuse', language: 'en' }
}

const phish = (domain: string, from: number, to: number, perDay: number): Campaign => ({
  type: 'Phishing',
  domain,
  reporters: ['phish@example-bank.example', 'cert@national-cert.example'],
  from,
  to,
  perDay,
  shape: 'office',
  details: { url: `https://${domain}/verify` },
})

const CAMPAIGNS: readonly Campaign[] = [
  phish('nordic-parcel-status.example', 40, 37, 3),
  phish('secure-bank-update.example', 5, 1, 4),
  { ...phish('winter-sale-boots.example', 22, 15, 2), type: 'Trademark' },
  { ...phish('crypto-doubler.example', 3, 0, 4), type: 'Fraud' },
  { ...phish('holm-consulting.example', 60, 58, 2), type: 'CompromisedWebsite' },
]

/** Sets the tenant up, and gives what its story needs. */
export async function setUpRegistrar(
  desk: DemoDesk,
  random: DemoRandom,
  endMs: number,
): Promise<{
  readonly events: ReturnType<typeof buildEvents>
  readonly machine: Caller
  readonly story: Omit<Desk, 'plan'>
}> {
  const { send } = desk
  const admin = asPerson(REGISTRAR, REGISTRAR_PEOPLE.ingrid)
  const post = (path: string, json: unknown) => send(admin, 'POST', `${ROOT}${path}`, { json })
  await post('/customers/bulk', CUSTOMERS)
  await post(
    '/contracts/bulk',
    CUSTOMERS.map(({ id }) => ({ id: `v-${id}`, customer_id: id, name: 'Reseller' })),
  )
  await post(
    '/resources/bulk',
    NAMES.map(([value, customer]) => ({
      kind: 'domain',
      value,
      customer_id: customer,
      contract_id: `v-${customer}`,
    })),
  )
  const template = 'registrar-receipt-and-statement'
  const { json } = await post('/playbooks/import', { template })
  await post(`/playbooks/${json.id}/versions/${json.version}/activate`, undefined)
  await send(admin, 'PATCH', `${ROOT}/case-groups/take-down`, {
    json: { enabled: true, key_fields: ['domain'], severity: 'high', playbook_id: json.id },
  })
  const agents = Object.values(REGISTRAR_PEOPLE).map((one) => asPerson(REGISTRAR, one))
  const made = await send(admin, 'POST', '/beta/admin/groups', {
    json: { name: 'Compliance', user_ids: Object.values(REGISTRAR_PEOPLE).map(({ id }) => id) },
  })
  const groups = { day: made.json.id, night: made.json.id }
  return {
    events: buildEvents(CAMPAIGNS, endMs, random),
    machine: await makeMachine(desk, admin, 'registry-feed', 'Registry feed'),
    story: { desk, random, agents, groups },
  }
}
