// The HTTP layer: Fastify set up so that every request, also one that is no HTTP, ends in an answer
// of our own making. Fastify finds the route; from there serve-request.ts goes: authenticate → read
// and check → handle → present.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { AuthenticateDeps } from '../../access/authenticate.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import { methodNotAllowed, routeNotFound } from '../errors.ts'
import type { Log } from '../log.ts'
import { answerClientError, answerConnect } from './client-error.ts'
import { explainFrameworkTrouble } from './explain-trouble.ts'
import { findHotLanes, openHotLanes } from './hot-lane.ts'
import { Exchange } from './http-exchange.ts'
import { keepTickShape } from './keep-tick-shape.ts'
import { createRequestNotes, type RequestNotes } from './note-request.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { bodyTimeoutMs } from './read-body.ts'
import type { RequestMeter } from './request-meter.ts'
import type { Route } from './route.ts'
import { matchPath, type PathTable } from './route-paths.ts'
import { sendFailure } from './send-answer.ts'
import { compileRoute, type RouteServer, type ServeDeps } from './serve-request.ts'
import { cutSlowReaders } from './slow-readers.ts'

export interface HttpAppOptions {
  readonly routes: readonly Route[]
  readonly auth: AuthenticateDeps
  readonly lookupLimiter: RateLimiter
  readonly tokenLimiter: RateLimiter
  readonly meter: RequestMeter
  readonly log: Log
  readonly accessLog: 'sampled' | 'all' | 'off'
  readonly nextRequestId: () => string
  /** Requests over the socket in the data folder come from an administrator of this machine. */
  readonly localCaller?: Caller
  /** Smaller in tests, which would otherwise wait. */
  readonly limits?: Partial<ConnectionLimits>
}

/** How long a client may take for each part of an exchange. */
export interface ConnectionLimits {
  /**
   * Until the headers of a request are complete. Fastify's default kept 300 slow connections for
   * good (measured).
   */
  readonly headersMs: number
  /** How often that is looked at. */
  readonly checkMs: number
  /** Silence on a connection while an answer is awaited or read. */
  readonly silenceMs: number
  /**
   * Silence between two requests; longer than the 60 s of most proxies, so that they close first.
   */
  readonly keepAliveMs: number
  /** A client that reads must take `slowReadBytes` in each such time. */
  readonly slowReadMs: number
  readonly slowReadBytes: number
  /** How long the rest of a refused body is dropped before the connection is closed. */
  readonly discardMs: number
}

const DEFAULT_LIMITS: ConnectionLimits = {
  headersMs: 5_000,
  checkMs: 1_000,
  silenceMs: 75_000,
  keepAliveMs: 65_000,
  slowReadMs: 8_000,
  slowReadBytes: 8 * 1_024,
  discardMs: 3_000,
}

// A domain may have 253 characters, percent-encoded three times as many (Fastify's default of 100
// gives 414, measured).
const PARAM_LENGTH_MAX = 2_048
const REQUEST_ID_PATTERN = /^[A-Za-z0-9._-]{8,128}$/

export function createHttpApp(options: HttpAppOptions): FastifyInstance {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const notes = createRequestNotes(options)
  const deps: ServeDeps = { ...options, notes, discardMs: limits.discardMs }
  const paths: PathTable = options.routes.map((route) => ({ route, pattern: matchPath(route) }))
  const app = Fastify({
    logger: false,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkMs,
      // Node would answer a missing Host header by itself, without a body and outside of any form;
      // serve-request.ts does it.
      requireHostHeader: false,
      // GET without a body needs none of the stream life cycle; 10 % of a lookup (measured).
      optimizeEmptyRequests: true,
    },
    // The last resort for a body: each route has its own, shorter bound (read-body.ts).
    requestTimeout: longestBodyMs(options.routes) + limits.headersMs,
    connectionTimeout: limits.silenceMs,
    keepAliveTimeout: limits.keepAliveMs,
    // Our own bound applies while a body arrives; Fastify's would answer before the route is known.
    bodyLimit: Number.MAX_SAFE_INTEGER,
    requestIdHeader: false,
    genReqId: (message: IncomingMessage) => chooseRequestId(message, options.nextRequestId),
    exposeHeadRoutes: false,
    // A request that came in before the stop is answered; Fastify would give it a 503 of its own
    // form.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      refuse(deps, findRouteServer(request)?.route ?? null, request, reply, error)
    },
    clientErrorHandler: (error, socket) => {
      const requestId = options.nextRequestId()
      const failure = answerClientError(error, socket, requestId)
      if (failure !== null) notes.noteRawFailure(failure, requestId)
    },
  })
  // Bodies are read by serve-request.ts, after the caller is known: this parser only lets them
  // pass.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.setErrorHandler((error, request, reply) => {
    if (request.is404) refuseUnmatched(deps, paths, request, reply)
    else refuse(deps, findRouteServer(request)?.route ?? null, request, reply, error)
  })
  app.setNotFoundHandler((request, reply) => refuseUnmatched(deps, paths, request, reply))
  const servers = options.routes.map((route) => compileRoute(deps, route))
  for (const server of servers) addRoute(app, server)
  openHotLanes(app.server, findHotLanes(servers), (message) =>
    chooseRequestId(message, options.nextRequestId),
  )
  void keepTickShape()
  listenBesideFastify(app, options, notes)
  cutSlowReaders(app.server, { windowMs: limits.slowReadMs, bytesMin: limits.slowReadBytes })
  return app
}

function longestBodyMs(routes: readonly Route[]): number {
  return Math.max(10_000, ...routes.map(bodyTimeoutMs))
}

function addRoute(app: FastifyInstance, server: RouteServer): void {
  const { method, path } = server.route
  app.route({
    method: method === 'GET' ? ['GET', 'HEAD'] : method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { casework: server },
    handler: (request, reply) => {
      // From here on the answer is ours: Fastify's own way of sending costs a third of a lookup
      // (measured).
      reply.hijack()
      server.serve(request.raw, reply.raw, request.id, request.params, request.query)
    },
  })
}

/** Events of the server that never reach Fastify. */
function listenBesideFastify(
  app: FastifyInstance,
  options: HttpAppOptions,
  notes: RequestNotes,
): void {
  const { server } = app
  const pass = (message: IncomingMessage, response: ServerResponse): void => {
    server.emit('request', message, response)
  }
  // "100 Continue" is sent once the request is found worth its body (serve-request.ts), not before.
  server.on('checkContinue', pass)
  // RFC 9110 section 10.1.1: an expectation that we do not know may be ignored.
  server.on('checkExpectation', pass)
  server.on('connect', (message: IncomingMessage, socket: Duplex) => {
    const requestId = chooseRequestId(message, options.nextRequestId)
    notes.noteRawFailure(answerConnect(message, socket, requestId), requestId)
  })
}

function refuseUnmatched(
  deps: ServeDeps,
  paths: PathTable,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const exchange = new Exchange(null, request.raw, reply.raw, request.id, deps.log)
  const present = paths.filter(({ pattern }) => pattern.test(exchange.path))
  const methods = present.flatMap(({ route }) =>
    route.method === 'GET' ? ['GET', 'HEAD'] : [route.method],
  )
  const failure = methods.length === 0 ? routeNotFound() : methodNotAllowed(methods)
  // The path is known where only the method is wrong, and with it the form of its failures.
  refuse(deps, present[0]?.route ?? null, request, reply, failure)
}

function refuse(
  deps: ServeDeps,
  route: Route | null,
  request: FastifyRequest,
  reply: FastifyReply,
  trouble: unknown,
): void {
  reply.hijack()
  const exchange = new Exchange(route, request.raw, reply.raw, request.id, deps.log)
  const error = explainFrameworkTrouble(trouble, route?.consumes ?? ['application/json'])
  sendFailure(exchange, error, deps.discardMs)
  deps.notes.noteFailure(exchange, error)
}

function chooseRequestId(message: IncomingMessage, nextRequestId: () => string): string {
  const given = message.headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID_PATTERN.test(given) ? given : nextRequestId()
}

// Fastify keeps what belongs to a route untyped; this is the only place that knows its type.
function findRouteServer(request: FastifyRequest): RouteServer | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (request.routeOptions?.config as { casework?: RouteServer } | undefined)?.casework
}
