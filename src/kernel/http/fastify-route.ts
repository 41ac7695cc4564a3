// One route of ours as a route of Fastify: its hooks, its handler and its answer. The order is
// authenticate, check path and query, read the body, check the body, handle.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findUnstorableText, UNSTORABLE_TEXT } from '../../values/json-value.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import { inInstance } from '../db/instance-acts.ts'
import { inTenant } from '../db/row-scope.ts'
import { requestNotValid } from '../errors.ts'
import type { Log } from '../log.ts'
import type { OperatingError } from '../operating-error.ts'
import { type Span, type Tracer, withinSpan } from '../tracing/span.ts'
import { buildEtag, isTaggedWhole, matchesEtag } from './answer-unchanged.ts'
import type { ClientAddresses } from './client-address.ts'
import type { ConnectionGuard } from './connection-guard.ts'
import type { AnswerKeeper } from './keep-answer.ts'
import { readLimits } from './rate-fields.ts'
import { planBody, readBody } from './read-body.ts'
import { withRequestOrigin } from './request-origin.ts'
import type { Admit, Reply, Route } from './route.ts'
import { isFew, sliceBytes } from './slice-bytes.ts'
import { compileBodyCheck, compileParamsCheck, compileQueryCheck } from './validator.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent for the framework's own answer to an unknown path. */
    readonly route?: Route
  }
  interface FastifyRequest {
    /** Null for a path that no route has. */
    route: Route | null
    /** Of `performance.now()`. */
    startedAtMs: number
    caller: Caller | null
    /** Why the request was refused, once it was. */
    failure: OperatingError | null
    /** Null without traces. */
    span: Span | null
  }
}

export interface FastifyRouteDeps {
  readonly connections: Pick<ConnectionGuard, 'hold'>
  readonly admit: Admit
  readonly answerOnce: AnswerKeeper
  readonly clients: ClientAddresses
  readonly log: Log
  /** What a stop has to end: see `Reply.onStop`. */
  readonly underWay: Set<() => void>
  readonly tracer: Tracer | null
}

/** Throws for a route that declares no access: the service does not start (design section 6). */
export function addRoute(
  app: FastifyInstance,
  route: Route,
  { admit, answerOnce, connections, clients, log, underWay, tracer }: FastifyRouteDeps,
): void {
  assertDeclaresAccess(route)
  const checkTarget = compileTargetCheck(route)
  const takesBody =
    route.body !== undefined || route.bodyKind !== undefined || route.consumes !== undefined
  const hasBodyCheck =
    route.body !== undefined && route.bodyKind !== 'bytes' && route.checksOwnBody !== true
  app.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { route },
    ...(hasBodyCheck
      ? { schema: { body: route.body }, validatorCompiler: () => compileBody(route) }
      : {}),
    onRequest: async (request) => {
      if (tracer !== null) request.span = beginRequestSpan(tracer, route, request)
      request.caller = await admit(request.raw, route)
      // Fastify would check path and query after the body was read; a refusal should not cost that.
      checkTarget(request)
    },
    ...(takesBody
      ? {
          preValidation: async (request: FastifyRequest, reply: FastifyReply) => {
            request.body = await takeBody(request, reply, route)
          },
        }
      : {}),
    handler: async (request, reply) => {
      const { caller } = request
      const remoteAddress = clients.read(request.raw)
      const origin = { caller, remoteAddress, requestId: request.id }
      const { params, query, body, headers } = request
      const limits = readLimits(request.raw)
      const context = { ...origin, params, query, body, headers, limits, log }
      const handle = (): Reply | Promise<Reply> =>
        route.idempotency === undefined
          ? route.handle(context)
          : answerOnce(route, context, async () => route.handle(context))
      const answer = await withinSpan(request.span, () =>
        withRequestOrigin(origin, () => inScopeOf(caller, route, handle)),
      )
      return prepareAnswer(request, reply, answer, { connections, log, underWay })
    },
  })
}

/** The path of the route, never that of the request: it may name addresses and people. */
function beginRequestSpan(
  tracer: Tracer,
  route: Route,
  { id, raw, headers }: FastifyRequest,
): Span {
  const method = raw.method ?? route.method
  const attributes = {
    'http.request.method': method,
    'http.route': route.path,
    'casework.operation': route.operationId,
    'casework.request_id': id,
  }
  const start = { name: `${method} ${route.path}`, kind: 'server', attributes } as const
  return tracer.begin(start, headers['traceparent'])
}

/** Whatever a handler forgets, it sees the rows of its caller's tenant only. */
function inScopeOf<Result>(
  caller: Caller | null,
  { group }: Pick<Route, 'group'>,
  work: () => Result,
): Result {
  if (caller === null) return work()
  const isOperator = group === 'admin' && caller.scopes.has('instance:admin')
  return isOperator ? inInstance('administer the instance', work) : inTenant(caller, work)
}

function assertDeclaresAccess(route: Route): void {
  const access: unknown = route.access
  if (typeof access !== 'object' || access === null || !('kind' in access)) {
    throw new Error(`the route ${route.method} ${route.path} declares no access`)
  }
}

/** Path and query parameters. What is checked is also converted, in place: see validator.ts. */
function compileTargetCheck(route: Route): (request: FastifyRequest) => void {
  const isLenient = route.group === 'intel' || route.group === 'system'
  const unknownQuery = route.unknownQuery ?? (isLenient ? 'ignored' : 'refused')
  const checkParams = route.params === undefined ? null : compileParamsCheck(route.params)
  // Where unknown parameters are ignored and none is known, every query is as good as none.
  const checkQuery =
    route.query === undefined && unknownQuery === 'ignored'
      ? null
      : compileQueryCheck(route.query ?? { type: 'object', properties: {} }, unknownQuery)
  return ({ params, query, raw }) => {
    if (checkParams !== null) {
      refuse(checkParams(params))
      // Percent-decoding refuses halves of characters, so U+0000 is all that can be wrong.
      if (raw.url?.includes('%00') === true && findUnstorableText(params) !== null) {
        throw textNotStorable()
      }
    }
    if (checkQuery !== null) {
      refuse(checkQuery(query))
      if (raw.url?.includes('?') === true && findUnstorableText(query) !== null) {
        throw textNotStorable()
      }
    }
  }
}

function refuse(faults: OperatingError | null): void {
  if (faults !== null) throw faults
}

function textNotStorable(): OperatingError {
  return requestNotValid('A parameter holds text that cannot be stored (U+0000).')
}

async function takeBody(
  { raw: message, headers }: FastifyRequest,
  reply: FastifyReply,
  route: Route,
): Promise<unknown> {
  const plan = planBody(message, route)
  if (headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue()
  return await readBody(message, plan, route)
}

/** The schema, then the text of a body, as Fastify asks for it. */
function compileBody(route: Route): (body: unknown) => { readonly error?: OperatingError } {
  const check = compileBodyCheck(route.body ?? {})
  return (body) => {
    const error = check(body) ?? (route.checksOwnText === true ? null : checkBodyText(body))
    return error === null ? {} : { error }
  }
}

function checkBodyText(body: unknown): OperatingError | null {
  const wrong = findUnstorableText(body)
  if (wrong === null) return null
  return requestNotValid('The body holds text that cannot be stored.', [
    { path: wrong, reason: UNSTORABLE_TEXT },
  ])
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Sets status and headers, and gives the payload for Fastify to send. */
function prepareAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Reply,
  { connections, log, underWay }: Pick<FastifyRouteDeps, 'connections' | 'log' | 'underWay'>,
): unknown {
  const payload = answer.stream ?? answer.bytes ?? answer.text ?? stringify(answer.json)
  // An answer without a body has no type, and `undefined` is Fastify's word for no body.
  const isEmpty = payload === undefined || payload === ''
  reply.code(answer.status)
  if (!isEmpty) reply.type(answer.contentType ?? JSON_TYPE)
  if (holdsSecrets(request.route)) reply.header('cache-control', 'no-store')
  if (answer.headers !== undefined) reply.headers(answer.headers)
  if (answer.cookies !== undefined) reply.header('set-cookie', [...answer.cookies])
  if (hasTag(request, answer) && typeof payload === 'string') {
    const etag = buildEtag(payload)
    reply.header('etag', etag)
    if (matchesEtag(request.headers['if-none-match'], etag)) {
      reply.code(304).removeHeader('content-type')
      return undefined
    }
  }
  const { stream, onStop } = answer
  // Fastify would wait for the end of the stream before it answers.
  if (stream !== undefined && request.method === 'HEAD') {
    stream.destroy()
    return undefined
  }
  if (onStop !== undefined) {
    underWay.add(onStop)
    reply.raw.once('close', () => underWay.delete(onStop))
  }
  // Fastify cuts the connection then: the client must not take half an answer for a whole one.
  answer.stream?.once('error', (error) => {
    if (request.raw.destroyed) return
    log.error('An answer broke off', {
      request_id: request.id,
      cause: error.stack ?? error.message,
    })
  })
  if (isEmpty) return undefined
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
  if (isFew(payload.length)) return payload
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  return sliceBytes(bytes, reply, request.raw.socket, connections)
}

/** A tag that the route gives itself stands for less than the whole answer: see entity-tag.ts. */
function hasTag({ route }: FastifyRequest, { status, json, headers }: Reply): boolean {
  if (route === null || status !== 200 || json === undefined) return false
  return isTaggedWhole(route) && headers?.['etag'] === undefined
}

function stringify(json: unknown): string | undefined {
  return json === undefined ? undefined : JSON.stringify(json)
}

/**
 * Answers of the case and administration groups are about people and secrets: no cache may keep
 * them.
 */
function holdsSecrets(route: Route | null): boolean {
  return route?.group !== 'intel' && route?.group !== 'system'
}
