// Sightings of kind `report` from the events of an item: who reported it, how far that reporter is
// trusted, and the sightings that follow, rolled up by day. Pure, and a function of the stored
// events alone: the same events give the same sightings however often they are counted
// (docs/decisions/0014).

import {
  nameReportSource,
  REPORT_KIND,
  REPORTERS_MAX,
  UNVERIFIED_SERVICE,
} from '../../intel/facts/sighting-rules.ts'
import type { SightingRow } from '../../intel/sources/push/staged-rows.ts'
import { parseAddress } from '../../values/address.ts'
import { registrableDomain } from '../../values/domain.ts'
import { ipv6Range } from '../../values/range.ts'
import { reportableIp } from '../../vocabulary/reportable-ip.ts'

/** The events of one item, type and day that came the same way from the same sender. */
export interface ReportedEvents {
  readonly item: string
  readonly eventType: string
  /** Days since 1970. */
  readonly day: number
  readonly firstMs: number
  readonly lastMs: number
  readonly count: number
  /** In lower case. */
  readonly sender: string
  /** By an API token, and no mail: the caller answers for what it sends. */
  readonly isByToken: boolean
  /** The domains that DKIM or DMARC proved. */
  readonly dkimDomain: string | null
  readonly dmarcDomain: string | null
  /** The client that delivered the mail. */
  readonly remoteAddress: string | null
}

/** The reporters that a tenant lists, in lower case: addresses and domains. */
export type TrustedReporters = ReadonlySet<string>

interface IdentifiedReporter {
  /** Equal for two reports that may be of one reporter. */
  readonly key: string
  readonly isTrusted: boolean
}

/**
 * A mail names its author as it likes, so it counts for what its transport proves: a domain that
 * DKIM or DMARC proved, else the network of the client that delivered it, else, for want of both,
 * the domain that it claims.
 */
function identifyReporter(events: ReportedEvents, trusted: TrustedReporters): IdentifiedReporter {
  const { sender, isByToken, remoteAddress } = events
  if (isByToken) return { key: `sender ${sender}`, isTrusted: true }
  const proved = [events.dmarcDomain, events.dkimDomain].filter((domain) => domain !== null)
  const listed = findListed(sender, proved, trusted)
  if (listed !== null) return { key: `listed ${listed}`, isTrusted: true }
  const [domain] = proved
  if (domain !== undefined) return { key: `domain ${siteOf(domain)}`, isTrusted: false }
  const network = remoteAddress === null ? null : networkOf(remoteAddress)
  const claimed = sender.slice(sender.lastIndexOf('@') + 1)
  const key = network === null ? `claimed ${siteOf(claimed)}` : `network ${network}`
  return { key, isTrusted: false }
}

/** An address counts only where the proved domain is that of the address. */
function findListed(
  sender: string,
  proved: readonly string[],
  trusted: TrustedReporters,
): string | null {
  if (trusted.size === 0) return null
  const site = siteOf(sender.slice(sender.lastIndexOf('@') + 1))
  for (const domain of proved) {
    if (trusted.has(sender) && siteOf(domain) === site) return sender
    for (let name = domain; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
      if (trusted.has(name)) return name
    }
  }
  return null
}

/**
 * The listed reporters for SQL: an address (empty for a whole domain), and the domain that must be
 * proved, or one below it.
 */
export function listTrustedSites(trusted: TrustedReporters): {
  readonly addresses: readonly string[]
  readonly sites: readonly string[]
} {
  const listed = [...trusted].map((name) => {
    const at = name.lastIndexOf('@')
    return at === -1 ? ['', name] : [name, siteOf(name.slice(at + 1))]
  })
  return {
    addresses: listed.map(([address = '']) => address),
    sites: listed.map(([, site = '']) => site),
  }
}

function siteOf(domain: string): string {
  return registrableDomain(domain) ?? domain
}

/** The /24 or /48 of a public address: what one customer of a network may have. */
function networkOf(text: string): string | null {
  const address = reportableIp(text) === null ? null : parseAddress(text)
  if (address === null) return null
  return address.kind === 'ipv4'
    ? address.text.slice(0, address.text.lastIndexOf('.'))
    : ipv6Range(address.words, CUSTOMER_BITS).text
}

// What a network hands to one customer at most (RFC 6177).
const CUSTOMER_BITS = 48

export interface SightingOptions {
  readonly trusted: TrustedReporters
  /** Reports of reporters who are not trusted count from so many distinct ones on. */
  readonly reportersMin: number
  /** The beginning of the look-back. */
  readonly sinceMs: number
  readonly sourceKey: string
}

/** The sightings about one item. */
export function buildSightings(
  events: readonly ReportedEvents[],
  options: SightingOptions,
): readonly SightingRow[] {
  const reports = events.map((one) => ({ one, ...identifyReporter(one, options.trusted) }))
  const trusted = reports.filter(({ isTrusted }) => isTrusted)
  const unverified = reports.filter(({ isTrusted }) => !isTrusted)
  const recent = unverified.filter(({ one }) => one.lastMs >= options.sinceMs)
  const isBelieved = new Set(recent.map(({ key }) => key)).size >= options.reportersMin
  return [
    ...rollUp(trusted, '', options.sourceKey),
    ...(isBelieved ? rollUp(unverified, UNVERIFIED_SERVICE, options.sourceKey) : []),
  ]
}

interface Report {
  readonly one: ReportedEvents
  readonly key: string
}

/** One sighting for each day, type and reporter. */
function rollUp(
  reports: readonly Report[],
  service: string,
  sourceKey: string,
): readonly SightingRow[] {
  const numbers = numberReporters(reports)
  const rows = new Map<string, SightingRow>()
  for (const { one, key } of reports) {
    const source = nameReportSource(sourceKey, numbers.get(key) ?? REPORTERS_MAX)
    const name = `${one.day} ${one.eventType} ${source}`
    const known = rows.get(name)
    rows.set(name, {
      subject: one.item,
      kind: REPORT_KIND,
      service,
      type: one.eventType,
      source,
      firstSeenMs: Math.min(known?.firstSeenMs ?? one.firstMs, one.firstMs),
      lastSeenMs: Math.max(known?.lastSeenMs ?? one.lastMs, one.lastMs),
      count: (known?.count ?? 0) + one.count,
    })
  }
  return [...rows.values()]
}

/** In the order in which they first reported the item, so that a new one changes no other. */
function numberReporters(reports: readonly Report[]): ReadonlyMap<string, number> {
  const firsts = new Map<string, number>()
  for (const { one, key } of reports) {
    firsts.set(key, Math.min(firsts.get(key) ?? one.firstMs, one.firstMs))
  }
  const ordered = [...firsts].toSorted(([a, at], [b, bt]) => at - bt || (a < b ? -1 : 1))
  return new Map(ordered.map(([key], index) => [key, index + 1]))
}
