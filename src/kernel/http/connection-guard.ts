// The bounds on connections of one HTTP thread: how many, how many from one address, and how slowly
// their clients may read. The socket in the data folder has no such bound.

import type { Socket } from 'node:net'
import { Counter, type Registry } from 'prom-client'
import { groupAddress } from '../../values/address-group.ts'
import { createQuota } from '../async/quota.ts'
import { boundBodies } from './body-bounds.ts'
import {
  createSlowReaderGuard,
  type SlowReaderGuard,
  type SlowReaderLimits,
} from './slow-readers.ts'

export interface ConnectionBounds extends SlowReaderLimits {
  /** Maximum of open connections. */
  readonly connectionsMax: number
  /** Maximum of open connections from one IPv4 address or IPv6 /64. */
  readonly perAddressMax: number
  /** Maximum of bytes of request bodies that are on their way; a quarter of one address. */
  readonly bodyBytesMax: number
  /** Whether the peer carries requests of others, so that no bound of one address holds for it. */
  readonly isProxy: (peer: string) => boolean
}

export type ConnectionGuard = SlowReaderGuard

/** 1 KiB a second, on average. A modem of 1995 read faster. */
export const SLOW_READER_LIMITS = {
  windowMs: 8_000,
  bytesMin: 8 * 1_024,
  // The send buffer of Linux takes a third of at most 4 MB at once, so a client of 5 KiB/s makes no
  // visible progress for 5 minutes. The buffer of a slow connection is far smaller.
  creditMs: 300_000,
  checkMs: 250,
} as const

// A body of the largest size (design section 10: reports 25 MiB) passes by itself.
const BODY_BYTES_MIN = 26_214_400

/** `registry` counts the connections that were refused or cut. */
export function createConnectionGuard(
  bounds: ConnectionBounds,
  registry: Registry | null = null,
): ConnectionGuard {
  const closed = new Counter({
    name: 'casework_http_connections_closed_total',
    help: 'HTTP connections closed by a limit: of connections, of one slow reader, of all of them.',
    labelNames: ['limit'] as const,
    registers: registry === null ? [] : [registry],
  })
  const readers = createSlowReaderGuard(bounds, (reason) => closed.inc({ limit: reason }))
  const connections = createQuota({ max: bounds.connectionsMax, keyMax: bounds.perAddressMax })
  const bodies = createQuota({
    max: Math.max(bounds.bodyBytesMax, BODY_BYTES_MIN),
    keyMax: Math.max(Math.floor(bounds.bodyBytesMax / 4), BODY_BYTES_MIN),
  })
  const admit = (socket: Socket): void => {
    // The client may be gone already, and its address with it.
    const peer = socket.remoteAddress ?? ''
    const key = bounds.isProxy(peer) ? null : groupAddress(peer)
    const share = connections.open(key)
    if (share.take(1)) {
      boundBodies(socket, () => bodies.open(key))
      socket.once('close', () => share.giveBack())
      return
    }
    closed.inc({ limit: 'connections' })
    // Without an answer: a connection of a flood should cost as little as possible.
    socket.destroy()
  }
  return {
    watch(server) {
      server.on('connection', admit)
      readers.watch(server)
    },
    hold: readers.hold,
  }
}
