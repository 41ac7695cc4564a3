// The HTTP app of one thread: our routes on the kernel's HTTP layer, with access deciding who may
// call them.

import { createAdmission } from '../access/admit-request.ts'
import { createNodeSecretTest } from '../access/node-secret.ts'
import { createSessionAdmission } from '../access/sessions/admit-session.ts'
import { type ClientAddresses, createClientAddresses } from '../kernel/http/client-address.ts'
import {
  type ConnectionGuard,
  createConnectionGuard,
  SLOW_READER_LIMITS,
} from '../kernel/http/connection-guard.ts'
import type { FindPage } from '../kernel/http/find-page.ts'
import { createHttpApp, createRequestIds } from '../kernel/http/http-app.ts'
import { createAnswerKeeper } from '../kernel/http/keep-answer.ts'
import { createRateLimiter, type RateLimiter } from '../kernel/http/rate-limiter.ts'
import { createRateTable, type RateTable } from '../kernel/http/rate-table.ts'
import { createRequestMeter, type RequestMeter } from '../kernel/http/request-meter.ts'
import type { Route } from '../kernel/http/route.ts'
import { parseNetwork } from '../values/network.ts'
import type { Caller } from '../vocabulary/caller.ts'
import type { Services } from './compose.ts'

type App = ReturnType<typeof createHttpApp>

export interface BuildHttpOptions {
  readonly routes: readonly Route[]
  readonly parts: HttpParts
  /** Set for the socket in the data folder: whoever can open it administers this machine. */
  readonly localCaller?: Caller
  /** Pages for people, at paths that no route has. */
  readonly findPage?: FindPage | undefined
  /** See `HttpAppOptions`. */
  readonly explainUnmatched?: ((path: string) => Error | null) | undefined
}

/** What the apps of one thread share: their limits, and metrics, which register once only. */
export interface HttpParts {
  readonly meter: RequestMeter
  readonly connections: ConnectionGuard
  readonly rates: RateTable
  readonly clients: ClientAddresses
}

/** `rateBuffer` is that of the main thread's parts, in another thread. */
export function createHttpParts(
  { foundation }: Pick<Services, 'foundation'>,
  rateBuffer?: SharedArrayBuffer,
): HttpParts {
  const { config, metrics } = foundation
  const clients = createClientAddresses({
    proxies: config.trustedProxies.flatMap((text) => parseNetwork(text) ?? []),
    header: config.proxyHeader,
  })
  const shareOf = (limit: number): number => Math.ceil(limit / config.threads)
  return {
    meter: createRequestMeter(metrics),
    connections: createConnectionGuard(
      {
        ...SLOW_READER_LIMITS,
        connectionsMax: shareOf(config.httpConnections),
        perAddressMax: shareOf(config.httpConnectionsPerAddress),
        waitingBytesMax: shareOf(config.httpUnreadLimit),
        bodyBytesMax: shareOf(config.httpBodyLimit),
        isProxy: clients.isProxy,
      },
      metrics,
    ),
    rates: createRateTable(rateBuffer),
    clients,
  }
}

export function buildHttp(
  services: Pick<Services, 'foundation' | 'tokens'>,
  options: BuildHttpOptions,
): App {
  const { tokens } = services
  const { config, clock, log, database, secrets, tracer } = services.foundation
  const { localCaller, parts } = options
  const limit = (name: string, perMinute: number): RateLimiter =>
    createRateLimiter({ name, limit: perMinute, clock, table: parts.rates })
  return createHttpApp({
    routes: options.routes,
    admit: createAdmission({
      tokens,
      isNodeSecret: createNodeSecretTest(config.nodeSecret),
      sessions: createSessionAdmission(tokens, config.publicUrl),
      intelAccess: config.intelAccess,
      failedCredentials: limit('credential', config.failedCredentialsLimit),
      lookupLimiter: limit('lookup', config.lookupRateLimit),
      tokenLimiter: limit('token', config.tokenRateLimit),
      localCaller,
      clients: parts.clients,
    }),
    answerOnce: createAnswerKeeper(database.kysely, secrets),
    findPage: options.findPage,
    explainUnmatched: options.explainUnmatched,
    clients: parts.clients,
    meter: parts.meter,
    connections: parts.connections,
    log,
    accessLog: config.accessLog,
    nextRequestId: createRequestIds(),
    tracer,
  })
}
