// Proves over real sockets the bounds on the number of connections, of all clients and of one.

import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { type KitOptions, openKit } from '../../../test/http-kit.ts'
import { defineRoute } from './route.ts'

const REQUEST = 'GET /livez HTTP/1.1\r\nHost: h\r\n\r\n'

function openBounded(bounds: KitOptions['bounds'] & object) {
  const kit = openKit({ bounds })
  after(() => kit.close())
  return kit
}

/** Asks once over a connection that stays open. The first line of the answer, empty for none. */
async function ask(port: number, localAddress = '127.0.0.1'): Promise<[Socket, string]> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined)
  socket.write(REQUEST)
  const answer = await new Promise<string>((resolve) => {
    socket.once('data', (chunk: Buffer) => resolve(chunk.toString('latin1')))
    socket.once('close', () => resolve(''))
  })
  return [socket, answer.split('\r\n')[0] ?? '']
}

const OK = 'HTTP/1.1 200 OK'

test('a client has so many connections at once and no more; another client is not concerned', async () => {
  const kit = openBounded({ perAddressMax: 2 })
  const port = await kit.listen()
  const [first, one] = await ask(port)
  const [second, two] = await ask(port)
  const [, three] = await ask(port)
  const [other, elsewhere] = await ask(port, '127.0.0.2')
  assert.deepEqual([one, two, three, elsewhere], [OK, OK, '', OK])
  const isClosed = new Promise((resolve) => {
    kit.app.server.once('connection', resolve)
  })
  first.destroy()
  let again = ''
  while (again === '') {
    const [socket, answer] = await ask(port)
    again = answer
    if (answer !== '') socket.destroy()
  }
  await isClosed
  assert.equal(again, OK)
  assert.match(await kit.registry.metrics(), /closed_total\{limit="connections"\} [1-9]/)
  second.destroy()
  other.destroy()
})

test('all clients together have so many connections and no more', async () => {
  const kit = openBounded({ connectionsMax: 2 })
  const port = await kit.listen()
  const answers = []
  const sockets = []
  for (const address of ['127.0.0.1', '127.0.0.2', '127.0.0.3']) {
    const [socket, answer] = await ask(port, address)
    sockets.push(socket)
    answers.push(answer)
  }
  assert.deepEqual(answers, [OK, OK, ''])
  for (const socket of sockets) socket.destroy()
})

test('a trusted proxy may have more connections than one client', async () => {
  const kit = openKit({ bounds: { perAddressMax: 1 }, proxies: ['127.0.0.2/32'] })
  after(() => kit.close())
  const port = await kit.listen()
  const [first, one] = await ask(port, '127.0.0.2')
  const [second, two] = await ask(port, '127.0.0.2')
  const [third, three] = await ask(port)
  const [, four] = await ask(port)
  assert.deepEqual([one, two, three, four], [OK, OK, OK, ''])
  for (const socket of [first, second, third]) socket.destroy()
})

/** A body of which all bytes but one are sent, once the server has them. */
async function sendMost(port: number, bytes: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => undefined)
  const head = `POST /body HTTP/1.1\r\nHost: h\r\nContent-Type: application/octet-stream\r\nContent-Length: ${bytes + 1}\r\n\r\n`
  await new Promise((resolve) => {
    socket.write(Buffer.concat([Buffer.from(head), Buffer.alloc(bytes)]), resolve)
  })
  return socket
}

test('503 with Retry-After for a body beyond the bytes that are on their way, and room when they are through', async () => {
  const LARGE = 26_214_400
  const kit = openKit({
    bounds: { bodyBytesMax: LARGE },
    routes: [
      defineRoute({
        method: 'POST',
        path: '/body',
        group: 'system',
        access: { kind: 'public' },
        operationId: 'takeBody',
        summary: 'Takes bytes',
        consumes: ['application/octet-stream'],
        bodyKind: 'bytes',
        bodyLimit: LARGE,
        bodyTimeoutMs: 60_000,
        responses: { 200: { description: 'Their number.' } },
        handle: ({ body }) => ({ status: 200, json: Buffer.isBuffer(body) ? body.length : 0 }),
      }),
    ],
  })
  after(() => kit.close())
  const port = await kit.listen()
  const slow = await sendMost(port, LARGE - 1_000)
  const send = async (): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}/body`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: Buffer.alloc(100_000),
    })
    const told = await answer.text()
    const code = /KERNEL_\w+/.exec(told)?.[0] ?? ''
    return [answer.status, answer.headers.get('retry-after'), code].join(' ').trim()
  }
  // The bytes arrive when the system delivers them.
  let answer = await send()
  while (answer.startsWith('200')) answer = await send()
  assert.equal(answer, '503 1 KERNEL_BODIES_TOO_MANY')
  slow.write('x')
  await new Promise((resolve) => slow.once('data', resolve))
  assert.equal(await send(), '200')
  slow.destroy()
})
