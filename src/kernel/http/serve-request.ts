// One request through one route: authenticate → read the body → check → handle → answer. What can
// be done at once is done at once: a promise more on a hot route is a tenth of its cost (measured).

import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AuthenticateDeps, authenticate } from '../../access/authenticate.ts'
import { findUnstorableText, isStorableText } from '../../values/storable-text.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import { requestNotValid, tooManyRequests } from '../errors.ts'
import type { Log } from '../log.ts'
import type { OperatingError } from '../operating-error.ts'
import { explainTrouble } from './explain-trouble.ts'
import { Exchange } from './http-exchange.ts'
import type { RequestNotes } from './note-request.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { planBody, readBody } from './read-body.ts'
import type { Reply, Route } from './route.ts'
import { sendFailure, sendReply } from './send-answer.ts'
import {
  compileBodyCheck,
  compileParamsCheck,
  compileQueryCheck,
  type Validate,
} from './validator.ts'

export interface ServeDeps {
  readonly auth: AuthenticateDeps
  readonly lookupLimiter: RateLimiter
  readonly tokenLimiter: RateLimiter
  readonly localCaller?: Caller
  readonly log: Log
  readonly notes: RequestNotes
  readonly discardMs: number
}

export interface RouteServer {
  readonly route: Route
  readonly serve: (
    message: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    params: unknown,
    query: unknown,
  ) => void
  /** The same for a request without query whose `params` are known to be right. */
  readonly servePlain: (
    message: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    params: unknown,
  ) => void
}

interface RouteChecks {
  readonly params: Validate | null
  /** Null where every query is as good as none. */
  readonly query: Validate | null
  readonly body: Validate | null
}

/** Throws for a route that declares no access: it does not start (design section 6). */
export function compileRoute(deps: ServeDeps, route: Route): RouteServer {
  assertDeclaresAccess(route)
  const checks = compileChecks(route)
  const takesBody =
    route.body !== undefined || route.bodyKind !== undefined || route.consumes !== undefined

  const fail = (exchange: Exchange, trouble: unknown): void => {
    const error = explainTrouble(trouble)
    sendFailure(exchange, error, deps.discardMs)
    deps.notes.noteFailure(exchange, error)
  }
  const succeed = (exchange: Exchange, reply: Reply): void => {
    sendReply(exchange, reply)
    deps.notes.noteReply(exchange, reply.status)
  }
  const succeedLater = async (exchange: Exchange, reply: Promise<Reply>): Promise<void> => {
    try {
      succeed(exchange, await reply)
    } catch (trouble) {
      fail(exchange, trouble)
    }
  }
  const serveWithBody = async (exchange: Exchange): Promise<void> => {
    try {
      exchange.body = await takeBody(exchange, route)
      checkBody(exchange.body, route, checks)
      succeed(exchange, await route.handle(exchange))
    } catch (trouble) {
      fail(exchange, trouble)
    }
  }
  const serveCaller = (exchange: Exchange, caller: Caller | null): void => {
    exchange.caller = caller
    checkLimits(deps, route, exchange)
    if (!exchange.isPlain) checkTarget(exchange, checks)
    if (takesBody) {
      void serveWithBody(exchange)
      return
    }
    const reply = route.handle(exchange)
    if (reply instanceof Promise) void succeedLater(exchange, reply)
    else succeed(exchange, reply)
  }
  const serveCallerLater = async (exchange: Exchange, caller: Promise<Caller>): Promise<void> => {
    try {
      serveCaller(exchange, await caller)
    } catch (trouble) {
      fail(exchange, trouble)
    }
  }
  const begin = (exchange: Exchange): void => {
    try {
      const caller = admit(deps, route, exchange)
      if (caller instanceof Promise) void serveCallerLater(exchange, caller)
      else serveCaller(exchange, caller)
    } catch (trouble) {
      fail(exchange, trouble)
    }
  }
  return {
    route,
    serve(message, response, requestId, params, query) {
      const exchange = new Exchange(route, message, response, requestId, deps.log)
      exchange.params = params
      exchange.query = query
      begin(exchange)
    },
    servePlain(message, response, requestId, params) {
      const exchange = new Exchange(route, message, response, requestId, deps.log)
      exchange.params = params
      exchange.query = NO_QUERY
      exchange.isPlain = true
      begin(exchange)
    },
  }
}

const NO_QUERY = Object.freeze({})

function assertDeclaresAccess(route: Route): void {
  const access: unknown = route.access
  if (typeof access !== 'object' || access === null || !('kind' in access)) {
    throw new Error(`the route ${route.method} ${route.path} declares no access`)
  }
}

function compileChecks(route: Route): RouteChecks {
  const isLenient = route.group === 'intel' || route.group === 'system'
  const unknownQuery = route.unknownQuery ?? (isLenient ? 'ignored' : 'refused')
  const needsQuery = route.query !== undefined || unknownQuery === 'refused'
  return {
    params: route.params === undefined ? null : compileParamsCheck(route.params),
    query: needsQuery
      ? compileQueryCheck(route.query ?? { type: 'object', properties: {} }, unknownQuery)
      : null,
    body:
      route.body === undefined || route.bodyKind === 'bytes' || route.checksOwnBody === true
        ? null
        : compileBodyCheck(route.body),
  }
}

/**
 * The caller, null where no one need be one. Throws the refusal, before a single byte of the body
 * is read.
 */
function admit(deps: ServeDeps, route: Route, exchange: Exchange): Caller | null | Promise<Caller> {
  const { message } = exchange
  // RFC 9112 section 3.2: without Host the request could be meant for anyone.
  if (message.headers.host === undefined && message.httpVersionMinor !== 0) {
    throw requestNotValid('The Host header is missing.')
  }
  return deps.localCaller ?? authenticate(deps.auth, route, exchange)
}

/** Throws 429 for a caller, or without one an address, that asks too much. */
function checkLimits(deps: ServeDeps, route: Route, exchange: Exchange): void {
  const { caller } = exchange
  if (route.access.kind === 'open-intel') {
    limit(deps.lookupLimiter.isOn ? deps.lookupLimiter.take(exchange.remoteAddress) : 0, caller)
  }
  if (caller !== null && deps.tokenLimiter.isOn) {
    limit(deps.tokenLimiter.take(caller.tokenId), caller)
  }
}

/**
 * Administrators are never limited: they must be able to stop what makes the limit necessary
 * (design section 10).
 */
function limit(waitSeconds: number, caller: Caller | null): void {
  if (waitSeconds > 0 && caller?.scopes.has('instance:admin') !== true) {
    throw tooManyRequests(waitSeconds)
  }
}

/** Path and query parameters. */
function checkTarget(exchange: Exchange, checks: RouteChecks): void {
  const { params, query } = exchange
  if (checks.params !== null) {
    const faults = checks.params(params)
    if (faults !== null) throw faults
    checkParamsText(params)
  }
  if (checks.query !== null) {
    const faults = checks.query(query)
    if (faults !== null) throw faults
    if (findUnstorableText(query) !== null) throw textNotStorable()
  }
}

// Parameters of a path are texts, each by its name in the route.
function checkParamsText(params: unknown): void {
  if (typeof params !== 'object' || params === null) return
  for (const text of Object.values(params)) {
    if (typeof text === 'string' && !isStorableText(text)) throw textNotStorable()
  }
}

function textNotStorable(): OperatingError {
  return requestNotValid('A parameter holds text that cannot be stored (U+0000).')
}

async function takeBody(exchange: Exchange, route: Route): Promise<unknown> {
  const { message, response } = exchange
  const plan = planBody(message, route)
  if (message.headers.expect?.toLowerCase() === '100-continue') response.writeContinue()
  return await readBody(message, plan, route)
}

function checkBody(body: unknown, route: Route, checks: RouteChecks): void {
  const faults = checks.body?.(body) ?? null
  if (faults !== null) throw faults
  if (checks.body === null || route.checksOwnText === true) return
  const wrong = findUnstorableText(body)
  if (wrong !== null) {
    throw requestNotValid('The body holds text that cannot be stored.', [
      { path: wrong, reason: 'has U+0000 or a lone surrogate, or nests too deep' },
    ])
  }
}
