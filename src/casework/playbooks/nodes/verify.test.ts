// Verify: pages of a real server on loopback, ports and names through the guarded client.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { withApp } from '../../../../test/harness.ts'
import { recordResolve, startLoopback } from '../../../../test/outbound-kit.ts'
import {
  createActivePlaybook,
  createCases,
  query,
  workerDeps,
} from '../../../../test/playbook-fixtures.ts'
import { silentLog } from '../../../kernel/log.ts'
import type { Connect } from '../../../kernel/outbound/connect.ts'
import { createOutbound, type Outbound } from '../../../kernel/outbound/outbound.ts'
import { parsePlaybookGraph } from '../playbook-graph.ts'
import { moveDueTokens } from '../runs/worker.ts'

const app = withApp()

async function setVerifying(value: boolean | null): Promise<void> {
  const json = { settings: { verify_targets: value } }
  const path = '/beta/admin/tenants/default'
  const answer = await app.send('PATCH', path, { token: app.token, json })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.json().settings.verify_targets, value ?? undefined)
}

function graphOf(config: object) {
  const ends = ['clean', 'still_abusive', 'unknown']
  return [
    { id: 'begin', kind: 'start', paths: { next: 'look' } },
    {
      id: 'look',
      kind: 'verify',
      config: { ...config },
      paths: Object.fromEntries(ends.map((name) => [name, name])),
    },
    ...ends.map((id) => ({ id, kind: 'end' })),
  ]
}

async function verify(outbound: Outbound, config: object) {
  const playbook = await createActivePlaybook(app, app.token, graphOf(config))
  const [caseId = ''] = await createCases(app, 'default', playbook, 1)
  await moveDueTokens({ ...workerDeps(app), outbound, allowsPlainHttp: () => true })
  const [visit] = await query<{ path: string; output: Record<string, unknown> }>(
    app,
    `select path, output from visit where case_id = $1 and node = 'look'`,
    [caseId],
  )
  assert.ok(visit)
  return visit
}

test('verify asks nobody until the tenant has switched it on, and says so', async (t) => {
  const server = await startLoopback(t, (_, response) => response.end('here'))
  const outbound = createOutbound({ allow: [server.socket], log: silentLog })
  t.after(outbound.close)
  await setVerifying(null)
  for (const config of [
    { check: 'url', target: `${server.origin}/` },
    { check: 'tcp', target: '127.0.0.1', port: server.port },
    { check: 'dns', target: 'shop.example' },
  ]) {
    const { path, output } = await verify(outbound, config)
    assert.deepEqual([path, output['cause']], ['unknown', 'verify_targets_is_off'])
  }
  assert.equal(server.requests.length, 0)
  const listed = await verify(outbound, { check: 'blocklist', target: '192.0.2.66' })
  assert.deepEqual([listed.path, listed.output['listed']], ['clean', false])
  const wrong = await verify(outbound, { check: 'blocklist', target: { cel: "'no item'" } })
  assert.deepEqual([wrong.path, wrong.output['cause']], ['unknown', 'not_an_item'])
})

test('verify takes its path by the status and the text of a page, without following a redirect', async (t) => {
  const long = `${'x'.repeat(60_000)}Please sign in${'x'.repeat(40_000)}`
  const server = await startLoopback(t, ({ path }, response) => {
    const status = Number(path.slice(1, 4))
    if (path.endsWith('packed')) response.setHeader('content-encoding', 'gzip')
    response.writeHead(status, status === 302 ? { location: '/200' } : {})
    if (path.endsWith('packed')) response.end(gzipSync(long))
    else response.end(path.endsWith('large') ? long : 'Please sign in')
  })
  const outbound = createOutbound({ allow: [server.socket], log: silentLog })
  t.after(outbound.close)
  await setVerifying(true)
  const look = async (page: string, more: object = {}) =>
    (await verify(outbound, { check: 'url', target: server.origin + page, ...more })).path
  assert.equal(await look('/200'), 'still_abusive')
  assert.equal(await look('/200', { text: 'sign in' }), 'still_abusive')
  assert.equal(await look('/200', { text: 'password' }), 'clean')
  assert.equal(await look('/404'), 'clean')
  assert.equal(await look('/410'), 'clean')
  assert.equal(await look('/302'), 'unknown')
  assert.equal(await look('/503'), 'unknown')
  // A server that ignores Range, and one that packs unasked: the first 64 kB count.
  for (const page of ['/200large', '/200packed']) {
    assert.equal(await look(page), 'still_abusive')
    assert.equal(await look(page, { text: 'sign in' }), 'still_abusive')
    assert.equal(await look(page, { text: 'password' }), 'clean')
  }
  assert.ok(
    server.requests.every(
      ({ headers }) =>
        headers['authorization'] === undefined && headers['accept-encoding'] === 'identity',
    ),
  )
  assert.equal(server.requests.filter(({ path }) => path === '/302').length, 1)
})

test('verify tells an open port, a closed one and a name without address apart, and nothing about addresses inside', async (t) => {
  await setVerifying(true)
  const server = await startLoopback(t, (_, response) => response.end())
  const tried: string[] = []
  const refusing: Connect = async ({ address, port }) => {
    tried.push(`${address} ${port}`)
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  }
  const { resolve } = recordResolve({
    'shop.example': [['11.0.0.1']],
    'inside.example': [['10.0.0.7']],
  })
  const open = createOutbound({ allow: [server.socket], log: silentLog })
  const guarded = createOutbound({ allow: [], log: silentLog, resolve, connect: refusing })
  t.after(open.close)
  t.after(guarded.close)
  const port = await verify(open, { check: 'tcp', target: '127.0.0.1', port: server.port })
  assert.equal(port.path, 'still_abusive')
  const closed = await verify(guarded, { check: 'tcp', target: 'shop.example', port: 23 })
  assert.deepEqual([closed.path, tried], ['clean', ['11.0.0.1 23']])
  for (const target of ['inside.example', '10.0.0.7', '127.0.0.1', '169.254.169.254']) {
    const { path, output } = await verify(guarded, { check: 'tcp', target, port: 80 })
    assert.deepEqual([path, output['cause']], ['unknown', 'address'])
  }
  assert.equal((await verify(guarded, { check: 'dns', target: 'inside.example' })).path, 'unknown')
  assert.equal((await verify(guarded, { check: 'dns', target: 'gone.example' })).path, 'clean')
  const name = { check: 'dns', target: 'shop.example' }
  assert.equal((await verify(guarded, name)).path, 'still_abusive')
  const moved = await verify(guarded, { ...name, addresses: ['192.0.2.1'] })
  assert.equal(moved.path, 'clean')
  assert.equal(tried.length, 1)
})

function listProblems(config: object): string {
  const result = parsePlaybookGraph({ nodes: graphOf(config) })
  return result.kind === 'valid' ? '' : result.problems.map(({ path }) => path).join()
}

test('verify refuses members of another check, and a check of no port', () => {
  const url = { check: 'url', target: 'https://shop.example/' }
  assert.equal(listProblems(url), '')
  assert.equal(listProblems({ ...url, port: 80 }), '/nodes/1/config/port')
  assert.equal(listProblems({ ...url, addresses: ['192.0.2.1'] }), '/nodes/1/config/addresses')
  assert.equal(listProblems({ check: 'tcp', target: 'shop.example' }), '/nodes/1/config/port')
  assert.equal(listProblems({ check: 'ping', target: 'shop.example' }), '/nodes/1/config/check')
})
