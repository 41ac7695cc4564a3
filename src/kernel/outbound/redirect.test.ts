// Redirects over real connections on loopback: where they may lead, what goes along, and where they
// end.

import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import {
  type LoopbackServer,
  recordConnect,
  recordResolve,
  startLoopback,
} from '../../../test/outbound-kit.ts'
import { silentLog } from '../log.ts'
import { createOutbound, type OutboundRequest } from './outbound.ts'
import type { OutboundOutcome } from './outbound-outcome.ts'
import { followRedirect } from './redirect.ts'
import { shapeRequest } from './shape-request.ts'

// `/to?STATUS&LOCATION` redirects there, `/count/N` to the next number, everything else answers
// with its path.
function startRedirector(t: TestContext): Promise<LoopbackServer> {
  return startLoopback(t, (request, response) => {
    const [path = '', query = ''] = request.path.split('?')
    const count = /^\/count\/(\d+)$/.exec(path)
    if (path === '/to') {
      const [status = '', location = ''] = query.split('&')
      response.writeHead(Number(status), { location: decodeURIComponent(location) })
      response.end('a redirect')
    } else if (count !== null) {
      response.writeHead(302, { location: `/count/${Number(count[1]) + 1}` }).end()
    } else {
      response.end(path)
    }
  })
}

interface Sent {
  readonly outcome: OutboundOutcome
  readonly addresses: readonly string[]
}

async function send(
  allow: readonly string[],
  url: string,
  rest: Partial<OutboundRequest> = {},
): Promise<Sent> {
  const connector = recordConnect()
  const outbound = createOutbound({
    allow,
    log: silentLog,
    resolve: recordResolve({ localhost: [['127.0.0.1']], 'inner.example': [['10.0.0.1']] }).resolve,
    connect: connector.connect,
  })
  const outcome = await outbound.request({
    method: 'GET',
    url,
    purpose: 'test',
    allowHttp: true,
    ...rest,
  })
  return { outcome, addresses: connector.peers.map((peer) => peer.address) }
}

function to(server: LoopbackServer, status: number, location: string): string {
  return `${server.origin}/to?${status}&${encodeURIComponent(location)}`
}

describe('a redirect is judged like a URL of its own', () => {
  const inside: readonly (readonly [string, string])[] = [
    ['http://127.0.0.1/', 'address'],
    ['http://127.0.0.1:8080/', 'address'],
    ['http://2130706433/', 'address'],
    ['//169.254.169.254/latest/meta-data/', 'address'],
    ['\\\\169.254.169.254/', 'address'],
    ['/\\[::1]/', 'address'],
    ['http://[::ffff:7f00:1]/', 'address'],
    ['http://[64:ff9b::7f00:1]/', 'address'],
    ['https://10.0.0.1/', 'address'],
    ['https://inner.example/', 'address'],
    ['http://168.63.129.16/', 'address'],
    ['https://good.example:22/', 'port'],
    ['https://user:secret@good.example/', 'userinfo'],
    ['file:///etc/passwd', 'scheme'],
    ['gopher://127.0.0.1:6379/_INFO', 'scheme'],
    ['data:text/plain,x', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['http://[::1', 'url'],
  ]
  for (const status of [301, 302, 303, 307, 308]) {
    test(`${status} to ${inside.length} forbidden places is refused after one connection`, async (t) => {
      const server = await startRedirector(t)
      for (const [location, reason] of inside) {
        const sent = await send([server.socket], to(server, status, location))
        assert.deepEqual(sent.outcome, { kind: 'refused', reason }, location)
        assert.deepEqual(sent.addresses, ['127.0.0.1'], location)
      }
    })
  }

  test('refused from https to http, whatever the request allows', () => {
    const shaped = shapeRequest({ method: 'GET' }, 0)
    assert.ok(shaped.kind === 'fit')
    const from = new URL('https://good.example/')
    for (const location of ['http://good.example/', 'http://other.example/']) {
      assert.deepEqual(followRedirect(from, shaped, 302, location), {
        kind: 'refused',
        reason: 'redirect',
      })
    }
  })
})

describe('a redirect is followed', () => {
  test('to the answer, whose url is the last one', async (t) => {
    const server = await startRedirector(t)
    const { outcome } = await send([server.socket], to(server, 302, '/end?x=1#part'))
    assert.ok(outcome.kind === 'answer')
    assert.equal(outcome.url, `${server.origin}/end?x=1`)
    assert.equal(outcome.body.toString('utf8'), '/end')
  })

  test('five times and not six', async (t) => {
    const server = await startRedirector(t)
    const refused = await send([server.socket], `${server.origin}/count/1`)
    assert.deepEqual(refused.outcome, { kind: 'refused', reason: 'redirect' })
    assert.equal(server.requests.length, 6)
    const fewer = await send([server.socket], to(server, 302, '/to?302&%2Fend'), {
      redirectsMax: 1,
    })
    assert.deepEqual(fewer.outcome, { kind: 'refused', reason: 'redirect' })
  })

  test('not in a circle, of one or of two', async (t) => {
    const server = await startLoopback(t, (request, response) => {
      const next = { '/one': '/one#again', '/a': '/b', '/b': '/a' }[request.path] ?? '/'
      response.writeHead(302, { location: next }).end()
    })
    for (const [path, count] of [
      ['/one', 1],
      ['/a', 3],
    ] as const) {
      const { outcome } = await send([server.socket], `${server.origin}${path}`)
      assert.deepEqual(outcome, { kind: 'refused', reason: 'redirect' })
      assert.equal(server.requests.length, count)
    }
  })

  test('not at all with redirectsMax 0: the redirect itself is the answer', async (t) => {
    const server = await startRedirector(t)
    const sent = await send([server.socket], to(server, 302, 'http://127.0.0.1/'), {
      redirectsMax: 0,
    })
    assert.ok(sent.outcome.kind === 'answer')
    assert.equal(sent.outcome.status, 302)
    assert.equal(sent.outcome.headers.get('location'), 'http://127.0.0.1/')
    assert.equal(sent.outcome.body.toString('utf8'), 'a redirect')
  })

  test('not for 300, 304 and a redirect that names no place', async (t) => {
    const server = await startLoopback(t, (request, response) => {
      const status = Number(request.path.slice(1))
      response.writeHead(status, status === 302 ? {} : { location: '/x' }).end()
    })
    for (const status of [300, 302, 304]) {
      const { outcome } = await send([server.socket], `${server.origin}/${status}`)
      assert.equal(outcome.kind === 'answer' && outcome.status, status)
    }
  })
})

describe('what goes along with a redirect', () => {
  const headers = {
    Authorization: 'Bearer canary',
    Cookie: 'session=canary',
    'X-Api-Key': 'canary',
    'PRIVATE-TOKEN': 'canary',
    'Content-Type': 'application/json',
    'User-Agent': 'tester',
    Accept: 'application/json',
  }

  test('everything on the same origin', async (t) => {
    const server = await startRedirector(t)
    await send([server.socket], to(server, 307, '/end'), { method: 'POST', body: '{}', headers })
    const [, last] = server.requests
    assert.equal(last?.headers.authorization, 'Bearer canary')
    assert.equal(last?.headers['private-token'], 'canary')
    assert.equal(last?.body, '{}')
  })

  test('no credential to another host, to another port, nor back again', async (t) => {
    const first = await startRedirector(t)
    const other = await startRedirector(t)
    const allow = [first.socket, other.socket, `localhost:${first.port}`]
    const elsewhere = [`${other.origin}/end`, `http://localhost:${first.port}/end`]
    const back = to(other, 307, `${first.origin}/end`)
    for (const location of [...elsewhere, back]) {
      await send(allow, to(first, 307, location), { method: 'POST', body: '{}', headers })
      const last = [...first.requests, ...other.requests].filter(
        (request) => request.path === '/end',
      )
      for (const request of last) {
        assert.doesNotMatch(JSON.stringify(request.headers), /canary/)
        assert.equal(request.headers['user-agent'], 'tester')
        assert.equal(request.headers['content-type'], 'application/json')
        assert.equal(request.body, '{}')
        assert.equal(request.headers.referer, undefined)
      }
    }
    assert.equal([...first.requests, ...other.requests].length, 7)
  })

  const methods: readonly (readonly [string, number, string])[] = [
    ['POST', 301, 'GET'],
    ['POST', 302, 'GET'],
    ['POST', 303, 'GET'],
    ['PUT', 303, 'GET'],
    ['DELETE', 303, 'GET'],
    ['PUT', 301, 'PUT'],
    ['POST', 307, 'POST'],
    ['POST', 308, 'POST'],
    ['HEAD', 303, 'HEAD'],
    ['GET', 302, 'GET'],
  ]
  for (const [method, status, expected] of methods) {
    test(`${method} becomes ${expected} after ${status}`, async (t) => {
      const server = await startRedirector(t)
      const hasBody = method === 'POST' || method === 'PUT'
      await send([server.socket], to(server, status, '/end'), {
        method,
        ...(hasBody ? { body: '{}', headers } : {}),
      })
      const [, last] = server.requests
      assert.equal(last?.method, expected)
      const keepsBody = hasBody && expected !== 'GET'
      assert.equal(last.body, keepsBody ? '{}' : '')
      assert.equal(last.headers['content-type'], keepsBody ? 'application/json' : undefined)
    })
  }
})
