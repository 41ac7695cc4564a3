// The closed-loop client: it measures what was asked for, or it throws.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { after, describe, test } from 'node:test'
import { buildRequest, createCycle, type LoadResult, runLoad } from './load.ts'

const LOOK_UP = buildRequest('GET', '/')

describe('a load', { timeout: 30_000 }, () => {
  const servers: Server[] = []
  after(() => {
    for (const server of servers) server.close()
  })

  /** A server that answers the requests of a connection with these texts, and then closes it. */
  const open = async (answers: readonly string[]): Promise<number> => {
    const server = createServer((socket) => {
      const left = [...answers]
      socket.on('error', () => undefined)
      socket.on('data', () => {
        const answer = left.shift()
        if (answer === undefined) socket.end()
        else socket.write(answer)
      })
    })
    servers.push(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    assert.ok(typeof address === 'object' && address !== null)
    return address.port
  }

  test('counts the answers and their latencies', async () => {
    const load = await run(await open([write('200 OK'), write('200 OK')]), 2)
    assert.equal(load.requests, 2)
    assert.equal(load.latenciesMs.length, 2)
  })

  test('takes the status that is expected and no other', async () => {
    const answers = [write('201 Created'), write('503 Service Unavailable')]
    assert.equal((await run(await open(answers), 1, 201)).requests, 1)
    await assert.rejects(run(await open(answers), 2, 201), /not every answer is 201: .*"503":1/)
    await assert.rejects(run(await open(answers), 1), /not every answer is 200/)
  })

  test('throws when nothing was answered', async () => {
    await assert.rejects(run(await open([]), 0), /not every answer is 200: \{\}/)
  })

  test('throws when the server closes a connection before its answer', async () => {
    await assert.rejects(run(await open([write('200 OK')]), 2), /closed a connection/)
  })
})

describe('a cycle of requests', () => {
  test('begins anew behind the last one', () => {
    const next = createCycle([Buffer.from('one'), Buffer.from('two')])
    assert.deepEqual(
      [next(), next(), next()].map((request) => request.toString()),
      ['one', 'two', 'one'],
    )
  })

  test('throws without a request', () => {
    assert.throws(createCycle([]), /no request to send/)
  })
})

function write(status: string): string {
  return `HTTP/1.1 ${status}\r\ncontent-length: 2\r\n\r\n{}`
}

/** One connection. */
function run(port: number, requestsMax: number, status = 200): Promise<LoadResult> {
  const next = createCycle([LOOK_UP])
  return runLoad({ port, connections: 1, durationMs: 10_000, requestsMax, next, status })
}
