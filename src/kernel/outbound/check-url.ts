// Checks the URL of a request before any DNS lookup or connection. It is parsed once, by the WHATWG
// parser, and only the result is used from then on: two parsers that disagree about the host are
// the usual way around such a guard (SSRF).

import { parseSocketAddress } from '../../values/address.ts'
import { type AllowList, readHost, type Target } from './allow-list.ts'
import { classifyAddress } from './check-address.ts'
import { type OutboundRefusal, refuse } from './outbound-outcome.ts'

export interface FitUrl {
  readonly kind: 'fit'
  readonly url: URL
  readonly target: Target
  /**
   * True when the host is an address, which is checked already; a name must be resolved and each of
   * its addresses checked.
   */
  readonly isAddress: boolean
}

export interface UrlRules {
  readonly allowHttp: boolean
  readonly allow: AllowList
}

// 80 and 443 with their usual alternatives; any other port belongs to a protocol that a crafted
// request could speak.
const COMMON_PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443])
// Common servers refuse request lines from 8,000 bytes on.
const URL_LENGTH_MAX = 8_000

/** The parts of a URL that a request may go to, or why it may not. */
export function checkUrl(text: string, rules: UrlRules): FitUrl | OutboundRefusal {
  // The parser drops tabs and line breaks, so `good.example<TAB>.evil` would become another host
  // than a person reads.
  if (text.length > URL_LENGTH_MAX || hasControls(text)) return refuse('url')
  const url = URL.parse(text)
  if (url === null) return refuse('url')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.allowHttp)) {
    return refuse('scheme')
  }
  if (url.username !== '' || url.password !== '') return refuse('userinfo')
  const target = { host: readHost(url), port: readPort(url) }
  if (target.host === '') return refuse('url')
  if (!COMMON_PORTS.has(target.port) && !rules.allow.opensPort(target)) return refuse('port')
  const isAddress = parseSocketAddress(target.host) !== null
  if (isAddress && !mayConnect(target, target.host, rules.allow)) return refuse('address')
  url.hash = ''
  return { kind: 'fit', url, target, isAddress }
}

/** True when a request to `target` may be connected to this address. */
export function mayConnect(target: Target, address: string, allow: AllowList): boolean {
  return classifyAddress(address).kind === 'public' || allow.opensAddress(target, address)
}

/**
 * The URL of `path` at `base`, or null when that would leave the origin of `base`: for callers
 * whose operator gives the base and whose tenant gives the path, `//169.254.169.254/` and
 * `https://other.example/` included.
 */
export function joinUrl(base: string, path: string): string | null {
  if (hasControls(path) || !URL.canParse(path, base)) return null
  const joined = new URL(path, base)
  // Every scheme without hosts has the origin "null".
  if (joined.origin === 'null' || joined.origin !== new URL(base).origin) return null
  return joined.username === '' && joined.password === '' ? joined.href : null
}

function readPort(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

function hasControls(text: string): boolean {
  // oxlint-disable-next-line eslint/no-control-regex
  return /[\u0000-\u001f\u007f]/.test(text)
}
