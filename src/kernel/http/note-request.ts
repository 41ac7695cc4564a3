// What is kept of each request: its count and time for /metrics, and a log line where the setting
// asks for one.

import type { Log } from '../log.ts'
import type { OperatingError } from '../operating-error.ts'
import type { Exchange } from './http-exchange.ts'
import type { RequestMeter } from './request-meter.ts'

export interface NoteOptions {
  readonly meter: RequestMeter
  readonly log: Log
  readonly accessLog: 'sampled' | 'all' | 'off'
}

export interface RequestNotes {
  readonly noteReply: (exchange: Exchange, status: number) => void
  readonly noteFailure: (exchange: Exchange, error: OperatingError) => void
  /** For an answer to bytes that became no request. */
  readonly noteRawFailure: (error: OperatingError, requestId: string) => void
}

const SLOW_MS = 1_000
// A line costs as much as a whole lookup (measured), so of the hot routes one in so many is
// written.
const HOT_SAMPLE = 1_000
/** The operation under which a request is counted that matched no route. */
const NO_OPERATION = 'none'

export function createRequestNotes(options: NoteOptions): RequestNotes {
  const { meter, log, accessLog } = options
  let hotRequests = 0

  const isTold = (exchange: Exchange, elapsedMs: number): boolean => {
    if (accessLog !== 'sampled') return accessLog === 'all'
    if (elapsedMs > SLOW_MS) return true
    if (exchange.route?.isHot !== true) return true
    hotRequests += 1
    return hotRequests % HOT_SAMPLE === 0
  }

  const note = (exchange: Exchange, status: number): number => {
    const elapsedMs = performance.now() - exchange.startedAtMs
    meter.note(exchange.route?.operationId ?? NO_OPERATION, status, elapsedMs / 1_000)
    return elapsedMs
  }

  // The path goes without its query: items and cursors are data, and a token in a query must not
  // reach a log.
  const writeLine = (exchange: Exchange, status: number, elapsedMs: number): void => {
    log.info('request', {
      request_id: exchange.requestId,
      operation: exchange.route?.operationId ?? NO_OPERATION,
      method: exchange.message.method,
      path: exchange.path,
      status,
      ms: Math.round(elapsedMs * 10) / 10,
    })
  }

  const writeTrouble = (error: OperatingError, requestId: string, operation: string): void => {
    const { cause } = error
    log.error(error.publicMessage, {
      code: error.code,
      request_id: requestId,
      operation,
      cause: cause instanceof Error ? (cause.stack ?? cause.message) : cause,
    })
  }

  return {
    noteReply(exchange, status) {
      const elapsedMs = note(exchange, status)
      if (isTold(exchange, elapsedMs)) writeLine(exchange, status, elapsedMs)
    },
    noteFailure(exchange, error) {
      const elapsedMs = note(exchange, error.status)
      if (error.status >= 500) {
        writeTrouble(error, exchange.requestId, exchange.route?.operationId ?? NO_OPERATION)
      } else if (isTold(exchange, elapsedMs)) {
        writeLine(exchange, error.status, elapsedMs)
      }
    },
    noteRawFailure(error, requestId) {
      meter.note(NO_OPERATION, error.status, 0)
      log.debug('A request could not be read', { code: error.code, request_id: requestId })
    },
  }
}
