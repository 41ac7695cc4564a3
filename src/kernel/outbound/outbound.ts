// The one HTTP client for every request that this service makes. Each URL, redirects included, is
// checked before anything is sent, its name is resolved once, and the connection goes to exactly
// the address that was checked. See docs/internals/outbound.md.

import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { startDeadline } from '../async/deadline.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { Log } from '../log.ts'
import { beginSpan, type Span, type SpanStart, type Tracer } from '../tracing/span.ts'
import { parseAllowList } from './allow-list.ts'
import { checkUrl, type FitUrl } from './check-url.ts'
import { classifyTrouble, describeTrouble } from './classify-trouble.ts'
import { type Connect, connectToFirst, createConnect } from './connect.ts'
import { type AddressRules, type FoundAddresses, findAddresses } from './find-target-addresses.ts'
import { type ExchangeAnswer, exchangeMessages } from './outbound-exchange.ts'
import {
  type OutboundFailure,
  type OutboundOutcome,
  type RefusalReason,
  refuse,
} from './outbound-outcome.ts'
import { type Probe, type ProbeOutcome, probeTarget } from './probe.ts'
import { followRedirect, readRedirect } from './redirect.ts'
import { createDnsResolver, type ResolveName, resolveBySystem } from './resolve-name.ts'
import { type ShapedRequest, shapeRequest } from './shape-request.ts'

export interface OutboundRequest {
  /** GET, HEAD, POST, PUT, PATCH or DELETE. */
  readonly method: string
  /** Absolute. Untrusted text is fine: it is checked here. */
  readonly url: string
  /** Host, Content-Length and others that this client sets itself are refused. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** A fixed word for log and metrics, such as `rdap`; never tenants' text. */
  readonly purpose: string
  /** For the whole request: DNS lookup, connections, redirects, body. */
  readonly timeoutMs?: number
  /** Of the body, packed and unpacked. */
  readonly maxBytes?: number
  /**
   * What becomes of a longer body: `refuse`, the default, is the failure `too_large`; `cut` reads
   * no further and answers with the part that was read. No encoding is asked for then.
   */
  readonly longBody?: 'refuse' | 'cut'
  /** 0 to 5, default 5. With 0 a redirect is answered as it came. */
  readonly redirectsMax?: number
  /** Default false: https only. */
  readonly allowHttp?: boolean
  /** Ends the request early. */
  readonly signal?: AbortSignal
}

export interface Outbound {
  /**
   * Never rejects for anything the target or the URL can do. Asserts that its limits are sensible.
   */
  readonly request: (request: OutboundRequest) => Promise<OutboundOutcome>
  /** Whether a name has addresses or a port is open; see probe.ts. */
  readonly probe: (probe: Probe) => Promise<ProbeOutcome>
  /** Cancels all open requests; later ones answer `cancelled` at once. */
  readonly close: () => void
}

export interface OutboundLimits {
  /** Default 10 s. */
  readonly timeoutMs: number
  /** For the connection of one hop; default 5 s. */
  readonly connectTimeoutMs: number
  /** Default 1 MiB. */
  readonly maxBytes: number
  /** The limit of a request body; default 32 MiB, enough for the largest report (25 MiB). */
  readonly bodyBytesMax: number
  /**
   * Concurrent requests; the next one fails as `busy`. Default 256: at 1 MiB each, packed and
   * unpacked, 512 MiB at the worst.
   */
  readonly runningMax: number
}

/** The outcome of one request, for metrics. */
export interface OutboundNote {
  readonly purpose: string
  readonly kind: OutboundOutcome['kind']
  /** Null for an answer. */
  readonly reason: string | null
  /** Null without an answer. */
  readonly status: number | null
  readonly durationMs: number
}

export interface OutboundOptions {
  /** `config.outboundAllow`. */
  readonly allow: readonly string[]
  readonly log: Log
  /** `config.dnsServers`; empty or absent means the resolvers of the system. */
  readonly dnsServers?: readonly string[]
  readonly limits?: Partial<OutboundLimits>
  readonly onOutcome?: (note: OutboundNote) => void
  /** For every request and probe that the rules refuse. */
  readonly onRefused?: (reason: RefusalReason) => void
  /** Null, or left out: a request is traced only as a part of a trace. */
  readonly tracer?: Tracer | null
  readonly clock?: Clock
  /** Replaces DNS and the lookup of the system, in tests. */
  readonly resolve?: ResolveName
  readonly connect?: Connect
  /** Replaces the addresses of the network interfaces, in tests. */
  readonly listOwnAddresses?: () => readonly string[]
}

const DEFAULT_LIMITS: OutboundLimits = {
  timeoutMs: 10_000,
  connectTimeoutMs: 5_000,
  maxBytes: 1_048_576,
  bodyBytesMax: 33_554_432,
  runningMax: 256,
}
// Bodies are held in memory, so a larger limit would be unsafe.
const BYTES_CEILING = 67_108_864
const TIMEOUT_CEILING_MS = 300_000
const REDIRECTS_CEILING = 5

/** Throws the operating error of unusable settings when `allow` or `dnsServers` cannot be read. */
export function createOutbound(options: OutboundOptions): Outbound {
  const { log, onOutcome, onRefused, clock = systemClock, tracer = null } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const rules: AddressRules = {
    allow: parseAllowList(options.allow),
    resolve: options.resolve ?? createDnsResolver(options.dnsServers ?? []),
    resolveOpened: options.resolve ?? resolveBySystem,
    listOwnAddresses: options.listOwnAddresses ?? listInterfaceAddresses,
  }
  const context: Context = { rules, limits, connect: options.connect ?? createConnect(), log }
  const closing = new AbortController()
  let running = 0

  const runWithin = async (request: OutboundRequest): Promise<OutboundOutcome> => {
    if (running >= limits.runningMax) return fail('busy', false)
    const outer = request.signal === undefined ? [] : [request.signal]
    const deadline = startDeadline(request.timeoutMs ?? limits.timeoutMs, [
      closing.signal,
      ...outer,
    ])
    running += 1
    try {
      return await followToAnswer(context, request, deadline.signal)
    } finally {
      running -= 1
      deadline.clear()
    }
  }

  return {
    async request(request) {
      assertSensible(request)
      const startedMs = clock.nowMs()
      const span = beginSpan(tracer, describeSpan(request))
      const outcome = await runWithin(span === null ? request : addTraceParent(request, span))
      endSpan(span, outcome)
      const durationMs = clock.nowMs() - startedMs
      const note = { purpose: request.purpose, ...summarize(outcome), durationMs }
      onOutcome?.(note)
      if (outcome.kind === 'refused') onRefused?.(outcome.reason)
      // The origin only: paths and queries carry tenants' secrets.
      log.debug('Outgoing request', { ...note, origin: readOrigin(request.url) })
      return outcome
    },
    async probe(probe) {
      if (running >= limits.runningMax) return fail('busy', false)
      const outer = probe.signal === undefined ? [] : [probe.signal]
      running += 1
      try {
        const signal = AbortSignal.any([closing.signal, ...outer])
        const outcome = await probeTarget({ ...probe, signal }, rules, context.connect)
        if (outcome.kind === 'refused') onRefused?.(outcome.reason)
        return outcome
      } finally {
        running -= 1
      }
    },
    close: () => closing.abort(new Error('The outbound client is closed')),
  }
}

// The host without the path: paths and queries carry tenants' secrets.
function describeSpan({ method, purpose, url }: OutboundRequest): SpanStart {
  const { hostname = '' } = URL.parse(url) ?? {}
  const attributes = { 'http.request.method': method, 'server.address': hostname }
  return { name: `${method} ${purpose}`, kind: 'client', attributes }
}

/** A header that the caller gives itself stays. */
function addTraceParent(request: OutboundRequest, { header }: Span): OutboundRequest {
  const { headers = {} } = request
  const isGiven = Object.keys(headers).some((name) => name.toLowerCase() === 'traceparent')
  return isGiven ? request : { ...request, headers: { ...headers, traceparent: header } }
}

function endSpan(span: Span | null, outcome: OutboundOutcome): void {
  const { status, reason } = summarize(outcome)
  span?.end({
    attributes: {
      ...(status === null ? {} : { 'http.response.status_code': status }),
      ...(reason === null ? {} : { 'error.type': reason }),
    },
    hasFailed: status === null || status >= 400,
  })
}

interface Context {
  readonly rules: AddressRules
  readonly limits: OutboundLimits
  readonly connect: Connect
  readonly log: Log
}

async function followToAnswer(
  context: Context,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundOutcome> {
  const shaped = shapeRequest(request, context.limits.bodyBytesMax)
  if (shaped.kind === 'refused') return shaped
  const redirectsMax = request.redirectsMax ?? REDIRECTS_CEILING
  const visited = new Set<string>()
  let hop: { readonly url: string; readonly request: ShapedRequest } = {
    url: request.url,
    request: shaped,
  }
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const fit = checkUrl(hop.url, {
      allowHttp: request.allowHttp === true,
      allow: context.rules.allow,
    })
    if (fit.kind === 'refused') return fit
    const key = `${hop.request.method} ${fit.url.href}`
    if (visited.has(key)) return refuse('redirect')
    visited.add(key)
    // Each hop depends on the answer of the one before.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const answer = await askOnce(context, fit, hop.request, request, signal)
    if (answer.kind !== 'answer') return answer
    const location = redirectsMax === 0 ? null : readRedirect(answer.status, answer.headers)
    if (location === null) return answer
    const next = followRedirect(fit.url, hop.request, answer.status, location)
    if (next.kind === 'refused') return next
    hop = next
  }
  return refuse('redirect')
}

async function askOnce(
  context: Context,
  fit: FitUrl,
  shaped: ShapedRequest,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundOutcome> {
  let isOpened = false
  try {
    const found = await findAddresses(fit, context.rules, signal)
    if (found.kind !== 'found') return found
    isOpened = found.isOpened
    const answer = await send(context, fit, found, shaped, request, signal)
    return { kind: 'answer', ...answer, url: fit.url.href }
  } catch (error) {
    const reason = classifyTrouble(error, signal)
    // For the operator only; a tenant gets the reason.
    context.log.debug('Outgoing request failed', {
      purpose: request.purpose,
      origin: fit.url.origin,
      reason,
      error: describeTrouble(error),
    })
    return fail(reason, isOpened)
  }
}

async function send(
  context: Context,
  fit: FitUrl,
  found: FoundAddresses,
  shaped: ShapedRequest,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<ExchangeAnswer> {
  const { host, port } = fit.target
  const secureHost = fit.url.protocol === 'https:' ? host : null
  const connection = await connectToFirst(
    context.connect,
    found.addresses.map((address) => ({ address, port, secureHost })),
    context.limits.connectTimeoutMs,
    signal,
  )
  return exchangeMessages(
    {
      connection,
      url: fit.url,
      request: shaped,
      maxBytes: request.maxBytes ?? context.limits.maxBytes,
      cutsBody: request.longBody === 'cut',
      followsRedirects: request.redirectsMax !== 0,
    },
    signal,
  )
}

function fail(reason: OutboundFailure['reason'], isOpened: boolean): OutboundFailure {
  return { kind: 'failed', reason, isOpened }
}

function summarize(outcome: OutboundOutcome): Pick<OutboundNote, 'kind' | 'reason' | 'status'> {
  if (outcome.kind === 'answer') return { kind: 'answer', reason: null, status: outcome.status }
  return { kind: outcome.kind, reason: outcome.reason, status: null }
}

// These come from our own code, never from a tenant.
function assertSensible(request: OutboundRequest): void {
  assertWithin('timeoutMs', request.timeoutMs, 1, TIMEOUT_CEILING_MS)
  assertWithin('maxBytes', request.maxBytes, 1, BYTES_CEILING)
  assertWithin('redirectsMax', request.redirectsMax, 0, REDIRECTS_CEILING)
}

function assertWithin(name: string, value: number | undefined, min: number, max: number): void {
  const isSensible =
    value === undefined || (Number.isInteger(value) && value >= min && value <= max)
  assert.ok(isSensible, `${name} must be a whole number from ${min} to ${max}`)
}

function readOrigin(text: string): string | null {
  return URL.parse(text)?.origin ?? null
}

function listInterfaceAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).map((address) => address.address),
  )
}
