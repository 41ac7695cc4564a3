// Sends a request again when that is safe: the method changes nothing by being repeated, or an
// Idempotency-Key says which request it is.

import { readRetryAfter } from './casework-error.ts'

export interface RetrySettings {
  /** How often a request is sent again. */
  readonly retries: number
  /** A longer Retry-After is not waited for: the refusal is returned. */
  readonly waitSecondsMax: number
}

type Send = (request: Request) => Promise<Response>

const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE'])
const PASSING: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])
const FIRST_WAIT_SECONDS = 0.25

/** `send`, which waits and repeats. */
export function retryRequests(send: Send, { retries, waitSecondsMax }: RetrySettings): Send {
  return async (request) => {
    const isRepeatable = REPEATABLE.has(request.method) || request.headers.has('idempotency-key')
    for (let sent = 1; ; sent += 1) {
      const isLast = !isRepeatable || sent > retries
      const outcome = await attempt(send, isLast ? request : request.clone())
      const wait = isLast ? null : chooseWait(outcome, sent)
      if (wait === null || wait > waitSecondsMax || request.signal.aborted) {
        if (outcome instanceof Response) return outcome
        throw outcome.cause
      }
      // The connection is free for the next one when its answer was taken.
      if (outcome instanceof Response) await outcome.body?.cancel()
      await pause(wait, request.signal)
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

/** In seconds; null when the outcome stands. */
function chooseWait(outcome: Response | Silence, sent: number): number | null {
  // Half of it by chance, so that clients which were refused together do not come back together.
  const own = FIRST_WAIT_SECONDS * 2 ** (sent - 1) * (0.5 + Math.random() / 2)
  if (!(outcome instanceof Response)) return own
  if (!PASSING.has(outcome.status) || isPartial(outcome.headers)) return null
  return readRetryAfter(outcome.headers) ?? own
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
