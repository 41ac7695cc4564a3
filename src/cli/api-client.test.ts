import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { it } from 'node:test'
import { runCasework } from '../../test/cli-kit.ts'
import { EXIT } from './exit-codes.ts'

it('says that nobody knows what became of a request whose connection the server ended', async (t) => {
  const server = createServer((socket) => {
    socket.once('data', () => socket.destroy())
  })
  t.after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const { code, stdout, stderr } = await runCasework(t, ['lookup', '192.0.2.1'], { url })
  assert.equal(code, EXIT.network)
  assert.equal(stdout, '')
  assert.match(stderr, /ended the connection before it answered/)
})
