// The process of the open-loop client.

import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildRequest } from './load.ts'
import { runAtRate } from './rate-load.ts'

const isLinux = process.platform === 'linux'

describe('a load at a fixed rate', { timeout: 60_000 }, async () => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/refused' ? 503 : 200
    response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const { port } = address
  const requests = ['/', '/refused'].map((path) => buildRequest('GET', path))

  test('tells latencies and refusals since it was warm', { skip: !isLinux }, async () => {
    const order = { port, requests, ratePerSecond: 200 }
    const result = await runAtRate(order, async () => {
      await new Promise((resolve) => {
        setTimeout(resolve, 500)
      })
    })
    const answered = result.latenciesMs.length + result.unmeasured
    assert.ok(answered > 0)
    // Every second request is refused; two seconds of warming up are not in it.
    assert.ok(Math.abs(answered - (result.failures['503'] ?? 0)) < 50, JSON.stringify(result))
  })

  test('ends with the bench that has started it', async () => {
    const client = fork(fileURLToPath(import.meta.resolve('./rate-load-client.ts')), {
      serialization: 'advanced',
    })
    try {
      client.send({ port, requests, ratePerSecond: 10 })
      await once(client, 'message')
      const ended = once(client, 'exit', { signal: AbortSignal.timeout(10_000) })
      client.disconnect()
      assert.deepEqual(await ended, [1, null])
    } finally {
      client.kill('SIGKILL')
    }
  })
})
