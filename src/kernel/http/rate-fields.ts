// What the limits left of a request's budgets, told in its answer by the fields `RateLimit` and
// `RateLimit-Policy` of the IETF draft (draft-ietf-httpapi-ratelimit-headers-10). They stand on
// every answer of a request that a limit counts, refusals included.

import type { IncomingMessage } from 'node:http'
import type { RateState } from './rate-limiter.ts'

/** A limit that counted the request, as whoami shows it. */
export interface CountedLimit extends RateState {
  readonly name: string
}

const limitsOf = new WeakMap<IncomingMessage, CountedLimit[]>()

export function noteLimit(message: IncomingMessage, counted: CountedLimit): void {
  const limits = limitsOf.get(message)
  if (limits === undefined) limitsOf.set(message, [counted])
  else limits.push(counted)
}

export function readLimits(message: IncomingMessage): readonly CountedLimit[] {
  return limitsOf.get(message) ?? []
}

/** Null where no limit counted the request. */
export function presentLimits(message: IncomingMessage): Readonly<Record<string, string>> | null {
  const limits = limitsOf.get(message)
  if (limits === undefined) return null
  const policies = limits.map((one) => `"${one.name}";q=${one.limit};w=${one.windowSeconds}`)
  const budgets = limits.map((one) => `"${one.name}";r=${one.remaining};t=${one.resetSeconds}`)
  return { 'ratelimit-policy': policies.join(', '), ratelimit: budgets.join(', ') }
}
