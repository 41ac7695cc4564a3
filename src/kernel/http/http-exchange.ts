// One request on its way to its answer: what the steps of the HTTP layer share, and what a handler
// is given.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../vocabulary/caller.ts'
import type { Log } from '../log.ts'
import type { RequestContext, Route } from './route.ts'

export class Exchange implements RequestContext<unknown, unknown, unknown> {
  readonly message: IncomingMessage
  readonly response: ServerResponse
  /** Null for a request that matched no route. */
  readonly route: Route | null
  readonly requestId: string
  readonly log: Log
  readonly startedAtMs = performance.now()
  params: unknown = undefined
  query: unknown = undefined
  body: unknown = undefined
  caller: Caller | null = null
  /** The target needs no check. */
  isPlain = false

  constructor(
    route: Route | null,
    message: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    log: Log,
  ) {
    this.route = route
    this.message = message
    this.response = response
    this.requestId = requestId
    this.log = log
  }

  get headers(): Readonly<Record<string, string | string[] | undefined>> {
    return this.message.headers
  }

  /** The address at the other end of the connection; empty on a socket in the data folder. */
  get remoteAddress(): string {
    return this.message.socket.remoteAddress ?? ''
  }

  /**
   * The path as sent, without query and without the scheme and host of an absolute-form target (RFC
   * 9112 section 3.2.2).
   */
  get path(): string {
    return readPath(this.message.url)
  }
}

/** The path of a request target as sent: no query, no scheme, no host. */
export function readPath(target: string | undefined): string {
  const text = target ?? '/'
  const end = text.search(/[?#]/)
  const path = end === -1 ? text : text.slice(0, end)
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*/i, '') || '/'
}

const NO_BODY_LENGTH = new Set([undefined, '0'])

/** True when the request announces a body, whether or not it has arrived. */
export function announcesBody(message: IncomingMessage): boolean {
  const { headers } = message
  return (
    headers['transfer-encoding'] !== undefined || !NO_BODY_LENGTH.has(headers['content-length'])
  )
}
