// The addresses asked about are public ones, since special ones are never asked about; every
// request goes to a server on loopback.

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { Registry } from 'prom-client'
import {
  type LoopbackServer,
  type SeenRequest,
  startLoopback,
} from '../../../../test/outbound-kit.ts'
import { silentLog } from '../../../kernel/log.ts'
import { createOutbound } from '../../../kernel/outbound/outbound.ts'
import type { AddressItem } from '../../../values/address.ts'
import { parseItem } from '../../../values/item.ts'
import { createEnrichmentMetrics } from '../enrichment-metrics.ts'
import { parseBootstrapFile, type RdapBootstrap } from './rdap-bootstrap.ts'
import { createRdapContacts, type RdapContacts } from './rdap-contacts.ts'

const MINUTE_MS = 60_000
const FOUND = { kind: 'found', value: 'abuse@example.com' }
const ABSENT = { kind: 'absent' }

function address(text: string): AddressItem {
  const item = parseItem(text)
  if (item === null || item.kind === 'domain') throw new Error(`${text} is no address`)
  return item
}

function failed(reason: string): object {
  return { kind: 'failed', reason }
}

function entity(
  roles: readonly string[],
  email: string | null,
  entities: readonly object[] = [],
): object {
  const properties = [
    ['version', {}, 'text', '4.0'],
    ...(email === null ? [] : [['email', {}, 'text', email]]),
  ]
  return { objectClassName: 'entity', roles, vcardArray: ['vcard', properties], entities }
}

const ABUSE = entity(['technical', 'abuse'], 'abuse@example.com')

function network(first: string, last: string, entities: readonly object[] = [ABUSE]): object {
  return { objectClassName: 'ip network', startAddress: first, endAddress: last, entities }
}

function sendJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/rdap+json' }).end(JSON.stringify(body))
}

interface Opened {
  readonly rdap: RdapContacts
  readonly server: LoopbackServer
  readonly registry: Registry
  readonly passMs: (ms: number) => void
}

async function open(
  t: TestContext,
  handle: (request: SeenRequest, response: ServerResponse) => void,
  base = '/registry/',
): Promise<Opened> {
  const server = await startLoopback(t, handle)
  let nowMs = 1_700_000_000_000
  const clock = { nowMs: () => nowMs }
  const registry = new Registry()
  const { services } = parseBootstrapFile(
    JSON.stringify({
      services: [[['8.0.0.0/7', '2600::/12', '0.0.0.0/4'], [`${server.origin}${base}`]]],
    }),
  )
  const bootstrap: RdapBootstrap = {
    publication: '2025-01-01',
    findServer: (item) => (item.text.startsWith('9.9.') ? null : (services[0]?.url ?? null)),
  }
  const rdap = createRdapContacts({
    bootstrap,
    outbound: createOutbound({ allow: [server.socket], log: silentLog }),
    clock,
    metrics: createEnrichmentMetrics(registry),
    waitMaxMs: 1_500,
  })
  t.after(() => rdap.close())
  return { rdap, server, registry, passMs: (ms) => (nowMs += ms) }
}

describe('abuse contacts by RDAP', () => {
  it('finds the contact in the role abuse, by the path and type of RFC 7480 and 9082', async (t) => {
    const { rdap, server } = await open(t, (_, response) =>
      sendJson(response, network('8.8.8.0', '8.8.8.255')),
    )
    assert.equal(rdap.find(address('8.8.8.8')), null)
    assert.deepEqual(await rdap.ask(address('8.8.8.8')), FOUND)
    assert.equal(server.requests[0]?.path, '/registry/ip/8.8.8.8')
    assert.match(server.requests[0]?.headers.accept ?? '', /application\/rdap\+json/)
  })

  it('finds a nested contact, the nearest first, and looks past one without an address', async (t) => {
    const deep = entity(['registrant'], 'holder@example.com', [
      entity(['technical'], 'noc@example.com'),
      entity(['abuse'], 'abuse@example.com', [entity(['abuse'], 'deeper@example.com')]),
    ])
    const { rdap } = await open(t, (_, response) =>
      sendJson(response, network('8.8.8.0', '8.8.8.255', [entity(['abuse'], 'no address'), deep])),
    )
    assert.deepEqual(await rdap.ask(address('8.8.8.8')), FOUND)
  })

  it('absent when the registry names nobody for abuse, and when it knows no network', async (t) => {
    const { rdap, server } = await open(t, ({ path }, response) => {
      const nobody = network('8.8.8.0', '8.8.8.255', [entity(['technical'], 'noc@example.com')])
      if (path.endsWith('8.8.4.4')) sendJson(response, { errorCode: 404 }, 404)
      else sendJson(response, nobody)
    })
    assert.deepEqual(await rdap.ask(address('8.8.8.8')), ABSENT)
    assert.deepEqual(await rdap.ask(address('8.8.4.4')), ABSENT)
    assert.deepEqual(rdap.find(address('8.8.4.5')), ABSENT)
    assert.equal(server.requests.length, 2)
  })

  it('asks once for all addresses of the network that came back, and again a day later', async (t) => {
    const { rdap, server, passMs } = await open(t, ({ path }, response) => {
      const last = '2600:1:ffff:ffff:ffff:ffff:ffff:ffff'
      if (path.includes(':')) sendJson(response, network('2600:1::', last))
      else sendJson(response, network('8.8.0.0', '8.8.15.255'))
    })
    assert.deepEqual(await rdap.ask(address('8.8.8.8')), FOUND)
    assert.deepEqual(rdap.find(address('8.8.0.0')), FOUND)
    assert.deepEqual(rdap.find(address('8.8.15.255')), FOUND)
    assert.equal(rdap.find(address('8.8.16.0')), null)
    assert.deepEqual(await rdap.ask(address('2600:1::1')), FOUND)
    assert.deepEqual(rdap.find(address('2600:1:ffff::2')), FOUND)
    assert.equal(rdap.find(address('2600:2::')), null)
    assert.equal(server.requests.length, 2)
    passMs(24 * 60 * MINUTE_MS)
    assert.equal(rdap.find(address('8.8.0.0')), null)
  })

  it('keeps the answer of a very large network, or one that is no block, for what surely lies in it', async (t) => {
    const { rdap } = await open(t, ({ path }, response) => {
      if (path.endsWith('8.8.8.8')) sendJson(response, network('8.0.0.0', '8.255.255.255'))
      else sendJson(response, network('9.0.0.3', '9.0.0.12'))
    })
    await rdap.ask(address('8.8.8.8'))
    assert.deepEqual(rdap.find(address('8.8.255.255')), FOUND)
    assert.equal(rdap.find(address('8.9.0.0')), null)
    await rdap.ask(address('9.0.0.5'))
    assert.deepEqual(rdap.find(address('9.0.0.7')), FOUND)
    assert.equal(rdap.find(address('9.0.0.8')), null)
    assert.equal(rdap.find(address('9.0.0.2')), null)
  })

  it('asks once however many addresses of one network are looked up at the same time', async (t) => {
    const { rdap, server, registry } = await open(t, (_, response) =>
      sendJson(response, network('8.8.8.0', '8.8.8.255')),
    )
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => rdap.ask(address(`8.8.8.${at}`))),
    )
    assert.equal(
      answers.every((answer) => answer.kind === 'found'),
      true,
    )
    assert.equal(server.requests.length, 1)
    assert.match(await registry.metrics(), /queries_total\{enricher="rdap",outcome="found"\} 1\n/)
  })

  it('has four requests under way at once and no more', async (t) => {
    let running = 0
    let most = 0
    const { promise: full, resolve: noteFull } = Promise.withResolvers<void>()
    const held: (() => void)[] = []
    const { rdap } = await open(t, ({ path }, response) => {
      running += 1
      most = Math.max(most, running)
      held.push(() => {
        running -= 1
        const asked = path.slice(path.lastIndexOf('/') + 1)
        sendJson(response, network(asked, asked))
      })
      if (held.length === 4) noteFull()
      if (held.length > 4) held.at(-1)?.()
    })
    const asking = Array.from({ length: 12 }, (_, at) => rdap.ask(address(`8.8.${at}.1`)))
    await full
    for (const release of held.slice(0, 4)) release()
    assert.equal((await Promise.all(asking)).filter((answer) => answer.kind === 'found').length, 12)
    assert.equal(most, 4)
  })

  it('asks about no special address, and about none that no registry has', async (t) => {
    const { rdap, server } = await open(t, (_, response) => sendJson(response, {}))
    for (const text of [
      '10.0.0.1',
      '127.0.0.1',
      '192.168.1.1',
      '192.0.2.1',
      'fd00::1',
      '9.9.9.9',
    ]) {
      assert.deepEqual(await rdap.ask(address(text)), ABSENT, text)
    }
    assert.equal(server.requests.length, 0)
  })

  it('leaves a server alone that says 429, for as long as it says', async (t) => {
    const { rdap, server, passMs } = await open(t, ({ path }, response) => {
      if (path.endsWith('8.8.8.8')) response.writeHead(429, { 'retry-after': '120' }).end()
      else sendJson(response, network('8.8.4.0', '8.8.4.255'))
    })
    assert.deepEqual(await rdap.ask(address('8.8.8.8')), failed('refused'))
    passMs(120_000 - 1)
    assert.deepEqual(await rdap.ask(address('8.8.4.4')), failed('refused'))
    assert.equal(server.requests.length, 1)
    passMs(1)
    assert.deepEqual(await rdap.ask(address('8.8.4.4')), FOUND)
  })

  it('understands Retry-After as a date, and waits a minute without one', async (t) => {
    let header: Record<string, string> = {}
    const { rdap, passMs } = await open(t, (_, response) => response.writeHead(429, header).end())
    const start = 1_700_000_000_000
    header = { 'retry-after': new Date(start + 10 * MINUTE_MS).toUTCString() }
    await rdap.ask(address('8.8.8.8'))
    passMs(10 * MINUTE_MS - 1)
    assert.deepEqual(rdap.find(address('8.8.4.4')), failed('refused'))
    passMs(1)
    assert.equal(rdap.find(address('8.8.4.4')), null)
    header = {}
    await rdap.ask(address('8.8.4.4'))
    passMs(MINUTE_MS - 1)
    assert.deepEqual(rdap.find(address('8.9.0.1')), failed('refused'))
    passMs(1)
    assert.equal(rdap.find(address('8.9.0.1')), null)
  })

  it('failed for 500, kept for a minute, and asked again after it', async (t) => {
    let status = 500
    const { rdap, server, passMs } = await open(t, (_, response) =>
      sendJson(response, network('8.8.8.0', '8.8.8.255'), status),
    )
    assert.deepEqual(await rdap.ask(address('8.8.8.8')), failed('refused'))
    status = 200
    assert.deepEqual(await rdap.ask(address('8.8.8.9')), failed('refused'))
    assert.equal(server.requests.length, 1)
    passMs(MINUTE_MS)
    assert.deepEqual(await rdap.ask(address('8.8.8.9')), FOUND)
  })

  it('failed for what is no network around the address, and for more than 512 KiB', async (t) => {
    const bodies: Readonly<Record<string, string>> = {
      '/registry/ip/8.1.0.1': '<html>no</html>',
      '/registry/ip/8.2.0.1': '[1, 2]',
      '/registry/ip/8.3.0.1': '{}',
      '/registry/ip/8.4.0.1': JSON.stringify(network('8.8.8.0', '8.8.8.255')),
      '/registry/ip/8.5.0.1': JSON.stringify(network('2600::', '2600::ffff')),
      '/registry/ip/8.6.0.1': JSON.stringify(network('8.6.0.9', '8.6.0.0')),
      '/registry/ip/8.7.0.1': JSON.stringify({
        ...network('8.7.0.0', '8.7.0.255'),
        remarks: 'x'.repeat(600_000),
      }),
    }
    const { rdap } = await open(t, ({ path }, response) => response.end(bodies[path]))
    for (const path of Object.keys(bodies)) {
      const text = path.slice(path.lastIndexOf('/') + 1)
      assert.deepEqual(await rdap.ask(address(text)), failed('malformed'), text)
    }
  })

  it('absent, and soon, for entities nested or listed without end', async (t) => {
    let nested = entity(['technical'], null)
    for (let depth = 0; depth < 500; depth += 1) nested = entity(['technical'], null, [nested])
    const many = Array.from({ length: 3_000 }, () => ({ roles: ['technical'] }))
    const { rdap } = await open(t, ({ path }, response) =>
      sendJson(
        response,
        path.endsWith('8.8.8.8')
          ? network('8.8.8.0', '8.8.8.255', [nested, null as unknown as object])
          : network('8.8.4.0', '8.8.4.255', [...many, ABUSE]),
      ),
    )
    assert.deepEqual(await rdap.ask(address('8.8.8.8')), ABSENT)
    assert.deepEqual(await rdap.ask(address('8.8.4.4')), ABSENT)
  })

  it('follows the redirect of one registry to another, and gives up on a circle', async (t) => {
    const { rdap } = await open(t, ({ path }, response) => {
      const other = { location: '/other/ip/8.8.8.8' }
      if (path === '/registry/ip/8.8.8.8') response.writeHead(301, other).end()
      else if (path === '/other/ip/8.8.8.8') sendJson(response, network('8.8.8.0', '8.8.8.255'))
      else response.writeHead(302, { location: path }).end()
    })
    assert.deepEqual(await rdap.ask(address('8.8.8.8')), FOUND)
    assert.deepEqual(await rdap.ask(address('8.8.4.4')), failed('refused'))
  })

  it('does not follow a redirect into a private network, nor to a port that is not opened', async (t) => {
    const targets = [
      'http://10.0.0.1/ip/8.8.8.8',
      'http://169.254.169.254/latest',
      'http://127.0.0.1:1/',
    ]
    let target = ''
    const { rdap, server } = await open(t, (_, response) =>
      response.writeHead(302, { location: target }).end(),
    )
    for (const [at, each] of targets.entries()) {
      target = each
      assert.deepEqual(await rdap.ask(address(`8.8.${at}.8`)), failed('refused'), each)
    }
    assert.equal(server.requests.length, targets.length)
  })

  it('answers what is under way when it is closed', async (t) => {
    const { promise: asked, resolve: noteAsked } = Promise.withResolvers<void>()
    const { rdap } = await open(t, () => noteAsked())
    const answer = rdap.ask(address('8.8.8.8'))
    await asked
    rdap.close()
    assert.deepEqual(await answer, failed('timeout'))
  })
})
