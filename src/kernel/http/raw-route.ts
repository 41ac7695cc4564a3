// Routes that answer in front of Fastify, with node:http alone. Only the two hottest of intel do,
// for the plain form of their request: Fastify costs a third of a look-up (docs/decisions/0008).
// Authentication, limits, metrics and the log are those of every other route.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { findFormTrouble } from './message-form.ts'
import { presentLimits } from './rate-fields.ts'
import type { RequestNotes } from './request-meter.ts'
import type { Admit, Route } from './route.ts'
import { SECURITY_HEADER_LIST } from './security-headers.ts'

/** The answer of a raw route: JSON that is text already. */
export interface RawAnswer {
  readonly status: number
  readonly text: string
  /** Promises that `text` has no character beyond U+007F, so that its length is its bytes. */
  readonly isAscii?: true
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Looks at the request line and the headers. Null leaves the request to Fastify; else the function
 * is called once the caller is let in. It may answer at once: a promise more is a tenth of a
 * look-up.
 */
export type RawHandler = (message: IncomingMessage) => (() => RawAnswer | Promise<RawAnswer>) | null

export interface RawRoutesDeps {
  readonly routes: readonly Route[]
  readonly admit: Admit
  readonly notes: RequestNotes
  readonly chooseRequestId: (message: IncomingMessage) => string
  /** Lets Fastify answer a request that is refused or has failed. */
  readonly refuse: (message: IncomingMessage, response: ServerResponse, failure: RawFailure) => void
}

export interface RawFailure {
  readonly error: unknown
  /** Of `performance.now()`. */
  readonly startedAtMs: number
}

/** Answers a request if one of the routes takes it; false leaves it to Fastify. */
export function createRawRoutes(
  deps: RawRoutesDeps,
): (message: IncomingMessage, response: ServerResponse) => boolean {
  const rawRoutes = deps.routes.flatMap((route) =>
    route.answerRaw === undefined ? [] : [{ route, answerRaw: route.answerRaw }],
  )
  return (message, response) => {
    for (const { route, answerRaw } of rawRoutes) {
      if (message.method !== route.method) continue
      const handle = answerRaw(message)
      if (handle === null) continue
      serve(deps, { route, message, response, startedAtMs: performance.now() }, handle)
      return true
    }
    return false
  }
}

interface RawExchange {
  readonly route: Route
  readonly message: IncomingMessage
  readonly response: ServerResponse
  readonly startedAtMs: number
}

function serve(
  deps: RawRoutesDeps,
  exchange: RawExchange,
  handle: () => RawAnswer | Promise<RawAnswer>,
): void {
  try {
    const trouble = findFormTrouble(exchange.message)
    if (trouble !== null) throw trouble
    const caller = deps.admit(exchange.message, exchange.route)
    if (caller instanceof Promise) {
      void sendLater(deps, exchange, caller.then(handle))
      return
    }
    const answer = handle()
    if (answer instanceof Promise) void sendLater(deps, exchange, answer)
    else send(deps, exchange, answer)
  } catch (error) {
    refuse(deps, exchange, error)
  }
}

async function sendLater(
  deps: RawRoutesDeps,
  exchange: RawExchange,
  answer: Promise<RawAnswer>,
): Promise<void> {
  try {
    send(deps, exchange, await answer)
  } catch (error) {
    refuse(deps, exchange, error)
  }
}

function refuse(deps: RawRoutesDeps, exchange: RawExchange, error: unknown): void {
  const { message, response, startedAtMs } = exchange
  deps.refuse(message, response, { error, startedAtMs })
}

function send(
  deps: RawRoutesDeps,
  { route, message, response, startedAtMs }: RawExchange,
  { status, text, isAscii, headers }: RawAnswer,
): void {
  const requestId = deps.chooseRequestId(message)
  const length = isAscii === true ? text.length : Buffer.byteLength(text)
  // Names and values in turn: the form of headers that costs Node the least.
  const list = [
    'x-request-id',
    requestId,
    ...SECURITY_HEADER_LIST,
    'content-type',
    'application/json; charset=utf-8',
  ]
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) list.push(name, value)
  }
  const limits = presentLimits(message)
  for (const name in limits) list.push(name, limits[name] ?? '')
  list.push('content-length', String(length))
  response.writeHead(status, list)
  // Text of as many bytes as letters is ASCII, which Node sends as Latin-1 without looking at each
  // letter again.
  if (length === text.length) response.end(text, 'latin1')
  else response.end(text)
  deps.notes.note({ route, message, requestId, startedAtMs }, status, null)
}
