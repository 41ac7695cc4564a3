// Limits of one client address (of IPv6, one /64) at a mail listener: simultaneous connections, and
// mails a minute.

import { createQuota, type Share } from '../../../kernel/async/quota.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { createRateLimiter } from '../../../kernel/http/rate-limiter.ts'
import { groupAddress } from '../../../values/address-group.ts'
import { type MailRefusal, tooFast, tooManyConnections } from './mail-refusal.ts'

export interface ClientLimits {
  /** Null when the connection is accepted; it then counts until `leave`. */
  readonly enter: (sessionId: string, address: string) => MailRefusal | null
  readonly leave: (sessionId: string) => void
  /** Null when one more mail is allowed. */
  readonly countMail: (address: string) => MailRefusal | null
}

export interface ClientLimitsOptions {
  readonly connectionsPerAddress: number
  /** 0 means no limit. */
  readonly mailsPerMinute: number
  readonly clock: Clock
}

export function createClientLimits(options: ClientLimitsOptions): ClientLimits {
  const limiter = createRateLimiter({ limit: options.mailsPerMinute, clock: options.clock })
  const connections = createQuota({ max: Infinity, keyMax: options.connectionsPerAddress })
  const shares = new Map<string, Share>()
  return {
    enter(sessionId, address) {
      const share = connections.open(groupAddress(address))
      if (!share.take(1)) return tooManyConnections()
      shares.set(sessionId, share)
      return null
    },
    leave(sessionId) {
      // A connection that was refused has no share.
      shares.get(sessionId)?.giveBack()
      shares.delete(sessionId)
    },
    countMail(address) {
      const restSeconds = limiter.take(groupAddress(address))
      return restSeconds === 0 ? null : tooFast(restSeconds)
    },
  }
}
