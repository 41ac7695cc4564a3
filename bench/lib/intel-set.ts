// A made-up intel set of any size: mostly IPv4, some IPv6 and domains, each with the context a real
// one has. Addresses are random, since an index of documentation ranges only would measure nothing;
// nothing is ever sent to them.

import { createRandom, type Random } from './random.ts'

export interface IntelRows {
  readonly listings: readonly string[]
  readonly taggings: readonly string[]
  readonly sightings: readonly string[]
  /** Every subject in the set. */
  readonly items: readonly string[]
}

const TAGS = [
  'credentials:brute-force',
  'credentials:ssh-brute-force',
  'scan:port',
  'spam:pristine-trap',
]
const SERVICES = ['ssh', 'telnet', 'rdp', 'http', 'smtp']
const DAY_MS = 86_400_000

/**
 * NDJSON rows for the three push endpoints: `size` subjects, of which 92.6 % IPv4, 4.6 % IPv6 and
 * 2.8 % domains.
 */
export function generateIntelSet(size: number, seed: number, nowMs: number): IntelRows {
  const random = createRandom(seed)
  const items = generateItems(random, size)
  const listings: string[] = []
  const taggings: string[] = []
  const sightings: string[] = []
  for (const item of items) {
    const lastSeen = new Date(nowMs - random.integer(60 * DAY_MS)).toISOString()
    const kind = random.integer(10)
    if (kind < 6) {
      listings.push(JSON.stringify({ item, list: 'bench-list', lastSeen, source: 'bench' }))
    }
    if (kind >= 5 && kind < 8) {
      taggings.push(JSON.stringify({ item, tag: random.pick(TAGS), lastSeen, source: 'bench' }))
    }
    if (kind >= 6) {
      sightings.push(
        JSON.stringify({
          item,
          kind: 'honeypot',
          service: random.pick(SERVICES),
          type: 'login-attack',
          lastSeen,
          count: 1 + random.integer(50),
          source: 'bench-sensor',
        }),
      )
    }
  }
  return { listings, taggings, sightings, items }
}

function generateItems(random: Random, size: number): string[] {
  const items = new Set<string>()
  const ipv6Count = Math.floor(size * 0.046)
  const domainCount = Math.floor(size * 0.028)
  while (items.size < size - ipv6Count - domainCount) items.add(generateIpv4(random))
  while (items.size < size - domainCount) items.add(generateIpv6(random))
  while (items.size < size) items.add(`host-${random.integer(2 ** 31).toString(36)}.example.net`)
  return [...items]
}

function generateIpv4(random: Random): string {
  // 11 to 99: whole blocks without special-purpose addresses but for 10/8 and 100.64/10, which are
  // outside.
  return `${11 + random.integer(89)}.${random.integer(256)}.${random.integer(256)}.${random.integer(256)}`
}

function generateIpv6(random: Random): string {
  const word = (): string => (1 + random.integer(65_535)).toString(16)
  return `2a00:${word()}:${word()}:${word()}:${word()}:${word()}:${word()}:${word()}`
}

/** Questions: half from the set, half not, in random order; of mixed kinds as the set is. */
export function generateQuestions(items: readonly string[], count: number, seed: number): string[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, () =>
    random.integer(2) === 0 ? random.pick(items) : generateIpv4(random),
  )
}
