// Cuts the connection of a client that does not read its answer. Node has a bound on slow headers
// and on silence; but a client that reads one byte now and then would hold its answer in memory for
// good (the attack of `slowhttptest -X`).

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export interface SlowReaderLimits {
  /** A connection with output waiting must take `bytesMin` in each such window. */
  readonly windowMs: number
  readonly bytesMin: number
}

interface Watch {
  readonly sinceMs: number
  readonly bytesTaken: number
}

/**
 * Checks every connection a few times in each window, so a request costs nothing. Stops when the
 * server closes.
 */
export function cutSlowReaders(server: Server, limits: SlowReaderLimits): void {
  const sockets = new Set<Socket>()
  const watched = new WeakMap<Socket, Watch>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const checkAll = (): void => {
    const nowMs = performance.now()
    for (const socket of sockets) check(socket, nowMs)
  }
  const check = (socket: Socket, nowMs: number): void => {
    const watch = watched.get(socket)
    if (socket.writableLength === 0) {
      if (watch !== undefined) watched.delete(socket)
      return
    }
    // The bytes that the operating system has taken: all that were written, less those that wait
    // here.
    const bytesTaken = socket.bytesWritten - socket.writableLength
    if (watch === undefined) {
      watched.set(socket, { sinceMs: nowMs, bytesTaken })
    } else if (nowMs - watch.sinceMs >= limits.windowMs) {
      if (bytesTaken - watch.bytesTaken < limits.bytesMin) socket.destroy()
      else watched.set(socket, { sinceMs: nowMs, bytesTaken })
    }
  }
  const timer = setInterval(checkAll, Math.max(1, limits.windowMs / 4))
  timer.unref()
  server.once('close', () => clearInterval(timer))
}
