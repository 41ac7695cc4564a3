// Proves over real sockets that a client which does not read its answer is cut off, and one that
// reads is not.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { exchangeRaw, openKit, openSocket } from '../../../test/http-kit.ts'
import { defineRoute } from './route.ts'

// More than the buffers of the system hold.
const BIG = 'x'.repeat(16 * 1_024 * 1_024)

const kit = openKit({
  limits: { slowReadMs: 200, slowReadBytes: 1_024 },
  routes: [
    defineRoute({
      method: 'GET',
      path: '/big',
      group: 'system',
      access: { kind: 'public' },
      operationId: 'big',
      summary: 'A large answer',
      responses: {},
      handle: () => ({ status: 200, text: BIG }),
    }),
  ],
})
after(() => kit.close())

function countConnections(): Promise<number> {
  return new Promise((resolve, reject) =>
    kit.app.server.getConnections((error, count) =>
      error === null ? resolve(count) : reject(error),
    ),
  )
}

test('a client that does not read is cut off, one that reads gets all', async () => {
  const port = await kit.listen()
  const request = 'GET /big HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'
  const deaf = await openSocket(port)
  deaf.on('error', () => undefined)
  deaf.write(request)
  deaf.pause()
  const whole = await exchangeRaw(port, request)
  assert.equal(whole.length - whole.indexOf('\r\n\r\n') - 4, BIG.length)
  // A paused socket does not notice the cut, so the server is asked; the bound only ends a test
  // that would fail.
  for (let i = 0; i < 3_000 && (await countConnections()) > 0; i += 1) await delay(10)
  assert.equal(await countConnections(), 0)
  deaf.destroy()
})
