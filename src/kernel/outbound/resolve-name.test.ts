// Names over real DNS packets on loopback, and the few that the system resolves itself.

import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import {
  type DnsAnswerer,
  type DnsServer,
  openDnsServer,
} from '../../../test/fixtures/dns-server.ts'
import { recordConnect } from '../../../test/outbound-kit.ts'
import { silentLog } from '../log.ts'
import { createOutbound } from './outbound.ts'
import { createDnsResolver, resolveBySystem } from './resolve-name.ts'

const NEVER = new AbortController().signal
const SIX = '2600:0:0:0:0:0:0:1'

async function start(t: TestContext, answerer: DnsAnswerer): Promise<DnsServer> {
  const server = await openDnsServer(answerer)
  t.after(server.close)
  return server
}

describe('createDnsResolver', () => {
  test('all addresses of both versions, IPv4 first, each version asked once', async (t) => {
    const server = await start(t, ({ type }) => ({
      kind: 'records',
      records:
        type === 'A'
          ? ['11.0.0.1', '11.0.0.2'].map((value) => ({ type: 'A' as const, value }))
          : [{ type: 'AAAA', value: SIX }],
    }))
    const resolve = createDnsResolver([server.address])
    const addresses = await resolve('name.example', NEVER)
    assert.deepEqual(addresses.toSorted(), ['11.0.0.1', '11.0.0.2', '2600::1'])
    assert.equal(addresses.at(-1), '2600::1')
    assert.deepEqual(server.questions.map((question) => question.type).toSorted(), ['A', 'AAAA'])
  })

  test('those of one version when the other has none or fails', async (t) => {
    for (const code of ['noerror', 'servfail', 'nxdomain'] as const) {
      const server = await start(t, ({ type }) =>
        type === 'A'
          ? { kind: 'code', code }
          : { kind: 'records', records: [{ type: 'AAAA', value: SIX }] },
      )
      const resolve = createDnsResolver([server.address])
      assert.deepEqual(await resolve('name.example', NEVER), ['2600::1'], code)
    }
  })

  test('rejects when there is none, nobody says, or the answer cannot be read', async (t) => {
    const server = await start(t, () => ({ kind: 'code', code: 'nxdomain' }))
    const resolve = createDnsResolver([server.address])
    for (const code of ['nxdomain', 'servfail', 'refused', 'noerror'] as const) {
      server.answerWith(() => ({ kind: 'code', code }))
      await assert.rejects(resolve('name.example', NEVER), /No address/, code)
    }
    server.answerWith(() => ({ kind: 'garbage' }))
    await assert.rejects(resolve('name.example', NEVER), /No address/)
    await assert.rejects(resolve('a..example', NEVER), /No address/)
  })

  test('rejects as soon as it is aborted, though nobody answers', async (t) => {
    const asked = Promise.withResolvers<void>()
    const server = await start(t, () => {
      asked.resolve()
      return { kind: 'silent' }
    })
    const controller = new AbortController()
    const answer = createDnsResolver([server.address])('name.example', controller.signal)
    await asked.promise
    controller.abort()
    await assert.rejects(answer, /No address/)
  })

  test('a server that is no address stops the start', () => {
    assert.throws(() => createDnsResolver(['resolver.example']), {
      code: 'KERNEL_SETTINGS_NOT_USABLE',
    })
  })
})

test('the client asks these servers, and refuses a name that leads inside through another name', async (t) => {
  const server = await start(t, ({ type }) => ({
    kind: 'records',
    records: [
      { type: 'CNAME', value: 'metadata.internal' },
      ...(type === 'A'
        ? [{ name: 'metadata.internal', type: 'A' as const, value: '169.254.169.254' }]
        : []),
    ],
  }))
  const connector = recordConnect()
  const outbound = createOutbound({
    allow: [],
    log: silentLog,
    dnsServers: [server.address],
    connect: connector.connect,
  })
  const outcome = await outbound.request({
    method: 'GET',
    url: 'https://alias.example/',
    purpose: 'test',
  })
  assert.deepEqual(outcome, { kind: 'refused', reason: 'address' })
  assert.deepEqual(connector.peers, [])
  assert.ok(server.questions.every((question) => question.name === 'alias.example'))
})

test('the system resolves localhost to loopback, whichever version it has', async () => {
  const addresses = await resolveBySystem('localhost', NEVER)
  assert.ok(addresses.length > 0)
  assert.ok(addresses.every((address) => address === '127.0.0.1' || address === '::1'))
})
