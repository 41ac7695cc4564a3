// Monitoring on a listener of its own: all of it there, and on the other listeners no more than a
// load balancer needs.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Registry } from 'prom-client'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { createHttpParts } from './http.ts'
import { type Listeners, startListeners } from './listeners.ts'
import { type OpsListener, startOpsListener } from './ops-listener.ts'
import { buildSite } from './site.ts'

const CONNECTIONS = 10
const PAGES = ['/readyz', '/readyz/write']

describe('with CASEWORK_OPS_PORT', () => {
  let app: TestApp
  let listeners: Listeners
  let ops: OpsListener
  before(async () => {
    app = await openTestApp({
      environment: {
        CASEWORK_PORT: '0',
        CASEWORK_INTEL_PORT: '0',
        CASEWORK_OPS_PORT: '0',
        CASEWORK_HTTP_CONNECTIONS: String(CONNECTIONS),
      },
    })
    const { services, connection } = app
    // The router of the test has registered its metrics already.
    const parts = createHttpParts({
      foundation: { ...services.foundation, metrics: new Registry() },
    })
    listeners = await startListeners({ services, site: buildSite(services), parts, connection })
    ops = await startOpsListener(services, parts)
  })
  after(async () => {
    await ops.close()
    await listeners.close()
    await app.close()
  })

  test('404 for /metrics on the main and the intel listener, in the bytes of any unknown path', async () => {
    for (const url of [listeners.url, listeners.intelUrl]) {
      for (const method of ['GET', 'POST']) {
        const [metrics, unknown] = [
          await read(`${url}/metrics`, method),
          await read(`${url}/nothing`, method),
        ]
        assert.deepEqual(metrics, unknown)
        assert.deepEqual([metrics.status, metrics.problem], [404, 'KERNEL_ROUTE_NOT_FOUND'])
      }
    }
    const { paths } = (await app.send('GET', '/openapi.json')).json()
    assert.ok('/readyz' in paths)
    assert.ok(!('/metrics' in paths))
  })

  test('/readyz and /readyz/write tell code and status on the main and the intel listener, and every check on the listener for monitoring', async (t) => {
    let state: 'ok' | 'failed' = 'ok'
    app.services.foundation.readiness.add({
      name: 'moody',
      check: async () => ({ state, detail: 'A secret of the operator.' }),
    })
    t.after(() => {
      state = 'ok'
    })
    for (const [next, status, word] of [
      ['ok', 200, /^(?:ready|degraded)$/],
      ['failed', 503, /^not_ready$/],
    ] as const) {
      state = next
      for (const page of PAGES) {
        for (const url of [listeners.url, listeners.intelUrl]) {
          const brief = await read(`${url}${page}`)
          const body = JSON.parse(brief.text)
          assert.deepEqual([brief.status, Object.keys(body)], [status, ['status']])
          assert.match(body.status, word)
          assert.equal(brief.problem, status === 503 ? 'KERNEL_NODE_NOT_READY' : null)
        }
        const full = await read(`${ops.url}${page}`)
        const body = JSON.parse(full.text)
        assert.equal(full.status, status)
        assert.match(body.status, word)
        const moody = { name: 'moody', state: next, detail: 'A secret of the operator.' }
        assert.deepEqual(body.checks.at(-1), moody)
      }
    }
  })

  test('the listener for monitoring serves metrics and health, and nothing else', async () => {
    assert.deepEqual((await read(`${ops.url}/livez`)).text, '{"status":"live"}')
    const metrics = await read(`${ops.url}/metrics`)
    assert.equal(metrics.status, 200)
    assert.match(metrics.text, /^process_resident_memory_bytes /m)
    for (const path of ['/openapi.json', '/docs', '/beta/query/192.0.2.1', '/beta/whoami', '/']) {
      const { status, problem } = await read(`${ops.url}${path}`)
      assert.deepEqual([status, problem], [404, 'KERNEL_ROUTE_NOT_FOUND'], path)
    }
    assert.equal((await read(`${ops.url}/metrics`, 'POST')).status, 405)
  })

  test('a main listener without a free connection does not keep monitoring out', async (t) => {
    const sockets: Socket[] = []
    t.after(() => {
      for (const socket of sockets) socket.destroy()
    })
    const { hostname, port } = new URL(listeners.url ?? '')
    let isFull = false
    while (!isFull) {
      const socket = connect({ host: hostname, port: Number(port) })
      sockets.push(socket)
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      // The answer keeps the connection; a refused one ends without.
      socket.write('GET /livez HTTP/1.1\r\nHost: h\r\n\r\n')
      isFull = await new Promise<boolean>((resolve) => {
        socket.once('data', () => resolve(false))
        socket.once('close', () => resolve(true))
      })
    }
    assert.ok(sockets.length <= CONNECTIONS + 1)
    assert.equal((await read(`${ops.url}/readyz`)).status, 200)
  })
})

test('without CASEWORK_OPS_PORT there is no listener for monitoring', async (t) => {
  const app = await openTestApp()
  t.after(() => app.close())
  const parts = createHttpParts({
    foundation: { ...app.services.foundation, metrics: new Registry() },
  })
  assert.equal((await startOpsListener(app.services, parts)).url, null)
  assert.equal((await app.send('GET', '/metrics')).status, 200)
})

interface Read {
  readonly status: number
  readonly problem: string | null
  readonly text: string
}

async function read(url: string, method = 'GET'): Promise<Read> {
  const answer = await fetch(url, { method, headers: { connection: 'close' } })
  const { status, headers } = answer
  return { status, problem: headers.get('casework-problem'), text: await answer.text() }
}
