// Proves over real sockets the bounds on the number of connections, of all clients and of one.

import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { type KitOptions, openKit } from '../../../test/http-kit.ts'

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
