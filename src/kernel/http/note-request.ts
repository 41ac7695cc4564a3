// Counts and times each request for /metrics, and writes a log line where the setting asks for one.

import type { IncomingMessage } from 'node:http'
import type { Log } from '../log.ts'
import type { OperatingError } from '../operating-error.ts'
import type { RequestMeter } from './request-meter.ts'
import type { Route } from './route.ts'
import { readPath } from './route-paths.ts'

export interface NoteOptions {
  readonly meter: RequestMeter
  readonly log: Log
  readonly accessLog: 'sampled' | 'all' | 'off'
}

export interface AnsweredRequest {
  /** Null for a request that matched no route. */
  readonly route: Route | null
  readonly message: IncomingMessage
  readonly requestId: string
  /** Of `performance.now()`. */
  readonly startedAtMs: number
}

export interface RequestNotes {
  /** `failure` is null for an answer that a handler gave, whatever its status. */
  readonly note: (request: AnsweredRequest, status: number, failure: OperatingError | null) => void
  /** For an answer to bytes that became no request. */
  readonly noteRawFailure: (error: OperatingError, requestId: string) => void
}

const SLOW_MS = 1_000
// A log line costs as much as a whole look-up, so of the hot routes one in so many is written.
const HOT_SAMPLE = 1_000
/** The operation under which a request is counted that matched no route. */
const NO_OPERATION = 'none'

export function createRequestNotes(options: NoteOptions): RequestNotes {
  const { meter, log, accessLog } = options
  let hotRequests = 0

  const isLogged = (route: Route | null, elapsedMs: number): boolean => {
    if (accessLog !== 'sampled') return accessLog === 'all'
    if (elapsedMs > SLOW_MS || route?.isHot !== true) return true
    hotRequests += 1
    return hotRequests % HOT_SAMPLE === 0
  }

  // The path goes without its query: items and cursors are data, and a token in a query must not
  // reach a log.
  const writeLine = (request: AnsweredRequest, status: number, elapsedMs: number): void => {
    log.info('request', {
      request_id: request.requestId,
      operation: request.route?.operationId ?? NO_OPERATION,
      method: request.message.method,
      path: readPath(request.message.url),
      status,
      ms: Math.round(elapsedMs * 10) / 10,
    })
  }

  const writeFailure = ({ route, requestId }: AnsweredRequest, error: OperatingError): void => {
    const { cause } = error
    log.error(error.publicMessage, {
      code: error.code,
      request_id: requestId,
      operation: route?.operationId ?? NO_OPERATION,
      cause: cause instanceof Error ? (cause.stack ?? cause.message) : cause,
    })
  }

  return {
    note(request, status, failure) {
      const { route } = request
      const elapsedMs = performance.now() - request.startedAtMs
      meter.note(route?.operationId ?? NO_OPERATION, status, elapsedMs / 1_000)
      if (failure !== null && status >= 500) writeFailure(request, failure)
      else if (isLogged(route, elapsedMs)) writeLine(request, status, elapsedMs)
    },
    noteRawFailure(error, requestId) {
      meter.note(NO_OPERATION, error.status, 0)
      log.debug('A request could not be read', { code: error.code, request_id: requestId })
    },
  }
}
