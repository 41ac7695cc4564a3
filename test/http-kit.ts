// The HTTP layer alone in a test: a few routes of every kind over `createHttpApp`, no database,
// real sockets.

import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { Registry } from 'prom-client'
import { Type } from 'typebox'
import { createAdmission } from '../src/access/admit-request.ts'
import { readPlainItem } from '../src/intel/lookup/lookup-item.ts'
import type { Clock } from '../src/kernel/clock.ts'
import { createClientAddresses } from '../src/kernel/http/client-address.ts'
import {
  type ConnectionBounds,
  createConnectionGuard,
  SLOW_READER_LIMITS,
} from '../src/kernel/http/connection-guard.ts'
import { type ConnectionLimits, createHttpApp } from '../src/kernel/http/http-app.ts'
import { createRateLimiter } from '../src/kernel/http/rate-limiter.ts'
import type { RawAnswer } from '../src/kernel/http/raw-route.ts'
import { planBody, readBody } from '../src/kernel/http/read-body.ts'
import { createRequestMeter } from '../src/kernel/http/request-meter.ts'
import { defineRoute, type Route } from '../src/kernel/http/route.ts'
import { compileBodyCheck } from '../src/kernel/http/validator.ts'
import { createLog } from '../src/kernel/log.ts'
import { requireRange } from '../src/values/range.ts'
import type { Caller } from '../src/vocabulary/caller.ts'
import { SCOPES, type Scope } from '../src/vocabulary/scopes.ts'
import { assertAnswerRules } from './answer-rules.ts'

const OK = { 200: { description: 'What came.' } }
const ItemParams = Type.Object({ item: Type.String() })
const CaseParams = Type.Object({ caseId: Type.String() })
const Items = Type.Array(Type.String(), { minItems: 1, maxItems: 1_000 })
const checkItems = compileBodyCheck(Items)

let rawAnswers = 0

/** The number of answers of raw routes, without answers of the framework. */
export function countRawAnswers(): number {
  return rawAnswers
}

function answerRaw(text: string): RawAnswer {
  rawAnswers += 1
  return { status: 200, text, headers: {} }
}

/** One route of each kind of the interface; each returns the input of its handler. */
const KIT_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/beta/casework/cases',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'listCases',
    summary: 'Endpoint without body on failure',
    failsWithoutBody: true,
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
      resolved: Type.Optional(Type.Boolean()),
      order: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
    }),
    responses: OK,
    handle: ({ query }) => ({ status: 200, json: { query } }),
  }),
  defineRoute({
    method: 'POST',
    path: '/beta/casework/cases/{caseId}/trigger-playbook',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:trigger' },
    operationId: 'triggerPlaybook',
    summary: 'Endpoint without body on success',
    failsWithoutBody: true,
    params: CaseParams,
    body: Type.Object({ node: Type.String(), path: Type.String() }),
    responses: { 202: { description: 'Accepted.' } },
    handle: () => ({ status: 202 }),
  }),
  defineRoute({
    method: 'POST',
    path: '/beta/quick-check',
    group: 'intel',
    access: { kind: 'open-intel', scope: 'intel:read' },
    operationId: 'quickCheck',
    summary: 'Open endpoint with a body',
    isHot: true,
    body: Items,
    bodyTimeoutMs: 400,
    responses: OK,
    handle: ({ body }) => ({
      status: 200,
      json: { status: 'success', statusCode: 200, result: body },
    }),
    answerRaw(message) {
      if (message.url !== '/beta/quick-check' || message.headers.expect !== undefined) return null
      return async () => {
        const rules = { bodyTimeoutMs: 400 }
        const result = await readBody(message, planBody(message, rules), rules)
        const error = checkItems(result)
        if (error !== null) throw error
        return answerRaw(JSON.stringify({ status: 'success', statusCode: 200, result }))
      }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/beta/query/{item}',
    group: 'intel',
    access: { kind: 'open-intel', scope: 'intel:read' },
    operationId: 'lookUp',
    summary: 'Open endpoint with a path parameter',
    isHot: true,
    params: ItemParams,
    responses: OK,
    handle: ({ params }) => ({ status: 200, text: JSON.stringify({ item: params.item }) }),
    answerRaw(message) {
      const item = readPlainItem(message.url, '/beta/query/')
      return item === null ? null : () => answerRaw(JSON.stringify({ item }))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/beta/tags',
    group: 'intel',
    access: { kind: 'open-intel', scope: 'intel:read' },
    operationId: 'listTags',
    summary: 'Open endpoint with an asynchronous handler',
    responses: OK,
    handle: async ({ remoteAddress, requestId }) => ({
      status: 200,
      json: { remoteAddress, requestId },
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/beta/sightings',
    group: 'intel',
    access: { kind: 'scope', scope: 'intel:write' },
    operationId: 'pushSightings',
    summary: 'Closed endpoint that streams',
    consumes: ['application/json', 'application/x-ndjson'],
    streamsBody: true,
    body: Type.Unknown(),
    bodyLimit: 100_000,
    bodyTimeoutMs: 400,
    responses: OK,
    handle: async ({ body }) => {
      let bytes = 0
      if (body !== null && typeof body === 'object' && Symbol.asyncIterator in body) {
        for await (const chunk of body as AsyncIterable<Buffer>) bytes += chunk.length
      }
      return { status: 200, json: { bytes } }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/beta/casework/reports',
    group: 'casework',
    access: { kind: 'scope', scope: 'events:ingest' },
    operationId: 'postReport',
    summary: 'Endpoint that takes any bytes',
    consumes: ['*/*'],
    bodyKind: 'bytes',
    body: Type.Unknown(),
    responses: { 201: { description: 'Kept.' } },
    handle: ({ body }) => ({ status: 201, json: { bytes: (body as Buffer).length } }),
  }),
  defineRoute({
    method: 'POST',
    path: '/beta/casework/playbooks',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:write' },
    operationId: 'createPlaybook',
    summary: 'Endpoint that fails with a problem',
    body: Type.Object(
      { name: Type.String(), details: Type.Optional(Type.Unknown()) },
      { additionalProperties: false },
    ),
    responses: OK,
    handle: ({ body }) => ({ status: 200, json: body }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/beta/admin/tokens/{tokenId}',
    group: 'admin',
    access: { kind: 'scope', scope: 'tokens:manage' },
    operationId: 'revokeToken',
    summary: 'Endpoint that answers 204',
    params: Type.Object({ tokenId: Type.String() }),
    responses: { 204: { description: 'Gone.' } },
    handle: () => ({ status: 204 }),
  }),
  defineRoute({
    method: 'GET',
    path: '/beta/whoami',
    group: 'admin',
    access: { kind: 'any-token' },
    operationId: 'whoami',
    summary: 'Endpoint for any token',
    responses: OK,
    handle: ({ caller }) => ({ status: 200, json: { name: caller?.name } }),
  }),
  defineRoute({
    method: 'GET',
    path: '/livez',
    group: 'system',
    access: { kind: 'public' },
    operationId: 'getLivez',
    summary: 'Public endpoint',
    isHot: true,
    responses: OK,
    handle: () => ({ status: 200, json: { status: 'live' } }),
  }),
]

/** The kit knows two tokens: one with every scope, and one that may only read. */
export const KIT_TOKEN = 'cw_api_kit0000000000000000000000000000000000000'
export const VIEWER_TOKEN = 'cw_api_viewer0000000000000000000000000000000000'

function buildCaller(name: string, scopes: readonly Scope[]): Caller {
  return {
    tokenId: `tok_${name}`,
    name,
    tenantId: 'default',
    scopes: new Set(scopes),
    roles: [],
    owner: null,
    networks: null,
    contactEmail: null,
    expiresAt: null,
  }
}

const CALLERS = new Map([
  [KIT_TOKEN, buildCaller('administrator', SCOPES)],
  [VIEWER_TOKEN, buildCaller('viewer', ['intel:read', 'cases:read'])],
])

/** A token that is unknown until the kit looks it up. */
export const NEW_TOKEN = 'cw_api_new000000000000000000000000000000000000'

const NEW_CALLERS = new Map([[NEW_TOKEN, buildCaller('newcomer', ['intel:read', 'cases:read'])]])

export interface KitOptions {
  /** Added to the kit's own. */
  readonly routes?: readonly Route[]
  readonly limits?: Partial<ConnectionLimits>
  readonly bounds?: Partial<ConnectionBounds>
  readonly intelAccess?: 'open' | 'token'
  readonly lookupLimit?: number
  readonly tokenLimit?: number
  readonly proxies?: readonly string[]
  readonly accessLog?: 'sampled' | 'all' | 'off'
  readonly clock?: Clock
}

export interface Kit {
  readonly app: ReturnType<typeof createHttpApp>
  readonly registry: Registry
  readonly logLines: string[]
  /** The port of a real listener on 127.0.0.1; opened at the first call. */
  readonly listen: () => Promise<number>
  readonly send: (
    method: string,
    url: string,
    request?: { headers?: Record<string, string>; payload?: string | Buffer },
  ) => Promise<KitAnswer>
  readonly close: () => Promise<void>
}

export interface KitAnswer {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly text: string
}

/** Starts the HTTP layer with the kit's routes. Close it in `after`. */
export function openKit(options: KitOptions = {}): Kit {
  const registry = new Registry()
  const clients = createClientAddresses({
    proxies: (options.proxies ?? []).map((text) => requireRange(text)),
    header: 'x-forwarded-for',
  })
  const logLines: string[] = []
  let count = 0
  const app = createHttpApp({
    routes: [...KIT_ROUTES, ...(options.routes ?? [])],
    admit: createAdmission({
      tokens: {
        findCaller: (text) => CALLERS.get(text) ?? null,
        findNewCaller: async (text) => NEW_CALLERS.get(text) ?? null,
      },
      intelAccess: options.intelAccess ?? 'open',
      failedCredentials: createRateLimiter({ limit: 30, clock: options.clock }),
      lookupLimiter: createRateLimiter({ limit: options.lookupLimit ?? 0, clock: options.clock }),
      tokenLimiter: createRateLimiter({ limit: options.tokenLimit ?? 0, clock: options.clock }),
      clients,
    }),
    // No route of the kit keeps answers.
    answerOnce: (_route, _context, handle) => handle(),
    clients,
    meter: createRequestMeter(registry),
    connections: createConnectionGuard(
      {
        ...SLOW_READER_LIMITS,
        connectionsMax: 1_000,
        perAddressMax: 1_000,
        waitingBytesMax: 256 * 1_024 * 1_024,
        bodyBytesMax: 256 * 1_024 * 1_024,
        isProxy: clients.isProxy,
        ...options.bounds,
      },
      registry,
    ),
    log: createLog({
      level: 'info',
      isForPeople: false,
      destination: { write: (line) => logLines.push(line) },
    }),
    accessLog: options.accessLog ?? 'off',
    nextRequestId: () => `request-${(count += 1)}`,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  })
  let port: Promise<number> | undefined
  return {
    app,
    registry,
    logLines,
    listen() {
      port ??= app.listen({ host: '127.0.0.1', port: 0 }).then(() => {
        const address = app.server.address()
        assert(typeof address === 'object' && address !== null)
        return address.port
      })
      return port
    },
    async send(method, url, request = {}) {
      const answer = await app.inject({ method: method as 'GET', url, ...request })
      const received = {
        status: answer.statusCode,
        headers: answer.headers,
        text: answer.payload,
      }
      assertAnswerRules(received)
      return received
    },
    close: () => app.close(),
  }
}

/** Opens a connection, writes `bytes` and gives everything that came until the server closed it. */
export function exchangeRaw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => (answer += chunk))
    // A test reads what came before a reset.
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
    // A server that keeps the connection would hold the test until the timeout of its file.
    socket.setTimeout(120_000, () => socket.destroy())
    socket.write(bytes)
  })
}

/** A connection that a test drives by hand. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  return socket
}

export interface SplitAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Splits the answers of one connection by their Content-Length. */
export function splitAnswers(text: string): readonly SplitAnswer[] {
  const answers: SplitAnswer[] = []
  let rest = text
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    assert.notEqual(end, -1, `an answer without end of head: ${rest}`)
    const head = rest.slice(0, end)
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
    answers.push({
      status: Number(head.slice(9, 12)),
      head,
      body: rest.slice(end + 4, end + 4 + length),
    })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}

/**
 * Asserts the failure envelope of the intel group (interface 2.1 and 7), with the status repeated.
 */
export function assertEnvelope(status: number, text: string): string {
  const envelope = JSON.parse(text) as { errors: { $: string } }
  assert.deepEqual(Object.keys(envelope), ['status', 'statusCode', 'errors'])
  assert.deepEqual(envelope, {
    status: 'failure',
    statusCode: status,
    errors: { $: envelope.errors.$ },
  })
  assert.equal(typeof envelope.errors.$, 'string')
  assert.match(envelope.errors.$, /\S/)
  return envelope.errors.$
}
