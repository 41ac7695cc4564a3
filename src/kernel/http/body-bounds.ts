// The room for the bytes of request bodies that are on their way, by connection. A connection that
// no guard has admitted (the socket in the data folder) has no bound.

import type { Socket } from 'node:net'
import type { Share } from '../async/quota.ts'

const openersOf = new WeakMap<Socket, () => Share>()

/** Each body on this connection takes a share of its own. */
export function boundBodies(socket: Socket, open: () => Share): void {
  openersOf.set(socket, open)
}

/** For one body; give it back when the body has arrived or is refused. */
export function openBodyShare(socket: Socket): Share | null {
  return openersOf.get(socket)?.() ?? null
}
