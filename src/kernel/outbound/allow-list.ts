// The targets that the operator opens beyond the public Internet (CASEWORK_OUTBOUND_ALLOW): a host
// with its port, or a range of addresses.

import { parseSocketAddress } from '../../values/address.ts'
import { isRange, parseBlock, type Range, rangeHolds } from '../../values/range.ts'
import { settingsNotUsable } from '../errors.ts'
import {
  classifyAddress,
  findCarriedIpv4,
  isLocalAddress,
  normalizeAddress,
} from './check-address.ts'

/**
 * The target of a request: a name in lower case without trailing dot, or an address without
 * brackets.
 */
export interface Target {
  readonly host: string
  readonly port: number
}

export interface AllowList {
  /** True when an entry names this very host, whatever the port. */
  readonly namesHost: (host: string) => boolean
  /** True when an entry names this very host and port. */
  readonly opensPort: (target: Target) => boolean
  /** True when a request to `target` may be connected to this special address. */
  readonly opensAddress: (target: Target, address: string) => boolean
}

/**
 * Reads entries such as `crm.example:9443`, `127.0.0.1:9200`, `[2001:db8::1]:443`, `10.1.0.0/16`,
 * `fd00::/8`. Throws the operating error of unusable settings with every entry that cannot be read.
 *
 * - `name:port` opens that port of that name, on public addresses and on addresses of a local
 *   network (private, loopback, shared, unique local). It never opens link-local addresses: the
 *   metadata services of clouds are there, and a name may be made to point at them.
 * - `address:port` opens exactly that.
 * - A range opens its addresses on the common ports.
 */
export function parseAllowList(entries: readonly string[]): AllowList {
  const problems: string[] = []
  const hosts = new Set<string>()
  const sockets = new Set<string>()
  const ranges: Range[] = []
  for (const entry of entries) {
    const range = parseRange(entry)
    const target = parseTarget(entry)
    if (range !== null) ranges.push(range)
    else if (target !== null) {
      hosts.add(target.host)
      sockets.add(keyOf(target))
    } else {
      problems.push(
        `CASEWORK_OUTBOUND_ALLOW must list entries such as crm.example:9443, [2001:db8::1]:443 or 10.1.0.0/16, not ${entry}`,
      )
    }
  }
  if (problems.length > 0) throw settingsNotUsable(problems)
  return {
    namesHost: (host) => hosts.has(host),
    opensPort: (target) => sockets.has(keyOf(target)),
    opensAddress(target, address) {
      const plain = normalizeAddress(address)
      if (plain === null) return false
      if (sockets.has(keyOf({ host: plain, port: target.port }))) return true
      if (isInRanges(ranges, plain)) return true
      const isName = parseSocketAddress(target.host) === null
      return isName && sockets.has(keyOf(target)) && isLocalAddress(plain)
    },
  }
}

/** The entry that opens the host and port of an http or https URL, and nothing else. */
export function allowEntryOf(text: string): string {
  const { host, port, protocol } = new URL(text)
  return port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host
}

// A range of IPv6 that carries IPv4, such as the NAT64 prefix of the provider, must not be a way
// around the list for the IPv4 inside.
function isInRanges(ranges: readonly Range[], address: string): boolean {
  const parsed = parseSocketAddress(address)
  if (parsed === null || !ranges.some((range) => rangeHolds(range, parsed))) return false
  const carried = findCarriedIpv4(address)
  if (carried === null || classifyAddress(carried).kind === 'public') return true
  return isInRanges(ranges, carried)
}

// An IPv4-mapped block stays IPv6: it must not open the IPv4 addresses that it carries.
function parseRange(entry: string): Range | null {
  const range = parseBlock(entry, 'clear', 'ipv6')
  if (!isRange(range)) return null
  // A /0 would switch the guard off; an operator who wants that has not said what may be reached.
  return range.prefixLength === 0 ? null : range
}

// The host is read by the same parser as the URLs that it is compared with, so that both have one
// spelling.
function parseTarget(entry: string): Target | null {
  const parts = /^(\[[0-9a-fA-F:.]+\]|[^\s:/?#@[\]\\]+):(\d{1,5})$/.exec(entry)
  const port = Number(parts?.[2])
  const url = `http://${parts?.[1] ?? ''}/`
  if (parts === null || port < 1 || port > 65_535 || !URL.canParse(url)) return null
  const host = readHost(new URL(url))
  return host === '' ? null : { host, port }
}

/** The host of a parsed URL as `Target` has it. */
export function readHost(url: URL): string {
  const host = url.hostname
  if (host.startsWith('[')) return normalizeAddress(host.slice(1, -1)) ?? ''
  return host.endsWith('.') ? host.slice(0, -1) : host
}

function keyOf(target: Target): string {
  return `${target.host} ${target.port}`
}
