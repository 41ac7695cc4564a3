// Servers of tests on 127.0.0.1, each on a port that the system picks.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'

/** Any server of node:net, node:tls or node:http; returns its port. The caller closes it. */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return address.port
}

interface Cleanup {
  readonly after: (work: () => Promise<void>) => void
}

/** The same until the test ends; then its open connections are cut. */
export async function listenUntilEnd(t: Cleanup, server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  })
  const port = await listenOnLoopback(server)
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return port
}

/** A port that nothing listens on. Another process may take it before it is used. */
export async function findFreePort(): Promise<number> {
  const server = createServer()
  const port = await listenOnLoopback(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
