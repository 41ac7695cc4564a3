// Proves over real sockets that a client which does not read its response is cut off, that one
// which reads is not, and that the bytes waiting for all clients together have a bound.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kit, openKit, openSocket } from '../../../test/http-kit.ts'
import { defineRoute } from './route.ts'

const MEGABYTE = 1_024 * 1_024
// Far more than the buffers of the system hold (some 10 MB on loopback).
const BIG = Buffer.alloc(40 * MEGABYTE, 'x')
const REQUEST = 'GET /big HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'

function openBigKit(bounds: Parameters<typeof openKit>[0] & object): Kit {
  const kit = openKit({
    ...bounds,
    routes: [
      defineRoute({
        method: 'GET',
        path: '/big',
        group: 'system',
        access: { kind: 'public' },
        operationId: 'big',
        summary: 'A large answer in one write',
        responses: {},
        handle: () => ({ status: 200, bytes: BIG }),
      }),
    ],
  })
  after(() => kit.close())
  return kit
}

async function openDeaf(port: number): Promise<Socket> {
  const socket = await openSocket(port)
  socket.on('error', () => undefined)
  socket.write(REQUEST)
  socket.pause()
  return socket
}

/** Reads as much as there is, then rests for a moment, so that the response waits meanwhile. */
class SteadyReader {
  readonly #socket: Socket
  bytesRead = 0
  #isEnded = false

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('error', () => undefined)
    // Without a listener for 'data' the socket reads only what is asked of it.
    socket.on('readable', () => undefined)
    socket.once('close', () => (this.#isEnded = true))
    socket.once('end', () => (this.#isEnded = true))
    socket.write(REQUEST)
  }

  async readUntil(bytes: number): Promise<number> {
    while (this.bytesRead < bytes && !this.#isEnded) {
      const chunk = this.#socket.read() as Buffer | null
      this.bytesRead += chunk?.length ?? 0
      await delay(1)
    }
    return this.bytesRead
  }
}

function countConnections(kit: Kit): Promise<number> {
  return new Promise((resolve, reject) =>
    kit.app.server.getConnections((error, count) =>
      error === null ? resolve(count) : reject(error),
    ),
  )
}

/** A paused socket does not notice the cut, so the server is asked; `node:test` bounds the wait. */
async function waitForConnections(kit: Kit, count: number): Promise<void> {
  while ((await countConnections(kit)) !== count) await delay(10)
}

test('a client that reads steadily gets all of a large response, though it takes many windows', async () => {
  const kit = openBigKit({ bounds: { windowMs: 20, bytesMin: 20, creditMs: 60_000, checkMs: 5 } })
  const reader = new SteadyReader(await openSocket(await kit.listen()))
  assert((await reader.readUntil(BIG.length)) >= BIG.length)
})

test('a client that does not read is cut off, whatever the system has taken for it', async () => {
  const kit = openBigKit({ bounds: { windowMs: 200, bytesMin: 1_024, creditMs: 400, checkMs: 20 } })
  const deaf = await openDeaf(await kit.listen())
  await waitForConnections(kit, 1)
  await waitForConnections(kit, 0)
  const metrics = await kit.registry.metrics()
  assert.match(metrics, /casework_http_connections_closed_total\{limit="slow"\} 1/)
  deaf.destroy()
})

test('a client that waits for its response in silence has the time of an idle one', async () => {
  const kit = openBigKit({ limits: { silenceMs: 50 } })
  const socket = await openSocket(await kit.listen())
  socket.resume()
  await once(socket, 'close')
  await waitForConnections(kit, 0)
})

test('over the bound of waiting bytes the slowest clients are closed, and one that reads goes on', async () => {
  const kit = openBigKit({ bounds: { checkMs: 5, waitingBytesMax: 3.5 * BIG.length } })
  const port = await kit.listen()
  const reader = new SteadyReader(await openSocket(port))
  await reader.readUntil(15 * MEGABYTE)
  const deaf = await Promise.all(Array.from({ length: 6 }, () => openDeaf(port)))
  // Two of the deaf fit beside the reader.
  await waitForConnections(kit, 3)
  assert((await reader.readUntil(BIG.length)) >= BIG.length)
  const metrics = await kit.registry.metrics()
  assert.match(metrics, /casework_http_connections_closed_total\{limit="crowded"\} 4/)
  for (const socket of deaf) socket.destroy()
})
