// Requests over real connections on loopback: what is sent, what is taken of the answer, where time
// and size end, and what a tenant hears.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { listenUntilEnd } from '../../../test/loopback.ts'
import { recordConnect, recordResolve, startLoopback } from '../../../test/outbound-kit.ts'
import { createLog, silentLog } from '../log.ts'
import {
  createOutbound,
  type Outbound,
  type OutboundNote,
  type OutboundOptions,
  type OutboundRequest,
} from './outbound.ts'
import { explainToTenant, type OutboundOutcome } from './outbound-outcome.ts'

function open(allow: readonly string[], rest: Partial<OutboundOptions> = {}): Outbound {
  return createOutbound({
    allow,
    log: silentLog,
    resolve: recordResolve({}).resolve,
    connect: recordConnect().connect,
    ...rest,
  })
}

function ask(
  outbound: Outbound,
  url: string,
  rest: Partial<OutboundRequest> = {},
): Promise<OutboundOutcome> {
  return outbound.request({ method: 'GET', url, purpose: 'test', allowHttp: true, ...rest })
}

function reasonOf(outcome: OutboundOutcome): string {
  return outcome.kind === 'answer' ? String(outcome.status) : outcome.reason
}

/** A server that speaks for itself, byte by byte. */
async function startRaw(t: TestContext, speak: (socket: Socket) => void): Promise<string> {
  const port = await listenUntilEnd(
    t,
    createServer((socket) => {
      socket.once('data', () => speak(socket))
    }),
  )
  return `127.0.0.1:${port}`
}

describe('what is sent', () => {
  test('the request as given, with our own headers for the message', async (t) => {
    const server = await startLoopback(t, (_, response) => {
      response.writeHead(201, { 'x-answer': 'yes', 'set-cookie': ['a=1', 'b=2'] }).end('done')
    })
    const outcome = await ask(open([server.socket]), `${server.origin}/päth?q=%20#part`, {
      method: 'POST',
      body: 'größer',
      headers: { 'X-Custom': 'a value', Accept: 'text/plain' },
    })
    assert.ok(outcome.kind === 'answer')
    assert.equal(outcome.status, 201)
    assert.equal(outcome.body.toString('utf8'), 'done')
    assert.equal(outcome.headers.get('x-answer'), 'yes')
    assert.equal(outcome.headers.has('set-cookie'), false)
    assert.equal(outcome.url, `${server.origin}/p%C3%A4th?q=%20`)
    const [seen] = server.requests
    assert.deepEqual(seen, {
      method: 'POST',
      path: '/p%C3%A4th?q=%20',
      body: 'größer',
      headers: {
        host: server.socket,
        'user-agent': 'casework',
        accept: 'text/plain',
        'x-custom': 'a value',
        'accept-encoding': 'gzip, deflate, br',
        'content-length': '8',
        connection: 'close',
      },
    })
  })

  test('the host of the URL as Host, whatever address it has', async (t) => {
    const server = await startLoopback(t, (_, response) => response.end())
    const outbound = open([`inner.example:${server.port}`], {
      resolve: recordResolve({ 'inner.example': [['127.0.0.1']] }).resolve,
    })
    const outcome = await ask(outbound, `http://INNER.example:${server.port}/`)
    assert.equal(reasonOf(outcome), '200')
    assert.equal(server.requests[0]?.headers.host, `inner.example:${server.port}`)
  })

  test('a length of 0 with POST without body, none with GET', async (t) => {
    const server = await startLoopback(t, (_, response) => response.end())
    for (const method of ['POST', 'PUT', 'PATCH', 'GET', 'HEAD', 'DELETE']) {
      assert.equal(reasonOf(await ask(open([server.socket]), server.origin, { method })), '200')
    }
    assert.deepEqual(
      server.requests.map((request) => request.headers['content-length']),
      ['0', '0', '0', undefined, undefined, undefined],
    )
  })

  const badHeaders: readonly Readonly<Record<string, string>>[] = [
    { Host: 'inner.example' },
    { HOST: 'inner.example' },
    { 'Content-Length': '0' },
    { 'transfer-encoding': 'chunked' },
    { Connection: 'keep-alive' },
    { 'Keep-Alive': '1' },
    { Upgrade: 'h2c' },
    { TE: 'trailers' },
    { Trailer: 'x' },
    { Expect: '100-continue' },
    { 'Proxy-Authorization': 'Basic x' },
    { 'Proxy-Connection': 'close' },
    { 'Accept-Encoding': 'zstd' },
    { 'X-A': 'b\r\nHost: inner.example' },
    { 'X-A': 'b\nc' },
    { 'X-A': 'b\rc' },
    { 'X-A': 'b\0c' },
    { 'X-A': 'b\u007fc' },
    { 'X-A': 'b\u0100c' },
    { 'X-A\r\nHost': 'b' },
    { 'X A': 'b' },
    { 'X-A:': 'b' },
    { '': 'b' },
    { 'Host ': 'b' },
    { 'X-A': 'b', 'x-a': 'c' },
    { 'X-A': 'b'.repeat(17_000) },
    Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`x-${at}`, ''])),
  ]
  for (const headers of badHeaders) {
    test(`refused, header: ${JSON.stringify(headers).slice(0, 50)}`, async () => {
      const outcome = await ask(open([]), 'https://11.0.0.1/', { headers })
      assert.deepEqual(outcome, { kind: 'refused', reason: 'header' })
    })
  }

  for (const method of [
    'CONNECT',
    'TRACE',
    'OPTIONS',
    'get',
    '',
    'GET / HTTP/1.1\r\nX: ',
    'G\0T',
  ]) {
    test(`refused, method: ${JSON.stringify(method)}`, async () => {
      const outcome = await ask(open([]), 'https://11.0.0.1/', { method })
      assert.deepEqual(outcome, { kind: 'refused', reason: 'method' })
    })
  }

  test('refused, body: more than the limit', async () => {
    const outbound = open([], { limits: { bodyBytesMax: 3 } })
    const outcome = await ask(outbound, 'https://11.0.0.1/', { method: 'POST', body: 'äää' })
    assert.deepEqual(outcome, { kind: 'refused', reason: 'body' })
  })

  test('nothing through the proxies of the environment, even when Node is told to use them', async (t) => {
    const target = await startLoopback(t, (_, response) => response.end('direct'))
    const proxy = await startLoopback(t, (_, response) => response.end('proxied'))
    const program = `
      const { createOutbound } = await import(${JSON.stringify(new URL('outbound.ts', import.meta.url).href)})
      const { silentLog } = await import(${JSON.stringify(new URL('../log.ts', import.meta.url).href)})
      const outbound = createOutbound({ allow: ['${target.socket}'], log: silentLog })
      const outcome = await outbound.request({ method: 'GET', url: '${target.origin}/', purpose: 'test', allowHttp: true })
      process.stdout.write(String(outcome.body))`
    const variables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'all_proxy']
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      {
        env: {
          ...Object.fromEntries(variables.map((name) => [name, proxy.origin])),
          NO_PROXY: '',
          NODE_USE_ENV_PROXY: '1',
        },
      },
    )
    assert.equal(stdout, 'direct')
    assert.equal(proxy.requests.length, 0)
  })
})

describe('the body of an answer', () => {
  const text = 'an answer, '.repeat(50)
  const packed: readonly (readonly [string, Buffer])[] = [
    ['gzip', gzipSync(text)],
    ['X-GZIP', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['identity', Buffer.from(text)],
  ]
  for (const [encoding, bytes] of packed) {
    test(`is unpacked from ${encoding} (${bytes.length} bytes)`, async (t) => {
      const server = await startLoopback(t, (_, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(bytes)
      })
      const outcome = await ask(open([server.socket]), server.origin)
      assert.equal(outcome.kind === 'answer' && outcome.body.toString('utf8'), text)
    })
  }

  const zeros = Buffer.alloc(8_000_000)
  const bombs: readonly (readonly [string, Buffer])[] = [
    ['gzip', gzipSync(zeros)],
    ['br', brotliCompressSync(zeros)],
    ['deflate', deflateSync(zeros)],
    ['gzip', Buffer.concat(Array.from({ length: 300 }, () => gzipSync(Buffer.alloc(10_000))))],
  ]
  for (const [encoding, bytes] of bombs) {
    test(`too_large for ${bytes.length} bytes of ${encoding} that unpack to more`, async (t) => {
      const server = await startLoopback(t, (_, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(bytes)
      })
      const outcome = await ask(open([server.socket]), server.origin)
      assert.equal(reasonOf(outcome), 'too_large')
    })
  }

  test('is exactly as long as allowed, and too_large with one byte more', async (t) => {
    const server = await startLoopback(t, (_, response) => response.end('12345'))
    const outbound = open([server.socket])
    assert.equal(reasonOf(await ask(outbound, server.origin, { maxBytes: 5 })), '200')
    assert.equal(reasonOf(await ask(outbound, server.origin, { maxBytes: 4 })), 'too_large')
  })

  test('is cut at the limit where the request says so, packed or not, also when it never ends', async (t) => {
    const long = 'ab'.repeat(5_000)
    const packers = { gzip: gzipSync, deflate: deflateRawSync, br: brotliCompressSync }
    const server = await startLoopback(t, ({ path }, response) => {
      const encoding = path.slice(1)
      if (encoding === 'endless') {
        response.write(long)
        return
      }
      if (encoding === 'broken') response.setHeader('content-encoding', 'gzip').end(long)
      else if (encoding === 'plain') response.end(long)
      else {
        const pack = packers[encoding as keyof typeof packers]
        response.setHeader('content-encoding', encoding).end(pack(long))
      }
    })
    const outbound = open([server.socket], { connect: recordConnect().connect })
    const cut = { longBody: 'cut', maxBytes: 1_001 } as const
    for (const page of ['plain', 'endless', 'gzip', 'deflate', 'br']) {
      const outcome = await ask(outbound, `${server.origin}/${page}`, cut)
      assert.ok(outcome.kind === 'answer', page)
      assert.equal(outcome.body.toString(), long.slice(0, 1_001))
    }
    const short = await ask(outbound, `${server.origin}/plain`, { ...cut, maxBytes: 20_000 })
    assert.ok(short.kind === 'answer')
    assert.equal(short.body.toString(), long)
    assert.equal(reasonOf(await ask(outbound, `${server.origin}/broken`, cut)), 'malformed')
    assert.ok(server.requests.every(({ headers }) => headers['accept-encoding'] === 'identity'))
  })

  test('too_large when it never ends, and when it says 10 GB', async (t) => {
    const endless = await startLoopback(t, (_, response) => {
      const pour = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) {
          // Until the buffers of the connection are full.
        }
      }
      response.on('drain', pour)
      pour()
    })
    assert.equal(reasonOf(await ask(open([endless.socket]), endless.origin)), 'too_large')
    const huge = await startLoopback(t, (_, response) => {
      response.writeHead(200, { 'content-length': '10000000000' }).write(Buffer.alloc(2_000_000))
    })
    assert.equal(reasonOf(await ask(open([huge.socket]), huge.origin)), 'too_large')
  })

  test('malformed for bytes that are not what the encoding says, or an encoding we do not know', async (t) => {
    const server = await startLoopback(t, (request, response) => {
      const encoding = decodeURIComponent(request.path.slice(1))
      response.writeHead(200, { 'content-encoding': encoding }).end('plain text')
    })
    const encodings = ['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip', 'constructor', '__proto__']
    for (const encoding of encodings) {
      const url = `${server.origin}/${encodeURIComponent(encoding)}`
      assert.equal(reasonOf(await ask(open([server.socket]), url)), 'malformed', encoding)
    }
  })

  test('is empty for HEAD, 204 and 304, though they name an encoding and a length', async (t) => {
    const server = await startLoopback(t, (request, response) => {
      const status = Number(request.path.slice(1))
      response.writeHead(status, { 'content-encoding': 'gzip', etag: '"1"' }).end()
    })
    const rows: readonly (readonly [string, number])[] = [
      ['HEAD', 200],
      ['GET', 204],
      ['GET', 304],
    ]
    for (const [method, status] of rows) {
      const url = `${server.origin}/${status}`
      const outcome = await ask(open([server.socket]), url, { method })
      assert.ok(outcome.kind === 'answer')
      assert.equal(outcome.status, status)
      assert.equal(outcome.body.length, 0)
    }
  })
})

describe('an answer that is none', () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['malformed', 'another protocol', '220 mail.example ESMTP\r\n'],
    [
      'malformed',
      'a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'malformed',
      'two lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    ],
    ['malformed', 'a header with a NUL', 'HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n'],
    [
      'malformed',
      'a change of protocol',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    ],
    ['too_large', 'headers without end', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
  ]
  for (const [reason, what, bytes] of rows) {
    test(`${reason}: ${what}`, async (t) => {
      const socket = await startRaw(t, (connection) => connection.end(bytes))
      assert.equal(reasonOf(await ask(open([socket]), `http://${socket}/`)), reason)
    })
  }

  test('unreachable when nobody listens or the connection closes at once, broken_off in the middle of the body', async (t) => {
    // Port 1 of loopback is nobody's.
    assert.equal(reasonOf(await ask(open(['127.0.0.1:1']), 'http://127.0.0.1:1/')), 'unreachable')
    const silent = await startRaw(t, (connection) => connection.end())
    assert.equal(reasonOf(await ask(open([silent]), `http://${silent}/`)), 'unreachable')
    const broken = await startRaw(t, (connection) =>
      connection.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345'),
    )
    assert.equal(reasonOf(await ask(open([broken]), `http://${broken}/`)), 'broken_off')
  })
})

describe('the deadline of a request', () => {
  const speakers: readonly (readonly [string, (socket: Socket) => void])[] = [
    ['an answer that never begins', () => {}],
    ['headers that never end', (socket) => socket.write('HTTP/1.1 200 OK\r\nX: y\r\n')],
    [
      'a body that never ends',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345'),
    ],
    [
      'a byte now and then',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n')
        const timer = setInterval(() => socket.write('.'), 5)
        socket.once('close', () => clearInterval(timer))
      },
    ],
    [
      'provisional answers without end',
      (socket) => {
        const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 5)
        socket.once('close', () => clearInterval(timer))
      },
    ],
  ]
  for (const [what, speak] of speakers) {
    test(`timeout: ${what}`, async (t) => {
      const socket = await startRaw(t, speak)
      const outcome = await ask(open([socket]), `http://${socket}/`, { timeoutMs: 100 })
      assert.deepEqual(outcome, { kind: 'failed', reason: 'timeout', isOpened: true })
    })
  }

  test('timeout: a connection that is never made, by the shorter deadline of its own', async () => {
    const outbound = open([], {
      connect: () => new Promise(() => {}),
      limits: { connectTimeoutMs: 20, timeoutMs: 300_000 },
    })
    assert.equal(reasonOf(await ask(outbound, 'https://11.0.0.1/')), 'timeout')
  })

  test('the second address of a name gets its turn when the first is silent or refuses', async (t) => {
    const server = await startLoopback(t, (_, response) => response.end('second'))
    const { connect } = recordConnect()
    const firsts = [
      () => new Promise<never>(() => {}),
      () => Promise.reject(new Error('connect EHOSTUNREACH')),
    ]
    for (const first of firsts) {
      const outbound = open([`two.example:${server.port}`], {
        resolve: recordResolve({ 'two.example': [['10.0.0.1', '::1']] }).resolve,
        connect: (peer, signal) =>
          peer.address === '10.0.0.1'
            ? first()
            : connect({ ...peer, address: '127.0.0.1' }, signal),
        limits: { connectTimeoutMs: 100 },
      })
      const outcome = await ask(outbound, `http://two.example:${server.port}/`)
      assert.equal(outcome.kind === 'answer' && outcome.body.toString('utf8'), 'second')
    }
  })
})

describe('ends and bounds', () => {
  test('cancelled: by the caller and by close, under way and afterwards', async (t) => {
    const socket = await startRaw(t, () => {})
    const outbound = open([socket])
    const controller = new AbortController()
    const byCaller = ask(outbound, `http://${socket}/`, { signal: controller.signal })
    const byClose = ask(outbound, `http://${socket}/`)
    controller.abort()
    assert.equal(reasonOf(await byCaller), 'cancelled')
    outbound.close()
    assert.equal(reasonOf(await byClose), 'cancelled')
    assert.equal(reasonOf(await ask(outbound, `http://${socket}/`)), 'cancelled')
  })

  test('busy: one more than may be under way, and fine again afterwards', async (t) => {
    const server = await startLoopback(t, (_, response) => response.end())
    const outbound = open([server.socket], { limits: { runningMax: 1 } })
    const first = ask(outbound, server.origin)
    assert.equal(reasonOf(await ask(outbound, server.origin)), 'busy')
    assert.equal(reasonOf(await first), '200')
    assert.equal(reasonOf(await ask(outbound, server.origin)), '200')
  })

  test('limits that make no sense are our own mistake, and thrown', async () => {
    const wrong: readonly Partial<OutboundRequest>[] = [
      { timeoutMs: 0 },
      { timeoutMs: 300_001 },
      { maxBytes: 0 },
      { maxBytes: 67_108_865 },
      { redirectsMax: 6 },
      { redirectsMax: -1 },
      { redirectsMax: 1.5 },
    ]
    for (const rest of wrong) {
      await assert.rejects(ask(open([]), 'https://11.0.0.1/', rest), { name: 'AssertionError' })
    }
  })
})

describe('what is told', () => {
  test('metrics hear of every outcome with purpose and reason', async (t) => {
    const notes: OutboundNote[] = []
    const server = await startLoopback(t, (_, response) => response.writeHead(404).end())
    let nowMs = 1_000
    const outbound = open([server.socket, '127.0.0.1:1'], {
      onOutcome: (note) => notes.push(note),
      clock: {
        nowMs: () => {
          nowMs += 7
          return nowMs
        },
      },
    })
    await ask(outbound, server.origin)
    await ask(outbound, 'http://10.0.0.1/')
    await ask(outbound, 'http://127.0.0.1:1/')
    const shared = { purpose: 'test', durationMs: 7 }
    assert.deepEqual(notes, [
      { ...shared, kind: 'answer', reason: null, status: 404 },
      { ...shared, kind: 'refused', reason: 'address', status: null },
      { ...shared, kind: 'failed', reason: 'unreachable', status: null },
    ])
  })

  test('a tenant cannot tell internal names, open, closed and silent ports apart', async (t) => {
    const mail = await startRaw(t, (socket) => socket.end('220 mail.example ESMTP\r\n'))
    const silent = await startRaw(t, () => {})
    const connector = recordConnect()
    const outbound = open([mail, silent, '127.0.0.1:1'], {
      connect: connector.connect,
      resolve: recordResolve({ 'inner.example': [['127.0.0.1']], 'wide.example': [['11.0.0.1']] })
        .resolve,
      limits: { timeoutMs: 100 },
    })
    // Without an entry nothing is connected at all, so open and closed take the same time too.
    const guarded = ['http://127.0.0.1/', 'http://10.0.0.1:8080/', 'https://inner.example/']
    const told = new Set<string>()
    const tell = async (url: string): Promise<void> => {
      const outcome = await ask(outbound, url)
      assert.ok(outcome.kind !== 'answer', url)
      told.add(explainToTenant(outcome))
    }
    for (const url of guarded) await tell(url)
    assert.equal(connector.peers.length, 0)
    const others = [`http://${mail}/`, `https://${mail}/`, `http://${silent}/`]
    others.push('http://127.0.0.1:1/', 'https://unknown.example/', 'https://wide.example/')
    for (const url of others) await tell(url)
    assert.deepEqual([...told], ['The target could not be reached.'])
  })

  test('a tenant hears of faults that can be mended', () => {
    assert.match(explainToTenant({ kind: 'refused', reason: 'userinfo' }), /user name/)
    assert.match(explainToTenant({ kind: 'failed', reason: 'tls', isOpened: false }), /certificate/)
    assert.match(explainToTenant({ kind: 'failed', reason: 'too_large', isOpened: true }), /larger/)
  })

  test('the log has origin and reason, never path, query, user or header', async () => {
    const lines: string[] = []
    const log = createLog({
      level: 'debug',
      isForPeople: false,
      destination: { write: (line) => lines.push(line) },
    })
    const outbound = open([], { log })
    const headers = { authorization: 'canary' }
    await ask(outbound, 'https://canary:canary@11.0.0.1/canary?canary#canary', { headers })
    await ask(outbound, 'https://11.0.0.1/canary?canary#canary', { headers })
    const text = lines.join('')
    assert.match(text, /"origin":"https:\/\/11\.0\.0\.1"/)
    assert.match(text, /"reason":"userinfo"/)
    assert.match(text, /ENETUNREACH/)
    assert.doesNotMatch(text, /canary/)
  })
})
