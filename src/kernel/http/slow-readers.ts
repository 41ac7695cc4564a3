// Closes the connection of a client that does not read its response. Node limits slow headers and
// idle connections. But a client that reads a byte now and then would keep its response in memory
// forever (the slow read attack, `slowhttptest -X`).

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export interface SlowReaderLimits {
  /** A connection with pending output must take `bytesMin` in each window. */
  readonly windowMs: number
  readonly bytesMin: number
}

interface Watch {
  readonly sinceMs: number
  readonly bytesTaken: number
}

/**
 * A timer checks every connection a few times in each window, so a request costs nothing. It stops
 * when the server closes.
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
    // Bytes that the operating system has taken: all written bytes less those buffered here.
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
