// Lets a request in or refuses it, before a byte of its body is read: Host header, credential,
// limits.

import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../vocabulary/caller.ts'
import { requestNotValid, tooManyRequests } from '../errors.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { Route } from './route.ts'

/**
 * From the headers of a request to its caller; null where the route lets anyone in. A promise only
 * for a credential that this thread does not know. Throws or rejects with the operating error of
 * the refusal.
 */
export type Authenticate = (
  route: Pick<Route, 'access' | 'group'>,
  message: IncomingMessage,
) => Caller | null | Promise<Caller>

export interface AdmissionOptions {
  readonly authenticate: Authenticate
  /** Counts the requests of routes that are open to anyone, by address. */
  readonly lookupLimiter: RateLimiter
  /** Counts the requests with a credential, by token. */
  readonly tokenLimiter: RateLimiter
}

/** As `Authenticate`, with the Host header and the limits checked too. */
export type Admit = (message: IncomingMessage, route: Route) => Caller | null | Promise<Caller>

export function createAdmission(options: AdmissionOptions): Admit {
  const checkLimits = (message: IncomingMessage, route: Route, caller: Caller | null): void => {
    const { lookupLimiter, tokenLimiter } = options
    if (route.access.kind === 'open-intel' && lookupLimiter.isOn) {
      refuseOverLimit(lookupLimiter.take(message.socket.remoteAddress ?? ''), caller)
    }
    if (caller !== null && tokenLimiter.isOn) {
      refuseOverLimit(tokenLimiter.take(caller.tokenId), caller)
    }
  }
  return (message, route) => {
    // RFC 9112 section 3.2: without Host the request could be meant for any server.
    if (message.headers.host === undefined && message.httpVersionMinor !== 0) {
      throw requestNotValid('The Host header is missing.')
    }
    const caller = options.authenticate(route, message)
    if (caller instanceof Promise) {
      return caller.then((known) => {
        checkLimits(message, route, known)
        return known
      })
    }
    checkLimits(message, route, caller)
    return caller
  }
}

/**
 * Administrators are never limited: they must be able to stop the load that makes the limit
 * necessary (design section 10).
 */
function refuseOverLimit(waitSeconds: number, caller: Caller | null): void {
  if (waitSeconds > 0 && caller?.scopes.has('instance:admin') !== true) {
    throw tooManyRequests(waitSeconds)
  }
}
