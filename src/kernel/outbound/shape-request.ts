// Checks the method, the headers and the length of the body of a request, and completes its
// headers.

import { type OutboundRefusal, refuse } from './outbound-outcome.ts'

/** One request as it is sent to one URL; a redirect makes the next. */
export interface ShapedRequest {
  readonly kind: 'fit'
  readonly method: string
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer | null
}

export interface RequestParts {
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

// The headers that say where the message ends or where it goes, or that this client sets itself
// (RFC 9110 sections 7.2, 7.6, 8.6, 12.5.3; RFC 9112).
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'accept-encoding',
])

// Common servers take about 100 headers and 8 to 16 KiB of them.
const HEADERS_MAX = 64
const HEADER_BYTES_MAX = 16 * 1_024

/** Refuses with `method`, `header` or `body`. */
export function shapeRequest(
  parts: RequestParts,
  bodyBytesMax: number,
): ShapedRequest | OutboundRefusal {
  if (!METHODS.has(parts.method)) return refuse('method')
  const headers = shapeHeaders(parts.headers ?? {})
  if (headers === null) return refuse('header')
  const body = parts.body === undefined ? null : Buffer.from(parts.body)
  if (body !== null && body.length > bodyBytesMax) return refuse('body')
  return { kind: 'fit', method: parts.method, headers, body }
}

function shapeHeaders(given: Readonly<Record<string, string>>): Map<string, string> | null {
  const headers = new Map([
    ['user-agent', 'casework'],
    ['accept', '*/*'],
  ])
  const seen = new Set<string>()
  let bytes = 0
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    // RFC 9110 sections 5.1 and 5.5: a name is a token, a value has no control characters but tab,
    // and one byte for each character.
    const canBeSent =
      /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lower) && /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value)
    if (!canBeSent || OWN_HEADERS.has(lower) || seen.has(lower)) return null
    seen.add(lower)
    bytes += lower.length + value.length + 4
    headers.set(lower, value)
  }
  return seen.size > HEADERS_MAX || bytes > HEADER_BYTES_MAX ? null : headers
}
