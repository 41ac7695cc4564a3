// How much one address may ask of a mail listener: connections at once, and mails a minute.

import type { Clock } from '../../../kernel/clock.ts'
import { createRateLimiter } from '../../../kernel/http/rate-limiter.ts'
import { type MailRefusal, tooFast, tooManyConnections } from './mail-refusal.ts'

export interface ClientLimits {
  /** Null when the connection may stay; it then counts until `leave`. */
  readonly enter: (sessionId: string, address: string) => MailRefusal | null
  readonly leave: (sessionId: string) => void
  /** Null when one more mail may come. */
  readonly countMail: (address: string) => MailRefusal | null
}

export interface ClientLimitsOptions {
  readonly connectionsPerAddress: number
  /** 0 means no limit. */
  readonly mailsPerMinute: number
  readonly clock: Clock
}

export function createClientLimits(options: ClientLimitsOptions): ClientLimits {
  const limiter = createRateLimiter(options.mailsPerMinute, options.clock)
  const addresses = new Map<string, string>()
  const counts = new Map<string, number>()
  return {
    enter(sessionId, address) {
      const count = counts.get(address) ?? 0
      if (count >= options.connectionsPerAddress) return tooManyConnections()
      addresses.set(sessionId, address)
      counts.set(address, count + 1)
      return null
    },
    leave(sessionId) {
      const address = addresses.get(sessionId)
      // One that was refused at the door was never counted.
      if (address === undefined || !addresses.delete(sessionId)) return
      const count = (counts.get(address) ?? 1) - 1
      if (count === 0) counts.delete(address)
      else counts.set(address, count)
    },
    countMail(address) {
      const restSeconds = limiter.take(address)
      return restSeconds === 0 ? null : tooFast(restSeconds)
    },
  }
}
