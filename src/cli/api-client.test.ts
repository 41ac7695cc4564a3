import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { it } from 'node:test'
import { runCasework, serveStub } from '../../test/cli-kit.ts'
import { loadConfig } from '../kernel/config.ts'
import { createApiClient, namesRemoteServer } from './api-client.ts'
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

it('7 for an answer that breaks off, in the same words', async (t) => {
  const url = await serveStub(t, (_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{"status":')
    setImmediate(() => response.destroy())
  })
  const { code, stdout, stderr } = await runCasework(t, ['lookup', '192.0.2.1'], { url })
  assert.deepEqual({ code, stdout }, { code: EXIT.network, stdout: '' })
  assert.match(stderr, /ended the connection before it answered/)
})

it('a request with a timeout ends at a server that says nothing, and when it is asked again', {
  timeout: 300_000,
}, async (t) => {
  const { config } = loadConfig({ flags: {}, environment: {}, file: null })
  const silent = await serveStub(t, () => undefined)
  const busy = await serveStub(t, (_, response) => {
    response.writeHead(503, { 'retry-after': '30' }).end()
  })
  const ask = (url: string) =>
    createApiClient({ url }, config).send({ method: 'GET', path: '/readyz', timeoutMs: 100 })
  await assert.rejects(ask(silent), {
    exitCode: EXIT.network,
    message: `There is no answer of ${silent} within 0.1 seconds.`,
  })
  assert.equal((await ask(busy)).status, 503)
})

it('a sentence of the server does not steer a terminal', async (t) => {
  const url = await serveStub(t, (_, response) => {
    response.writeHead(400).end(JSON.stringify({ detail: 'Not\u001b[2J this.\nNor\u009b that.' }))
  })
  const { stderr } = await runCasework(t, ['whoami'], { url, token: 'x' })
  assert.equal(stderr, 'casework: Not\\x1b[2J this.\nNor\\x9b that.\n')
})

it('prints the reason of a failure whose body is empty', async (t) => {
  const answer = [
    'HTTP/1.1 400 Bad Request',
    'casework-problem: CASEWORK_FILTER_NOT_VALID; field=/limit',
    'content-length: 0',
    'connection: close',
  ].join('\r\n')
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(`${answer}\r\n\r\n`))
  })
  t.after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const { stdout, stderr } = await runCasework(t, ['lookup', '192.0.2.1'], { url })
  assert.equal(stdout, '')
  assert.match(stderr, /The server answered 400 \(CASEWORK_FILTER_NOT_VALID; field=\/limit\)\./)
})

it('ends with exit code 3 for an empty CASEWORK_TOKEN, and names it', async (t) => {
  const options = { url: 'http://127.0.0.1:1', token: '' }
  const { code, stdout, stderr } = await runCasework(t, ['lookup', '192.0.2.1'], options)
  assert.deepEqual({ code, stdout }, { code: EXIT.credential, stdout: '' })
  assert.match(stderr, /^casework: CASEWORK_TOKEN is empty: /)
})

it('tells a server of this machine from one elsewhere', () => {
  for (const url of ['http://127.0.0.1:8080', 'http://localhost', 'https://[::1]:8443', '', 'x']) {
    assert.equal(namesRemoteServer({ url }), false, url)
  }
  for (const url of ['https://casework.example', 'http://192.0.2.7:8080', 'http://[2001:db8::1]']) {
    assert.equal(namesRemoteServer({ url }), true, url)
  }
})

it('checks nothing of this machine for a server elsewhere, and says whose settings it shows', async (t) => {
  const url = 'http://casework.invalid'
  const { stdout } = await runCasework(t, ['doctor'], { url })
  assert.match(stdout, /^off +this machine +Settings, data folder and database are not checked: /m)
  assert.doesNotMatch(stdout, /data folder +\//)
  const config = await runCasework(t, ['config', '-o', 'json'], { url })
  assert.match(config.stderr, /not those of http:\/\/casework\.invalid\.\n$/)
  assert.ok(Array.isArray(JSON.parse(config.stdout)))
})

it('promises no data folder to be made for a server that is named by its address', async (t) => {
  const { stdout } = await runCasework(t, ['doctor'], { url: 'http://127.0.0.1:1' })
  assert.match(stdout, /^off +data folder +\S+ does not exist: the server at http:\S+ has its own/m)
  assert.doesNotMatch(stdout, /the first start makes it/)
})
