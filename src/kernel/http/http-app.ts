// The HTTP layer: Fastify with our routes, and node:http's server with our bounds. Every request,
// also one that is no HTTP, ends in an answer of our own form.

import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { methodNotAllowed, routeNotFound } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Tracer } from '../tracing/span.ts'
import type { ClientAddresses } from './client-address.ts'
import { answerClientError, answerConnect } from './client-error.ts'
import type { ConnectionGuard } from './connection-guard.ts'
import { explainFrameworkTrouble, explainTrouble } from './explain-trouble.ts'
import { addRoute } from './fastify-route.ts'
import { answerPage, type FindPage } from './find-page.ts'
import type { AnswerKeeper } from './keep-answer.ts'
import { findFormTrouble, hasUnknownCoding } from './message-form.ts'
import { type FailureReply, guessFailureForm, presentFailure } from './present-failure.ts'
import { presentLimits } from './rate-fields.ts'
import { createRawRoutes, type RawFailure } from './raw-route.ts'
import { bodyTimeoutMs } from './read-body.ts'
import type { RequestMeter } from './request-meter.ts'
import { createRequestNotes, type RequestNotes, readPath } from './request-meter.ts'
import type { Admit, Route } from './route.ts'
import { matchPath, type PathTable } from './route-paths.ts'
import { SECURITY_HEADERS } from './security-headers.ts'
import { discardRest, hasLargeRest } from './unread-body.ts'

export interface HttpAppOptions {
  readonly admit: Admit
  readonly answerOnce: AnswerKeeper
  readonly routes: readonly Route[]
  readonly meter: RequestMeter
  readonly log: Log
  readonly accessLog: 'sampled' | 'all' | 'off'
  readonly nextRequestId: () => string
  /** Shared by the apps of one thread. */
  readonly connections: ConnectionGuard
  readonly clients: ClientAddresses
  /** Null, or left out, without traces. Look-ups in their plain form are never traced. */
  readonly tracer?: Tracer | null
  /** Answers GET and HEAD of a path that no route has. */
  readonly findPage?: FindPage | undefined
  /** Why a request to a path or method that no route has is refused; null for 404 and 405. */
  readonly explainUnmatched?: ((path: string) => Error | null) | undefined
  /** Smaller in tests, which would otherwise wait. */
  readonly limits?: Partial<ConnectionLimits>
}

/** How long a client may take for each part of an exchange. */
export interface ConnectionLimits {
  /** Until the headers of a request are complete. Fastify's default keeps slow ones for good. */
  readonly headersMs: number
  /** How often `headersMs` is checked. */
  readonly checkMs: number
  /** Silence on a connection while an answer is awaited or read. */
  readonly silenceMs: number
  /**
   * Silence between two requests; longer than the 60 s of most proxies, so that they close first.
   */
  readonly keepAliveMs: number
  /** How long the rest of a refused body is dropped before the connection is closed. */
  readonly discardMs: number
}

const DEFAULT_LIMITS: ConnectionLimits = {
  headersMs: 5_000,
  checkMs: 1_000,
  silenceMs: 75_000,
  keepAliveMs: 65_000,
  discardMs: 3_000,
}

// A domain may have 253 characters, percent-encoded three times as many. Fastify's default is 100.
const PARAM_LENGTH_MAX = 2_048
const IDLE_CHECK_MS = 100
const REQUEST_ID_PATTERN = /^[A-Za-z0-9._-]{8,128}$/

export function createHttpApp(options: HttpAppOptions): FastifyInstance {
  const { routes, log, admit, answerOnce, connections, clients, tracer = null } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const notes = createRequestNotes(options)
  const app = createFastify(options, limits, notes)
  const rawFailures: RawFailures = new WeakMap()
  leaveBodies(app)
  addHooks(app, options, notes, rawFailures)
  app.setErrorHandler((error, request, reply) => {
    // There is nobody to answer any more, and nothing of ours has failed.
    if (hasClientLeft(error, reply)) return
    sendFailure(error, request, reply, limits.discardMs)
  })
  const underWay = new Set<() => void>()
  const fastifyRoute = { admit, answerOnce, connections, clients, log, underWay, tracer }
  for (const route of routes) addRoute(app, route, fastifyRoute)
  app.addHook('preClose', (done) => {
    for (const end of underWay) end()
    done()
  })
  const answerRaw = createRawRoutes({
    routes,
    admit,
    notes,
    chooseRequestId: (message) => chooseRequestId(message, options.nextRequestId),
    refuse(message, response, failure) {
      rawFailures.set(message, failure)
      app.routing(message, response)
    },
  })
  app.server.removeAllListeners('request')
  const mayBeRaw = compileRawTest(routes)
  app.server.on('request', (message: IncomingMessage, response: ServerResponse) => {
    // A server that stops tells its clients to close their connections, which Fastify does.
    if (app.server.listening && mayBeRaw(message) && answerRaw(message, response)) return
    app.routing(message, response)
  })
  listenBesideFastify(app, options, notes)
  connections.watch(app.server)
  closeWhatBecomesIdle(app)
  return app
}

/**
 * Whether a request goes to the path of a raw route; the route itself decides about its spelling.
 */
function compileRawTest(routes: readonly Route[]): (message: IncomingMessage) => boolean {
  const prefixes = routes
    .filter(({ answerRaw }) => answerRaw !== undefined)
    .map(({ method, path }) => ({ method, prefix: path.replace(/\{.*/, '') }))
  return ({ method, url = '' }) => {
    for (const raw of prefixes) if (raw.method === method && url.startsWith(raw.prefix)) return true
    return false
  }
}

/** Requests that a raw route refused, for Fastify to answer. */
type RawFailures = WeakMap<IncomingMessage, RawFailure>

function createFastify(
  options: HttpAppOptions,
  limits: ConnectionLimits,
  notes: RequestNotes,
): FastifyInstance {
  return Fastify({
    logger: false,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkMs,
      // Node would answer a missing Host header by itself, without a body and in no form of ours;
      // message-form.ts does it.
      requireHostHeader: false,
      // GET without a body needs none of the stream life cycle, which is a tenth of a look-up.
      optimizeEmptyRequests: true,
    },
    // The last resort for a body: each route has its own, shorter bound (read-body.ts).
    requestTimeout: longestBodyMs(options.routes) + limits.headersMs,
    connectionTimeout: limits.silenceMs,
    keepAliveTimeout: limits.keepAliveMs,
    requestIdHeader: false,
    genReqId: (message: IncomingMessage) => chooseRequestId(message, options.nextRequestId),
    // Each GET route answers HEAD as well (fastify-route.ts).
    exposeHeadRoutes: false,
    // A request that came in before the stop is answered; Fastify would give it a 503 of its own
    // form.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // A target that cannot be decoded or is too long: no hook runs for it.
    frameworkErrors: (error, request, reply) => {
      startRequest(request, reply, null)
      sendFailure(error, request, reply, limits.discardMs)
      noteRequest(notes, request, reply)
    },
    clientErrorHandler: (error, socket) => {
      const requestId = options.nextRequestId()
      const failure = answerClientError(error, socket, requestId)
      if (failure !== null) notes.noteRawFailure(failure, requestId)
    },
  })
}

function longestBodyMs(routes: readonly Route[]): number {
  return Math.max(10_000, ...routes.map(bodyTimeoutMs))
}

/**
 * Each route reads its own body (fastify-route.ts): Fastify's parsers have a limit of bytes but
 * none of time, and they close the connection of every body that they refuse.
 */
function leaveBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

function addHooks(
  app: FastifyInstance,
  { routes, findPage, connections, explainUnmatched }: HttpAppOptions,
  notes: RequestNotes,
  rawFailures: RawFailures,
): void {
  const paths: PathTable = routes.map((route) => ({ route, pattern: matchPath(route) }))
  app.decorateRequest('route', null)
  app.decorateRequest('startedAtMs', 0)
  app.decorateRequest('caller', null)
  app.decorateRequest('failure', null)
  app.decorateRequest('span', null)
  app.addHook('onRequest', (request, reply, done) => {
    const { route = null } = request.routeOptions.config
    const rawFailure = rawFailures.get(request.raw)
    startRequest(request, reply, route, rawFailure?.startedAtMs)
    const trouble =
      rawFailure === undefined ? findFormTrouble(request.raw) : explainTrouble(rawFailure.error)
    if (trouble !== null) return done(trouble)
    if (route !== null) return done()
    // Not by setNotFoundHandler: Fastify refuses a malformed content type before it, with 415.
    const explained = explainUnmatched?.(readPath(request.raw.url)) ?? null
    const refusal = explained ?? refuseUnmatched(request, paths)
    const isPathOfInterface = request.route !== null
    if (findPage === undefined || isPathOfInterface) return done(refusal)
    const asked = answerPage(request, reply, findPage, connections)
    void showOrRefuse(asked, refusal, done)
  })
  // Not onResponse: it is not called for a client that went away before its answer, and such
  // requests are the ones that an operator looks for.
  app.addHook('onSend', (request, reply, payload, done) => {
    // Fastify does this for requests that come in after the stop, not for those under way.
    if (!app.server.listening) reply.header('connection', 'close')
    const limits = presentLimits(request.raw)
    if (limits !== null) reply.headers(limits)
    noteRequest(notes, request, reply)
    done(null, payload)
  })
}

/** The page that was asked for; a refusal where there is none. */
async function showOrRefuse(
  asked: Promise<boolean>,
  refusal: Error,
  refuse: (error: Error) => void,
): Promise<void> {
  let trouble: Error | null
  try {
    trouble = (await asked) ? null : refusal
  } catch (error) {
    trouble = explainTrouble(error)
  }
  if (trouble !== null) refuse(trouble)
}

function startRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route | null,
  startedAtMs = performance.now(),
): void {
  request.startedAtMs = startedAtMs
  request.route = route
  request.span = null
  reply.headers({ 'x-request-id': request.id, ...SECURITY_HEADERS })
}

function noteRequest(notes: RequestNotes, request: FastifyRequest, reply: FastifyReply): void {
  const { route, raw: message, id: requestId, startedAtMs, failure, span } = request
  const traceId = span?.traceId ?? null
  notes.note({ route, message, requestId, startedAtMs, traceId }, reply.statusCode, failure)
  if (span === null) return
  const attributes = { 'http.response.status_code': reply.statusCode }
  span.end({ attributes, hasFailed: reply.statusCode >= 500 })
}

/**
 * A stop closes the connections that are idle then. One whose answer had begun before would stay
 * open until its client closes it, and the stop would wait for that.
 */
function closeWhatBecomesIdle(app: FastifyInstance): void {
  app.addHook('preClose', (done) => {
    const timer = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS)
    app.server.once('close', () => clearInterval(timer))
    done()
  })
}

/** 404, or 405 where only the method is wrong. */
function refuseUnmatched(request: FastifyRequest, paths: PathTable): Error {
  const path = readPath(request.raw.url)
  const routes = paths.flatMap(({ route, pattern }) => (pattern.test(path) ? [route] : []))
  // The path is known then, and with it the form of its failures.
  request.route = routes[0] ?? null
  const methods = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return methods.length === 0 ? routeNotFound() : methodNotAllowed(methods)
}

/**
 * Sends a refusal in the form of the route's group, and closes the connection in good order when a
 * large body is left unread.
 */
function sendFailure(
  trouble: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  discardMs: number,
): void {
  const { route, raw: message } = request
  const error = explainFrameworkTrouble(trouble, route?.consumes ?? ['application/json'])
  request.failure = error
  const failure = presentFailure(error, {
    ...(route === null
      ? guessFailureForm(readPath(message.url))
      : { group: route.group, failsWithoutBody: route.failsWithoutBody === true }),
    accept: message.headers.accept,
    requestId: request.id,
  })
  reply.code(failure.status).headers(failure.headers)
  reply.header('content-length', String(Buffer.byteLength(failure.text)))
  if (!hasLargeRest(message) && failure.headers['connection'] !== 'close') {
    if (hasUnknownCoding(message)) reply.header('connection', 'close')
    // Bytes, since Fastify adds a charset to the type of JSON text.
    reply.send(failure.text === '' ? undefined : Buffer.from(failure.text))
    return
  }
  reply.header('connection', 'close')
  reply.send(Readable.from(sendThenDiscard(failure, message, discardMs), { objectMode: false }))
  reply.raw.flushHeaders()
}

/**
 * True when the client left before the first byte of a stream was sent: Fastify reports the early
 * end of the stream as a failure then.
 */
function hasClientLeft(error: unknown, { raw: response }: FastifyReply): boolean {
  if (!response.destroyed || !(error instanceof Error)) return false
  return 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

/** The text at once; only the end of the answer, which closes the connection, waits. */
async function* sendThenDiscard(
  { text }: FailureReply,
  message: IncomingMessage,
  discardMs: number,
): AsyncGenerator<string> {
  if (text !== '') yield text
  await discardRest(message, discardMs)
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
  // "100 Continue" is sent once the request is found worth its body (fastify-route.ts).
  server.on('checkContinue', pass)
  // RFC 9110 section 10.1.1: an unknown expectation may be ignored.
  server.on('checkExpectation', pass)
  server.on('connect', (message: IncomingMessage, socket: Duplex) => {
    const requestId = chooseRequestId(message, options.nextRequestId)
    notes.noteRawFailure(answerConnect(message, socket, requestId), requestId)
  })
}

function chooseRequestId(message: IncomingMessage, nextRequestId: () => string): string {
  const given = message.headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID_PATTERN.test(given) ? given : nextRequestId()
}

/**
 * Gives ids that no other thread or node gives: 96 random bits of this source and a count. A random
 * id for each request would cost 2 % of a lookup (measured), and nothing is kept secret by them.
 */
export function createRequestIds(): () => string {
  const source = randomBytes(12).toString('hex')
  let count = 0
  return () => {
    count += 1
    return `${source}-${count.toString(36)}`
  }
}
