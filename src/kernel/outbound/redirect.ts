// The request that follows a redirect (RFC 9110 section 15.4, and the Fetch standard where that
// leaves a choice).

import { type OutboundRefusal, refuse } from './outbound-outcome.ts'
import type { ShapedRequest } from './shape-request.ts'

export interface NextHop {
  readonly kind: 'next'
  /** Not checked yet. */
  readonly url: string
  readonly request: ShapedRequest
}

// 300 asks for a choice and 304 and 305 are no redirects.
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

// The headers that may go to another origin. A list of secret headers could never be complete
// (x-api-key, private-token, and so on), so it is a list of harmless ones instead.
const HARMLESS_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-type',
  'user-agent',
])

/** The target of a redirect; null when the answer is none. */
export function readRedirect(status: number, headers: ReadonlyMap<string, string>): string | null {
  return REDIRECTS.has(status) ? (headers.get('location') ?? null) : null
}

/** Refuses with `url` or `redirect`. */
export function followRedirect(
  from: URL,
  request: ShapedRequest,
  status: number,
  location: string,
): NextHop | OutboundRefusal {
  const url = URL.parse(location, from)
  if (url === null) return refuse('url')
  if (from.protocol === 'https:' && url.protocol === 'http:') return refuse('redirect')
  // A fragment never reaches the other side, and two URLs that differ in it only count as one when
  // a loop is detected.
  url.hash = ''
  const becomesGet =
    (status === 303 && request.method !== 'HEAD') ||
    ((status === 301 || status === 302) && request.method === 'POST')
  const isOtherOrigin = url.origin !== from.origin
  const headers = [...request.headers].filter(
    ([name]) =>
      (!isOtherOrigin || HARMLESS_HEADERS.has(name)) &&
      !(becomesGet && name.startsWith('content-')),
  )
  return {
    kind: 'next',
    url: url.href,
    request: {
      kind: 'fit',
      method: becomesGet ? 'GET' : request.method,
      headers: new Map(headers),
      body: becomesGet ? null : request.body,
    },
  }
}
