// Parses the source of a XARF v4 report ("IP, domain or other" in the specification), which decides
// the owner of the event.

import { reportableIp } from '../../vocabulary/reportable-ip.ts'
import { parseTarget, parseUrlHost, type Target } from '../../vocabulary/target.ts'
import { readAddress } from './table-cells.ts'

export interface XarfSource extends Target {
  /** A range as written; `ip` is its first address then. */
  readonly range: string | null
}

const NOBODY: XarfSource = { ip: null, domain: null, range: null }

/**
 * Address, domain, range, address with port, or the host of a URL; nothing of these is "other",
 * which names nobody's host.
 */
export function readXarfSource(text: string): XarfSource {
  const target = text.includes('://') ? readXarfHost(text) : withReportableIp(parseTarget(text))
  if (target.ip !== null || target.domain !== null) return { ...target, range: null }
  const address = readAddress(text)
  if (address === null || /\s/.test(text)) return NOBODY
  const { ip, range } = address
  const prefix = Number(/\/(\d+)$/.exec(text)?.[1] ?? 0)
  return prefix > (ip.includes(':') ? 128 : 32) ? NOBODY : { ip, domain: null, range }
}

/** The host of a URL; both null for an address that can be nobody's on the Internet. */
export function readXarfHost(url: string): Target {
  return withReportableIp(parseUrlHost(url))
}

function withReportableIp({ ip, domain }: Target): Target {
  return { ip: ip === null ? null : reportableIp(ip), domain }
}

// Four numbers with dots, or groups with two colons: somebody meant an address.
const LIKE_ADDRESS = /^[\d.]*\.[\d.]+(?:\/\d*)?$|^[\da-f:.]*:[\da-f.]*:[\da-f:.]*(?:\/\d*)?$/i

/**
 * The rule that the source breaks; null when it may stand. Network traffic comes from a host, the
 * rest may come from an account.
 */
export function explainWrongSource(text: string, category: unknown): string | null {
  const { ip, domain } = readXarfSource(text)
  if (ip !== null || domain !== null) return null
  if (LIKE_ADDRESS.test(text)) {
    return 'is written like an IP address or a range of them, but is none that can be reported'
  }
  return category === 'connection'
    ? 'must be an IP address, a range of them, a domain or a URL where the category is connection'
    : null
}
