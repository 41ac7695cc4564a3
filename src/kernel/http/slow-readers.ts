// Cuts connections whose client does not read what it asked for. Node has a bound on slow headers
// and on silence, but a client that reads one byte now and then holds its answer in memory for good
// (measured with slowhttptest -X).

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
 * Looks at every connection a few times in each window, so a request costs nothing. Stops when the
 * server closes.
 */
export function cutSlowReaders(server: Server, limits: SlowReaderLimits): void {
  const sockets = new Set<Socket>()
  const watched = new WeakMap<Socket, Watch>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const look = (): void => {
    const nowMs = performance.now()
    for (const socket of sockets) judge(socket, nowMs)
  }
  const judge = (socket: Socket, nowMs: number): void => {
    const watch = watched.get(socket)
    if (socket.writableLength === 0) {
      if (watch !== undefined) watched.delete(socket)
      return
    }
    // What the system has taken: all that was written, less what still waits here.
    const bytesTaken = socket.bytesWritten - socket.writableLength
    if (watch === undefined) {
      watched.set(socket, { sinceMs: nowMs, bytesTaken })
    } else if (nowMs - watch.sinceMs >= limits.windowMs) {
      if (bytesTaken - watch.bytesTaken < limits.bytesMin) socket.destroy()
      else watched.set(socket, { sinceMs: nowMs, bytesTaken })
    }
  }
  const timer = setInterval(look, Math.max(1, limits.windowMs / 4))
  timer.unref()
  server.once('close', () => clearInterval(timer))
}
