// The HTTP app of one thread: our routes on the kernel's HTTP layer, with access deciding who may
// call them.

import { createAdmission } from '../access/admit-request.ts'
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
  /** Shared by the apps of one thread, since a metric can be registered once only. */
  readonly meter: RequestMeter
  /** Set for the socket in the data folder: whoever can open it administers this machine. */
  readonly localCaller?: Caller
}

export function createMeter(services: Pick<Services, 'foundation'>): RequestMeter {
  return createRequestMeter(services.foundation.metrics)
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
    meter: options.meter,
    log,
    accessLog: config.accessLog,
    nextRequestId: createRequestIds(),
  })
}
