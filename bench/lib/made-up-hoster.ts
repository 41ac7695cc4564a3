// A made-up hoster: customers, contracts and resources as CSV, the events of one of its days, and
// whose each event is. Seeded. Every hoster uses the same addresses, so an event that reached
// another tenant would find an owner there and be seen.

import type { Random } from './random.ts'

const HOUR_MS = 3_600_000
const EVENT_TYPES = ['LoginAttack', 'PortScan', 'Spam', 'Phishing', 'Malware', 'Bot', 'DDos']
/**
 * Of a hundred events: about an address of IPv6, a domain, an account, and something nobody has.
 */
const SHARES = { ipv6: 8, domain: 15, account: 7, nobody: 2 }
// Every twentieth customer gives its range to the next one at noon.
const MOVES_EVERY = 20
const NOON_HOURS = 12

export interface MadeUpHoster {
  readonly customersCsv: string
  readonly contractsCsv: string
  readonly resourcesCsv: string
}

/**
 * Customer 1, 51, 101 … are resellers and parents of the 49 after them; each customer has two
 * contracts and four resources.
 */
export function buildHoster(customers: number, dayStartMs: number): MadeUpHoster {
  const people = ['customer,name,parent,email,language,purpose']
  const contracts = ['contract,customer,name,valid_from,valid_until']
  const resources = ['kind,value,customer,contract,valid_from,valid_until']
  const noon = new Date(dayStartMs + NOON_HOURS * HOUR_MS).toISOString()
  for (let index = 0; index < customers; index += 1) {
    const id = nameCustomer(index)
    const parent = index % 50 === 0 ? '' : nameCustomer(index - (index % 50))
    people.push(`${id},"Example, No. ${index}",${parent},abuse@c${index}.example,en,abuse`)
    contracts.push(`V-${index}-a,${id},Servers,2024-01-01,`, `V-${index}-b,${id},Web,2024-01-01,`)
    const range = `${nameIpv4(index, 0)}/28`
    resources.push(
      `ip_range,${range},${id},V-${index}-a,2024-01-01,`,
      `ip_range,2001:db8:${index.toString(16)}::/48,${id},V-${index}-a,,`,
      `domain,c${index}.example,${id},V-${index}-b,,`,
      `account,acct-${index},${id},V-${index}-b,,`,
    )
    if (movesAtNoon(index)) {
      const next = (index + 1) % customers
      resources.push(`ip_range,${range},${nameCustomer(next)},V-${next}-a,${noon},`)
    }
  }
  return {
    customersCsv: joinLines(people),
    contractsCsv: joinLines(contracts),
    resourcesCsv: joinLines(resources),
  }
}

function joinLines(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`
}

export interface MadeUpEvent {
  readonly json: string
  /** Null: nobody had it. */
  readonly customerId: string | null
}

/** An event at `eventMs`; `dayStartMs` is that of `buildHoster`. */
export function makeEvent(
  random: Random,
  customers: number,
  dayStartMs: number,
  eventMs: number,
): MadeUpEvent {
  // A tenth of the customers have nine tenths of the trouble, as everywhere.
  const index =
    random.integer(10) === 0 ? random.integer(customers) : random.integer(customers / 10)
  const isAfternoon = eventMs >= dayStartMs + NOON_HOURS * HOUR_MS
  const owner = nameCustomer(index)
  const next = nameCustomer((index + 1) % customers)
  const ownerOfRange = movesAtNoon(index) && isAfternoon ? next : owner
  const kind = random.integer(100)
  const details: Record<string, unknown> = { port: 1 + random.integer(65_000), protocol: 'tcp' }
  const event: Record<string, unknown> = {
    event_date: new Date(eventMs).toISOString(),
    event_type: random.pick(EVENT_TYPES),
    sender_email: `reporter-${random.integer(300)}@example.org`,
    event_details: details,
  }
  let customerId: string | null = owner
  if (kind < SHARES.nobody) {
    event['ip'] = `192.0.2.${random.integer(256)}`
    customerId = null
  } else if (kind < SHARES.nobody + SHARES.ipv6) {
    event['ip'] = `2001:db8:${index.toString(16)}::${1 + random.integer(9)}`
  } else if (kind < SHARES.nobody + SHARES.ipv6 + SHARES.domain) {
    event['domain'] = `${random.pick(['www', 'mail', 'shop'])}.c${index}.example`
  } else if (kind < SHARES.nobody + SHARES.ipv6 + SHARES.domain + SHARES.account) {
    details['account'] = `acct-${index}`
    event['ip'] = `192.0.2.${random.integer(256)}`
  } else {
    event['ip'] = nameIpv4(index, random.integer(16))
    customerId = ownerOfRange
  }
  return { json: JSON.stringify(event), customerId }
}

function movesAtNoon(index: number): boolean {
  return index % MOVES_EVERY === 7
}

function nameCustomer(index: number): string {
  return `K-${index}`
}

/** Within 198.18.0.0/15 (RFC 2544), sixteen addresses a customer. */
function nameIpv4(index: number, offset: number): string {
  const address = index * 16 + offset
  return `198.${18 + (address >> 16)}.${(address >> 8) & 255}.${address & 255}`
}
