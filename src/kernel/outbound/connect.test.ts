// Encrypted connections on loopback: the certificate must be good for the host of the URL, not for
// the address that is connected to.

import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer as createHttpsServer } from 'node:https'
import { createServer } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { listenUntilEnd } from '../../../test/loopback.ts'
import { recordResolve } from '../../../test/outbound-kit.ts'
import { silentLog } from '../log.ts'
import { createConnect } from './connect.ts'
import { createOutbound } from './outbound.ts'
import type { OutboundOutcome } from './outbound-outcome.ts'

interface Certified {
  readonly certificate: string
  readonly key: KeyObject
}

interface SecureServer extends Certified {
  readonly port: number
  /** The names that came as SNI, and false where none did. */
  readonly names: readonly unknown[]
  readonly paths: readonly (string | undefined)[]
}

// Good for secure.example and for 127.0.0.1.
async function startSecure(t: TestContext, days = 1): Promise<SecureServer> {
  const certified = certify('secure.example', [127, 0, 0, 1], days)
  const names: unknown[] = []
  const paths: (string | undefined)[] = []
  const server = createHttpsServer(
    { cert: certified.certificate, key: certified.key.export({ type: 'pkcs8', format: 'pem' }) },
    (request, response) => {
      paths.push(request.url)
      if (request.url === '/down') response.writeHead(302, { location: 'http://127.0.0.1:8080/' })
      response.end('secret')
    },
  )
  server.on('secureConnection', (socket) => names.push(socket.servername))
  server.on('tlsClientError', () => {})
  const port = await listenUntilEnd(t, server)
  return { ...certified, port, names, paths }
}

function ask(url: string, port: number, authorities?: string): Promise<OutboundOutcome> {
  const names = ['secure.example', 'other.example']
  const outbound = createOutbound({
    allow: [`127.0.0.1:${port}`, '127.0.0.1:8080', ...names.map((name) => `${name}:${port}`)],
    log: silentLog,
    resolve: recordResolve(Object.fromEntries(names.map((name) => [name, [['127.0.0.1']]])))
      .resolve,
    connect: createConnect(authorities === undefined ? {} : { authorities }),
  })
  return outbound.request({ method: 'GET', url, purpose: 'test', allowHttp: true })
}

describe('https', () => {
  test('answers when the certificate is good for the host of the URL, which is sent as SNI', async (t) => {
    const server = await startSecure(t)
    const outcome = await ask(
      `https://SECURE.example.:${server.port}/x`,
      server.port,
      server.certificate,
    )
    assert.equal(outcome.kind === 'answer' && outcome.body.toString('utf8'), 'secret')
    assert.deepEqual(server.names, ['secure.example'])
  })

  test('answers for an address that the certificate names, without SNI', async (t) => {
    const server = await startSecure(t)
    const outcome = await ask(`https://127.0.0.1:${server.port}/`, server.port, server.certificate)
    assert.equal(outcome.kind, 'answer')
    assert.deepEqual(server.names, [false])
  })

  test('tls: a certificate for another name, from nobody we know, or out of date; no request is sent', async (t) => {
    const server = await startSecure(t)
    const expired = await startSecure(t, -1)
    const tries: readonly (readonly [SecureServer, string, string | undefined])[] = [
      [server, 'other.example', server.certificate],
      [server, 'secure.example', undefined],
      [expired, 'secure.example', expired.certificate],
    ]
    for (const [{ port }, host, authorities] of tries) {
      const outcome = await ask(`https://${host}:${port}/`, port, authorities)
      assert.deepEqual(outcome, { kind: 'failed', reason: 'tls', isOpened: true })
    }
    assert.deepEqual([...server.paths, ...expired.paths], [])
  })

  test('tls: a certificate from nobody we know, though the environment says that all are good', async (t) => {
    const server = await startSecure(t)
    const former = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    t.after(() => {
      if (former === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = former
    })
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    // Node warns of the variable; here it is the point.
    t.mock.method(process, 'emitWarning', () => {})
    const outcome = await ask(`https://secure.example:${server.port}/`, server.port)
    assert.equal(outcome.kind === 'failed' && outcome.reason, 'tls')
  })

  test('tls: a server that speaks plain text', async (t) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end('220 mail.example ESMTP\r\n')
    })
    const port = await listenUntilEnd(t, server)
    const outcome = await ask(`https://127.0.0.1:${port}/`, port)
    assert.equal(outcome.kind === 'failed' && outcome.reason, 'tls')
  })

  test('refused, redirect: from https to http, even to an opened target', async (t) => {
    const server = await startSecure(t)
    const outcome = await ask(
      `https://secure.example:${server.port}/down`,
      server.port,
      server.certificate,
    )
    assert.deepEqual(outcome, { kind: 'refused', reason: 'redirect' })
  })
})

describe('createConnect', () => {
  test('rejects at once, and opens nothing, when it is too late already', async (t) => {
    let connections = 0
    const server = createServer(() => {
      connections += 1
    })
    const port = await listenUntilEnd(t, server)
    const peer = { address: '127.0.0.1', port, secureHost: null }
    await assert.rejects(
      createConnect()(peer, AbortSignal.abort(new Error('too late'))),
      /too late/,
    )
    assert.equal(connections, 0)
  })

  test('rejects and closes the socket when it is aborted in the middle of the handshake', async (t) => {
    const controller = new AbortController()
    const closed = Promise.withResolvers<void>()
    const server = createServer((socket) => {
      socket.on('error', () => {}).on('close', () => closed.resolve())
      socket.once('data', () => controller.abort(new Error('enough')))
    })
    const port = await listenUntilEnd(t, server)
    const peer = { address: '127.0.0.1', port, secureHost: 'secure.example' }
    await assert.rejects(createConnect()(peer, controller.signal), /enough/)
    await closed.promise
  })
})

// A self-signed certificate (RFC 5280) made on the spot, so that no key lies in the repository and
// none runs out.
function certify(name: string, address: readonly number[], days: number): Certified {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const dayMs = 86_400_000
  const [first, last] = [Date.now() - 2 * dayMs, Date.now() + days * dayMs].map((ms) =>
    der(0x17, Buffer.from(`${new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`)),
  )
  // 1.2.840.10045.4.3.2, ECDSA with SHA-256; 2.5.4.3, common name; 2.5.29.17, subject alternative
  // name.
  const algorithm = der(0x30, der(0x06, Buffer.from('2a8648ce3d040302', 'hex')))
  const subject = der(
    0x30,
    der(0x31, der(0x30, der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(name)))),
  )
  const alternatives = der(0x30, der(0x82, Buffer.from(name)), der(0x87, Buffer.from([...address])))
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    subject,
    der(0x30, first ?? Buffer.alloc(0), last ?? Buffer.alloc(0)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      der(0x30, der(0x30, der(0x06, Buffer.from('551d11', 'hex')), der(0x04, alternatives))),
    ),
  )
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)])
  const bytes = der(0x30, body, algorithm, der(0x03, signature))
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey,
  }
}

/** One value of the distinguished encoding rules (X.690): tag, length, content. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const bytes = [content.length >> 8, content.length & 0xff]
  // Shorter than 128: the length itself; else how many bytes the length has, and the length without
  // leading zeros.
  const long = bytes[0] === 0 ? [0x81, content.length] : [0x82, ...bytes]
  const head = [tag, ...(content.length < 0x80 ? [content.length] : long)]
  return Buffer.concat([Buffer.from(head), content])
}
