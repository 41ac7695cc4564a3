// The target of an event: an address or a domain in the canonical form of the intel area, so that
// both areas mean the same thing.

import { type Item, parseItem } from '../values/item.ts'

export interface Target {
  readonly ip: string | null
  readonly domain: string | null
}

/** An address or a domain, whichever `text` is; both null for anything else. */
export function parseTarget(text: string): Target {
  return targetOf(parseItem(text))
}

// Longer URLs exist only as an attack on the reader; browsers stop at 2 million, servers at 8,192.
const URL_LENGTH_MAX = 8_192

/**
 * The host of a URL as a target; both null when the text is no absolute URL or its host is neither
 * address nor domain.
 */
export function parseUrlHost(text: string): Target {
  const url = parseUrl(text)
  if (url === null) return { ip: null, domain: null }
  const host = url.hostname
  return targetOf(parseItem(host.startsWith('[') ? host.slice(1, -1) : host))
}

/** True for an absolute URL of any scheme. */
export function isUrl(text: string): boolean {
  return parseUrl(text) !== null
}

function parseUrl(text: string): URL | null {
  return text.length <= URL_LENGTH_MAX ? URL.parse(text) : null
}

function targetOf(item: Item | null): Target {
  if (item === null) return { ip: null, domain: null }
  return item.kind === 'domain' ? { ip: null, domain: item.text } : { ip: item.text, domain: null }
}
