// Classifies the errors of DNS, sockets, TLS, the HTTP parser and decompression as the few reasons
// of a failed request.

import { DeadlinePassed } from '../async/deadline.ts'
import { TlsTrouble } from './connect.ts'
import { DnsTrouble } from './find-target-addresses.ts'
import type { FailureReason } from './outbound-outcome.ts'
import { BrokenOffTrouble, MalformedTrouble, TooLargeTrouble } from './read-answer.ts'

/**
 * `signal` is the deadline of the whole request: every error after its abort is a consequence of
 * the abort.
 */
export function classifyTrouble(error: unknown, signal: AbortSignal): FailureReason {
  if (signal.aborted) return signal.reason instanceof DeadlinePassed ? 'timeout' : 'cancelled'
  if (error instanceof DeadlinePassed) return 'timeout'
  if (error instanceof DnsTrouble) return 'dns'
  if (error instanceof TlsTrouble) return 'tls'
  if (error instanceof TooLargeTrouble) return 'too_large'
  if (error instanceof MalformedTrouble) return 'malformed'
  if (error instanceof BrokenOffTrouble) return 'broken_off'
  // Node's HTTP parser; any other code is from the system underneath.
  const code = readCode(error)
  if (code === 'HPE_HEADER_OVERFLOW') return 'too_large'
  return code.startsWith('HPE_') ? 'malformed' : 'unreachable'
}

/**
 * The messages of an error and its causes on one line, for the operator's log only: they may name
 * internal addresses.
 */
export function describeTrouble(error: unknown): string {
  const messages: string[] = []
  let next = error
  // Our own errors have two causes at most.
  while (next instanceof Error && messages.length < 4) {
    messages.push(next.message)
    next = next.cause
  }
  if (typeof next === 'string') messages.push(next)
  return messages.join(': ')
}

function readCode(error: unknown): string {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error
  return hasCode ? String(error.code) : ''
}
