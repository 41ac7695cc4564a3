// The HTTP app of one thread: our routes on the kernel's HTTP layer, with access deciding who may
// call them.

import { createAdmission } from '../access/admit-request.ts'
import {
  type ConnectionGuard,
  createConnectionGuard,
  SLOW_READER_LIMITS,
} from '../kernel/http/connection-guard.ts'
import { createHttpApp, createRequestIds } from '../kernel/http/http-app.ts'
import { createRateLimiter } from '../kernel/http/rate-limiter.ts'
import { createRequestMeter, type RequestMeter } from '../kernel/http/request-meter.ts'
import type { Route } from '../kernel/http/route.ts'
import type { Caller } from '../vocabulary/caller.ts'
import type { Services } from './compose.ts'
import { keepTickShape } from './tuning/keep-tick-shape.ts'

type App = ReturnType<typeof createHttpApp>

export interface BuildHttpOptions {
  readonly routes: readonly Route[]
  readonly parts: HttpParts
  /** Set for the socket in the data folder: whoever can open it administers this machine. */
  readonly localCaller?: Caller
}

/** What the apps of one thread share: their limits, and metrics, which register once only. */
export interface HttpParts {
  readonly meter: RequestMeter
  readonly connections: ConnectionGuard
}

export function createHttpParts({ foundation }: Pick<Services, 'foundation'>): HttpParts {
  const { config, metrics } = foundation
  const shareOf = (limit: number): number => Math.ceil(limit / config.threads)
  return {
    meter: createRequestMeter(metrics),
    connections: createConnectionGuard(
      {
        ...SLOW_READER_LIMITS,
        connectionsMax: shareOf(config.httpConnections),
        perAddressMax: shareOf(config.httpConnectionsPerAddress),
        waitingBytesMax: shareOf(config.httpUnreadLimit),
      },
      metrics,
    ),
  }
}

export function buildHttp(
  services: Pick<Services, 'foundation' | 'tokens'>,
  options: BuildHttpOptions,
): App {
  const { tokens } = services
  const { config, clock, log } = services.foundation
  const { localCaller } = options
  void keepTickShape()
  return createHttpApp({
    routes: options.routes,
    admit: createAdmission({
      tokens,
      intelAccess: config.intelAccess,
      failedCredentials: createRateLimiter(config.failedCredentialsLimit, clock),
      lookupLimiter: createRateLimiter(config.lookupRateLimit, clock),
      tokenLimiter: createRateLimiter(config.tokenRateLimit, clock),
      localCaller,
    }),
    meter: options.parts.meter,
    connections: options.parts.connections,
    log,
    accessLog: config.accessLog,
    nextRequestId: createRequestIds(),
  })
}
