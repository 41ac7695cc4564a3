// Sends a request again when that is safe: the method changes nothing by being repeated, or an
// Idempotency-Key says which request it is.

import { readRetryAfter } from './casework-error.ts'

export interface RetrySettings {
  /**
   * How often a request is sent again when nobody says how long to wait: after a lost connection,
   * or a refusal without Retry-After. 0 means that no request is sent again at all.
   */
  readonly retries: number
  /**
   * How long a request waits in all when the server says how long, by Retry-After. A wait beyond it
   * is not made: the refusal is returned. A failover of the database takes half a minute.
   */
  readonly waitSecondsMax: number
}

type Send = (request: Request) => Promise<Response>

const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE'])
const PASSING: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])
const FIRST_WAIT_SECONDS = 0.25

/** `send`, which waits and repeats. */
export function retryRequests(send: Send, { retries, waitSecondsMax }: RetrySettings): Send {
  return async (request) => {
    const isRepeatable =
      retries > 0 && (REPEATABLE.has(request.method) || request.headers.has('idempotency-key'))
    let ownWaits = 0
    let secondsLeft = waitSecondsMax
    for (;;) {
      const outcome = await attempt(send, isRepeatable ? request.clone() : request)
      const asked = outcome instanceof Response ? readRetryAfter(outcome.headers) : null
      // A server that asks for no wait is not trusted to end it.
      const isOwn = asked === null || asked === 0
      const canWait = isOwn ? ownWaits < retries : asked <= secondsLeft
      if (!isRepeatable || !canWait || !isPassing(outcome) || request.signal.aborted) {
        if (outcome instanceof Response) return outcome
        throw outcome.cause
      }
      // The connection is free for the next one when its answer was taken.
      if (outcome instanceof Response) await outcome.body?.cancel()
      await pause(asked ?? chooseWait(ownWaits), request.signal)
      if (isOwn) ownWaits += 1
      else secondsLeft -= asked
    }
  }
}

interface Silence {
  readonly cause: unknown
}

async function attempt(send: Send, request: Request): Promise<Response | Silence> {
  try {
    return await send(request)
  } catch (cause) {
    return { cause }
  }
}

function isPassing(outcome: Response | Silence): boolean {
  return (
    !(outcome instanceof Response) || (PASSING.has(outcome.status) && !isPartial(outcome.headers))
  )
}

// In seconds. Half of it by chance, so that clients which were refused together do not come back
// together.
function chooseWait(earlier: number): number {
  return FIRST_WAIT_SECONDS * 2 ** earlier * (0.5 + Math.random() / 2)
}

/** A look-up that found a part in time is answered with 503, and is an answer. */
export function isPartial(headers: Headers): boolean {
  return headers.get('casework-problem') === 'INTEL_LOOKUP_PARTIAL'
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- what the caller gave
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1_000)
    signal.addEventListener('abort', stop, { once: true })
  })
}
