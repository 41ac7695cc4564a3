// One request and its answer over one connection, which is closed afterwards: no connection is
// kept, so none is reused for a request that was checked for another target.

import { type IncomingMessage, request as openRequest } from 'node:http'
import type { Duplex } from 'node:stream'
import { toError } from '../async/deadline.ts'
import {
  ACCEPTED_ENCODINGS,
  MalformedTrouble,
  readAnswerBody,
  readAnswerStart,
} from './read-answer.ts'
import { readRedirect } from './redirect.ts'
import type { ShapedRequest } from './shape-request.ts'

export interface Exchange {
  readonly connection: Duplex
  readonly url: URL
  readonly request: ShapedRequest
  readonly maxBytes: number
  /** A longer body is cut there, not refused. */
  readonly cutsBody: boolean
  /** True for a status of a redirect that will be followed, so that its body need not be read. */
  readonly followsRedirects: boolean
}

export interface ExchangeAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

// The default of Node, set here because a flag of the process could raise it.
const ANSWER_HEADER_BYTES_MAX = 16 * 1_024

/**
 * Rejects with the error of Node or of the body reader, or the reason of `signal`; the connection
 * is closed in every case.
 */
export async function exchangeMessages(
  exchange: Exchange,
  signal: AbortSignal,
): Promise<ExchangeAnswer> {
  const { connection } = exchange
  const onAbort = (): void => {
    connection.destroy(toError(signal.reason))
  }
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    signal.throwIfAborted()
    const message = await sendAndWait(exchange)
    const status = message.statusCode ?? 0
    const headers = readHeaders(message)
    const isFollowed = exchange.followsRedirects && readRedirect(status, headers) !== null
    const read = exchange.cutsBody ? readAnswerStart : readAnswerBody
    const body = isFollowed ? Buffer.alloc(0) : await read(message, exchange.maxBytes)
    return { status, headers, body }
  } finally {
    signal.removeEventListener('abort', onAbort)
    connection.destroy()
  }
}

function sendAndWait(exchange: Exchange): Promise<IncomingMessage> {
  const { connection, request } = exchange
  return new Promise((resolve, reject) => {
    // Without an agent there is no pool and none of the proxies that Node takes from the
    // environment when it is configured to.
    const sent = openRequest({
      createConnection: () => connection,
      method: request.method,
      path: `${exchange.url.pathname}${exchange.url.search}`,
      headers: listHeaders(exchange),
      setHost: false,
      maxHeaderSize: ANSWER_HEADER_BYTES_MAX,
      insecureHTTPParser: false,
    })
    sent.once('response', (message) => {
      // The body reader gets the error too. This listener handles an error after the reader has
      // ended.
      message.on('error', () => {})
      resolve(message)
    })
    sent.once('upgrade', () => reject(new MalformedTrouble('The other side changed the protocol')))
    sent.on('error', reject)
    sent.once('close', () => reject(new Error('The connection closed without an answer')))
    if (request.body === null) sent.end()
    else sent.end(request.body)
  })
}

function listHeaders({ url, request, cutsBody }: Exchange): Record<string, string> {
  return {
    ...Object.fromEntries(request.headers),
    host: url.host,
    // The first bytes of a compressed body say less than those of a plain one.
    'accept-encoding': cutsBody ? 'identity' : ACCEPTED_ENCODINGS,
    ...lengthHeader(request),
  }
}

// RFC 9110 section 8.6: the methods that usually have a body say so even when it is empty.
function lengthHeader(request: ShapedRequest): Record<string, string> {
  if (request.body !== null) return { 'content-length': String(request.body.length) }
  return ['POST', 'PUT', 'PATCH'].includes(request.method) ? { 'content-length': '0' } : {}
}

function readHeaders(message: IncomingMessage): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const [name, value] of Object.entries(message.headers)) {
    if (name !== 'set-cookie' && typeof value === 'string') headers.set(name, value)
  }
  return headers
}
