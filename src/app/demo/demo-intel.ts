// What the made-up sensors and lists know: three honeypots, a set of spamtraps, blocklists of which
// one is silent and one broken, tags, contacts and own networks. All sources are called demo-….

import type { Caller } from '../../vocabulary/caller.ts'
import type { DemoDesk } from './demo-desk.ts'
import { DAY_MS, HOUR_MS } from './demo-events.ts'
import type { DemoRandom } from './demo-random.ts'
import { FAILED_FEED } from './failed-feed.ts'
import { CAMPAIGNS, type Campaign } from './hosting-campaigns.ts'

interface IntelRow {
  readonly atMs: number
  readonly path: string
  readonly row: object
}

const SENSORS = ['demo-sensor-oslo', 'demo-sensor-porto', 'demo-sensor-riga'] as const
const TRAPS = 'demo-traps'
const COOP_LIST = 'demo-coop-list'
const OLD_LIST = 'demo-old-dnsbl'
const TOR_LIST = 'demo-tor-exits'
const DESK_TAGS = 'demo-desk'
const ALLOWED = 'demo-partners'
const OWN = 'demo-own-networks'
const CONTACTS = 'demo-contacts'
/** The tag that the desk of the demo made for itself. */
export const DESK_TAG = 'desk:prepaid-order'

/** All that was ever pushed, in the order of time. */
function buildIntel(endMs: number, random: DemoRandom): readonly IntelRow[] {
  const rows = [
    ...CAMPAIGNS.flatMap((campaign) => seeCampaign(campaign, endMs, random)),
    ...seeStrangers(endMs, random),
    ...listings(endMs, random),
    ...taggings(endMs),
  ]
  return rows.filter(({ atMs }) => atMs < endMs).toSorted((one, other) => one.atMs - other.atMs)
}

const toText = (ms: number): string => new Date(ms).toISOString()

/** Sensors see what the customers' machines do, on most of the days on which others report it. */
function seeCampaign(
  { type, ip, from, to, perDay }: Campaign,
  endMs: number,
  random: DemoRandom,
): readonly IntelRow[] {
  const seen = SEEN_AS[type]
  if (seen === undefined || ip === undefined) return []
  const rows: IntelRow[] = []
  for (let day = from; day >= to; day -= 1) {
    if (random.chance(0.25)) continue
    const count = perDay * random.between(2, 30)
    rows.push(sight(ip, seen, endMs - day * DAY_MS, count, random))
  }
  return rows
}

interface Seen {
  readonly kind: 'honeypot' | 'spamtrap'
  readonly type: string
  readonly service?: string
}

const SSH: Seen = { kind: 'honeypot', type: 'login-attack', service: 'ssh' }
const SEEN_AS: Readonly<Record<string, Seen>> = {
  LoginAttack: SSH,
  PortScan: { kind: 'honeypot', type: 'port-scan' },
  Bot: { kind: 'honeypot', type: 'malware-download', service: 'telnet' },
  Spam: { kind: 'spamtrap', type: 'pristine-spamtrap' },
}

function sight(
  item: string,
  { kind, type, service }: Seen,
  dayMs: number,
  count: number,
  random: DemoRandom,
): IntelRow {
  const firstMs = dayMs - random.between(0, 20) * HOUR_MS
  const lastMs = firstMs + Math.floor(random.next() * 5 * HOUR_MS)
  const source = kind === 'spamtrap' ? TRAPS : random.pick(SENSORS)
  const row = {
    item,
    kind,
    ...(service === undefined ? {} : { service }),
    type,
    firstSeen: toText(firstMs),
    lastSeen: toText(lastMs),
    count,
    source,
  }
  return { atMs: lastMs, path: '/beta/sightings', row }
}

const STRANGER_DEEDS: readonly Seen[] = [
  SSH,
  SSH,
  { kind: 'honeypot', type: 'login-attack', service: 'telnet' },
  { kind: 'honeypot', type: 'login-attack', service: 'rdp' },
  { kind: 'honeypot', type: 'port-scan' },
  { kind: 'honeypot', type: 'probe', service: 'http' },
  { kind: 'honeypot', type: 'exploit-attempt', service: 'http' },
  { kind: 'honeypot', type: 'zmap-scan' },
  { kind: 'spamtrap', type: 'pristine-spamtrap' },
  { kind: 'spamtrap', type: 'recycled-spamtrap' },
]

/** Machines of the rest of the world, in networks for documentation and benchmarks. */
function seeStrangers(endMs: number, random: DemoRandom): readonly IntelRow[] {
  const near = Array.from({ length: 70 }, () => `192.0.2.${random.between(1, 254)}`)
  const far = Array.from(
    { length: 160 },
    () => `198.${random.between(18, 19)}.${random.between(0, 255)}.${random.between(1, 254)}`,
  )
  const six = Array.from(
    { length: 20 },
    () => `2001:db8:ffff:${random.between(1, 40).toString(16)}::1`,
  )
  return [...near, ...far, ...six].flatMap((item) => {
    const deed = random.pick(STRANGER_DEEDS)
    const lastDay = Math.floor(random.next() ** 2 * 80)
    const days = random.between(1, 9)
    return Array.from({ length: days }, (_, day) =>
      sight(item, deed, endMs - (lastDay + day) * DAY_MS, random.between(1, 400), random),
    )
  })
}

function listings(endMs: number, random: DemoRandom): readonly IntelRow[] {
  const on = (
    item: string,
    source: string,
    days: number,
    reason: string,
    untilDays?: number,
  ): IntelRow => {
    // This list is silent for three weeks.
    const sinceMs = endMs - (source === OLD_LIST ? Math.max(days, 21) : days) * DAY_MS
    const until = untilDays === undefined ? {} : { expires: toText(endMs + untilDays * DAY_MS) }
    const times = { firstSeen: toText(sinceMs), lastSeen: toText(sinceMs), ...until }
    const row = { item, list: source.replace('demo-', ''), source, reason, ...times }
    return { atMs: sinceMs, path: '/beta/listings', row }
  }
  return [
    on('203.0.113.17', COOP_LIST, 33, 'SSH password guessing, many networks', 11),
    on('203.0.113.17', OLD_LIST, 70, 'Brute force'),
    on('203.0.113.42', COOP_LIST, 7, 'SSH password guessing', 6),
    on('203.0.113.31', COOP_LIST, 1, 'Source of a SYN flood', 2),
    on('198.51.100.82', OLD_LIST, 85, 'Unsolicited bulk mail'),
    on('198.51.100.83', COOP_LIST, 44, 'Spamtrap hits', 3),
    on('198.51.100.84', COOP_LIST, 10, 'Spamtrap hits', 4),
    on('203.0.113.133', COOP_LIST, 4, 'Parcel phishing by mail', 9),
    on('203.0.113.37', COOP_LIST, 2, 'Telnet worm', 5),
    on('parcel-fee.example', COOP_LIST, 10, 'Phishing of parcel fees', 20),
    on('example-bank-login.example', COOP_LIST, 3, 'Looks like the sign-in of a bank', 27),
    on('cdn-updates.example', OLD_LIST, 79, 'Spreads malware'),
    on('free-codecs.example', COOP_LIST, 2, 'Spreads malware', 12),
    on('198.18.64.0/20', OLD_LIST, 60, 'Range of a provider that answers no reports'),
    ...Array.from({ length: 60 }, () =>
      on(
        `198.${random.between(18, 19)}.${random.between(0, 255)}.${random.between(1, 254)}`,
        random.pick([COOP_LIST, COOP_LIST, OLD_LIST]),
        random.between(1, 80),
        random.pick(['Spamtrap hits', 'Password guessing', 'Infected machine']),
        random.between(1, 30),
      ),
    ),
  ]
}

function taggings(endMs: number): readonly IntelRow[] {
  const tag = (item: string, name: string, days: number, source = DESK_TAGS): IntelRow => ({
    atMs: endMs - days * DAY_MS,
    path: '/beta/taggings',
    row: {
      item,
      tag: name,
      source,
      firstSeen: toText(endMs - days * DAY_MS),
      lastSeen: toText(endMs - days * DAY_MS),
    },
  })
  return [
    tag('203.0.113.17', DESK_TAG, 33),
    tag('203.0.113.42', DESK_TAG, 8),
    tag('203.0.113.9', DESK_TAG, 44),
    tag('198.51.100.116', 'actor:research-scanner', 58),
    tag('203.0.113.96/28', 'network:shared-address', 80),
    tag('203.0.113.0/26', 'network:dynamic-pool', 88),
    tag('192.0.2.44', 'anonymizer:tor-exit', 2, TOR_LIST),
    tag('192.0.2.45', 'anonymizer:tor-exit', 2, TOR_LIST),
    tag('198.18.7.9', 'anonymizer:tor-exit', 2, TOR_LIST),
    tag('192.0.2.130', 'actor:research-scanner', 40),
    tag('parcel-fee.example', 'phishing:host', 10),
    tag('example-bank-login.example', 'phishing:lookalike-domain', 3),
    tag('cdn-updates.example', 'malware:distribution', 78),
    tag('free-codecs.example', 'malware:distribution', 2),
  ]
}

/** Pushes the rows that were seen until now. */
async function pushIntel(
  { send }: DemoDesk,
  feeder: Caller,
  rows: readonly IntelRow[],
): Promise<void> {
  for (const [path, group] of Map.groupBy(rows, (one) => one.path)) {
    const { json } = await send(feeder, 'POST', path, { json: group.map(({ row }) => row) })
    const [refused] = json.rejected ?? json.result?.rejected ?? []
    if (refused !== undefined) throw new Error(`the demo: a row is refused: ${refused.reason}`)
  }
}

/** Plans the pushes: once in a few days each, and what is newest at the end. */
export function planIntel(
  desk: DemoDesk,
  feeder: Caller,
  endMs: number,
  random: DemoRandom,
): readonly { readonly atMs: number; readonly act: () => Promise<void> }[] {
  const rows = buildIntel(endMs, random)
  const byPush = Map.groupBy(rows, ({ atMs }) => Math.ceil((endMs - atMs) / PUSH_MS) * PUSH_MS)
  return [...byPush].map(([ageMs, group]) => ({
    atMs: endMs - ageMs + PUSH_MS - 1,
    act: () => pushIntel(desk, feeder, group),
  }))
}

const PUSH_MS = 6 * DAY_MS

/** The tag that the desk sets by hand; taggings need it. */
export async function makeDeskTag({ send }: DemoDesk, feeder: Caller): Promise<void> {
  const json = {
    intent: 'suspicious',
    category: 'activity',
    description:
      'Ordered with a prepaid card in the last days before the first report. Set by hand by the abuse desk after a look at the order.',
    references: [
      { url: 'https://wiki.nordhafen.example/abuse/prepaid', description: 'How the desk decides.' },
    ],
    timeline: [
      { date: '2026-03-02', action: 'created', description: 'After the wave of spring.' },
      { date: '2026-06-18', action: 'changed', description: 'Vouchers count as well.' },
    ],
  }
  await send(feeder, 'PUT', `/beta/tags/${DESK_TAG}`, { json })
}

/** What people know of the sources, and the contacts and networks that do not change. */
export async function describeSources({ send, time }: DemoDesk, feeder: Caller): Promise<void> {
  const put = (path: string, json: unknown) => send(feeder, 'PUT', path, { json })
  for (const source of SOURCES) await put(`/beta/sources/${source.path}`, source.json)
  await put('/beta/contacts', [
    { range: '198.51.100.0/24', email: 'abuse@nordhafen.example', source: CONTACTS },
    { range: '203.0.113.0/24', email: 'abuse@nordhafen.example', source: CONTACTS },
    { range: '192.0.2.0/24', email: 'abuse@farnet.example', source: CONTACTS },
    { range: '198.18.0.0/15', email: 'noc@benchmark-isp.example', source: CONTACTS },
    { range: '2001:db8::/32', email: 'abuse@six.example', source: CONTACTS },
  ])
  await send(feeder, 'POST', '/beta/networks', {
    json: ['198.51.100.0/24', '203.0.113.0/24', '2001:db8:1000::/36'].map((item) => ({
      item,
      source: OWN,
    })),
  })
  await send(feeder, 'POST', '/beta/allowances', {
    json: [
      { item: '192.0.2.130', list: 'partners', source: ALLOWED, reason: 'Scanner of a university' },
      { item: '192.0.2.10', list: 'partners', source: ALLOWED, reason: 'Our own monitoring' },
    ].map((row) => ({ ...row, lastSeen: new Date(time.clock.nowMs() - HOUR_MS).toISOString() })),
  })
}

const describe = (path: string, description: string, ttlSeconds: number, more: object = {}) => ({
  path,
  json: {
    description,
    origin: 'Made up for the demo',
    licence: 'None needed',
    ttlSeconds,
    ...more,
  },
})

const SOURCES = [
  describe(`honeypot/${SENSORS[0]}`, 'Cowrie in our own data centre in Oslo.', 86_400 * 7),
  describe(`honeypot/${SENSORS[1]}`, 'Cowrie at a partner in Porto.', 86_400 * 7),
  describe(`honeypot/${SENSORS[2]}`, 'Telnet and RDP traps in Riga.', 86_400 * 7),
  describe(`spamtrap/${TRAPS}`, 'Forty addresses that never belonged to anybody.', 86_400 * 7),
  describe(`mail-blocklist/${COOP_LIST}`, 'Shared list of a few hosters.', 86_400 * 7),
  describe(`mail-blocklist/${OLD_LIST}`, 'Long a good list; silent for weeks.', 86_400 * 2),
  describe(`tag-list/${TOR_LIST}`, 'Exits of the Tor network.', 86_400 * 7),
  describe(`tag-list/${DESK_TAGS}`, 'What the desk tags by hand.', 86_400 * 365),
]

/** Every source that the demo makes, as `kind/name`. */
export const DEMO_SOURCES: readonly string[] = [
  ...SOURCES.map(({ path }) => path),
  FAILED_FEED,
  `allow-list/${ALLOWED}`,
  `network/${OWN}`,
  `contact/${CONTACTS}`,
]
