import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { openTestApp, type TestApp } from '../../../../test/harness.ts'
import { holdClock, NOON_MS } from '../../../../test/intel-fixtures.ts'
import {
  type LoopbackServer,
  type SeenRequest,
  startLoopback,
} from '../../../../test/outbound-kit.ts'
import { createSourceFetcher } from '../../../app/open-intel.ts'
import { silentLog } from '../../../kernel/log.ts'
import { fetchSourceRoute } from './fetch-source.ts'

const LIST = '/beta/sources/mail-blocklist/drop'
const HOUR_MS = 3_600_000

describe('POST /beta/sources/{kind}/{name}/fetch', () => {
  const cleanups: (() => Promise<void>)[] = []
  const clock = holdClock()
  let server: LoopbackServer
  let handle: (request: SeenRequest, response: ServerResponse) => void
  let app: TestApp
  let token: string
  before(async () => {
    const keep = { after: (work: () => Promise<void>) => cleanups.push(work) }
    server = await startLoopback(keep, (request, response) => handle(request, response))
    const environment = { CASEWORK_OUTBOUND_ALLOW: server.socket }
    app = await openTestApp({ clock, environment })
    token = await app.createToken()
  })
  after(async () => {
    await app.close()
    for (const cleanup of cleanups) await cleanup()
  })
  beforeEach(async () => {
    clock.set(NOON_MS)
    await app.send('DELETE', LIST, { token })
  })

  const describeList = async (more: object = {}, path = LIST) => {
    const fetch = {
      url: `${server.origin}/list.txt`,
      format: 'plain',
      intervalSeconds: 7_200,
      enabled: false,
      ...more,
    }
    const answer = await app.send('PUT', path, { token, json: { licence: 'Credit us.', fetch } })
    assert.ok([200, 201].includes(answer.status), answer.text)
  }
  const serve = (body: string | Buffer, headers: Record<string, string> = {}, status = 200) => {
    handle = (_, response) => {
      response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body)
    }
  }
  const post = (query = '', path = LIST) => app.send('POST', `${path}/fetch${query}`, { token })
  const fetchNow = async (query = '', path = LIST) => {
    const answer = await post(query, path)
    assert.equal(answer.status, 200, answer.text)
    return answer.json().result
  }
  const source = async (path = LIST) => (await app.send('GET', path, { token })).json().result
  const listed = async (...items: string[]): Promise<string[]> => {
    const answer = await app.send('POST', '/beta/quick-check', { json: items })
    return answer
      .json()
      .result.map((one: { serviceMailBlocklist: string }) => one.serviceMailBlocklist)
  }

  it('200 puts the list in the place of the old one in one serial, and asks on condition the next time', async () => {
    await describeList()
    serve('192.0.2.1\n198.51.100.0/24 ; SBL1\n# comment\nhost.example\n', {
      etag: '"one"',
      'last-modified': 'Sat, 31 Jan 2026 11:00:00 GMT',
    })
    const counts = { accepted: 3, removed: 0, refused: 0 }
    assert.deepEqual(await fetchNow(), { outcome: 'replaced', ...counts })
    const { state, entries, licence, fetch } = await source()
    assert.deepEqual([state, entries, licence], ['fresh', 3, 'Credit us.'])
    assert.equal(fetch.triedAt, new Date(NOON_MS).toISOString())

    serve('', {}, 304)
    assert.deepEqual(await fetchNow(), { outcome: 'unchanged' })
    const headers = server.requests.at(-1)?.headers
    assert.equal(headers?.['if-none-match'], '"one"')
    assert.equal(headers?.['if-modified-since'], 'Sat, 31 Jan 2026 11:00:00 GMT')

    const serial = app.services.intel.index.state().serial
    serve('192.0.2.1\n192.0.2.2\nthis is no entry\n', { etag: '"two"' })
    const second = await fetchNow()
    assert.deepEqual([second.accepted, second.removed, second.refused], [2, 2, 1])
    assert.match(second.firstRefusal, /^line 3: /)
    assert.equal(app.services.intel.index.state().serial, serial + 1)
    const items = ['192.0.2.1', '198.51.100.7', '192.0.2.2']
    assert.deepEqual(await listed(...items), ['ACTIVE', 'INACTIVE', 'ACTIVE'])
  })

  it('does not take 304 for an answer when it asked without condition', async () => {
    await describeList()
    serve('', {}, 304)
    assert.equal((await fetchNow()).outcome, 'failed')
  })

  it('changes nothing and says why when the list shrank by more than half, unless that is allowed', async () => {
    await describeList()
    serve('192.0.2.1\n192.0.2.2\n192.0.2.3\n192.0.2.4\n192.0.2.5\n', { etag: '"five"' })
    await fetchNow()
    serve('192.0.2.1\n192.0.2.2\n', { etag: '"two"' })
    const refused = await fetchNow()
    assert.equal(refused.outcome, 'failed')
    assert.match(refused.trouble, /has 2 entries and had 5/)
    const { state, entries, fetch } = await source()
    assert.deepEqual([state, entries], ['failed', 5])
    assert.equal(fetch.trouble, refused.trouble)
    assert.deepEqual(await listed('192.0.2.5'), ['ACTIVE'])
    // The condition of the list that was not taken must not be sent: it would be unchanged for
    // ever.
    assert.equal((await fetchNow('?allowShrink=true')).removed, 3)
    assert.equal(server.requests.at(-1)?.headers['if-none-match'], '"five"')
    assert.equal((await source()).state, 'fresh')
  })

  it('takes no error, page, picture or empty answer for a list, and keeps what it has', async () => {
    await describeList()
    serve('192.0.2.1\n192.0.2.2\n')
    await fetchNow()
    const page = '<!DOCTYPE html><p>192.0.2.9</p>'
    for (const [body, headers, status, says] of [
      ['192.0.2.9', {}, 404, /404/],
      ['192.0.2.9', {}, 503, /503/],
      [page, { 'content-type': 'text/html; charset=utf-8' }, 200, /text\/html/],
      [page, {}, 200, /page or XML/],
      ['192.0.2.9', { 'content-type': 'image/png' }, 200, /image\/png/],
      ['', {}, 200, /is empty/],
      ['{"error":"limit"}\nplease log in\n', {}, 200, /another format/],
    ] as const) {
      serve(body, headers, status)
      const { outcome, trouble } = await fetchNow()
      assert.equal(outcome, 'failed', body)
      assert.match(trouble, says)
    }
    assert.deepEqual(await listed('192.0.2.1', '192.0.2.9'), ['ACTIVE', 'INACTIVE'])
  })

  it('calls an empty first answer failed, unless that is allowed', async () => {
    for (const body of ['', '# nothing today\n']) {
      await describeList()
      serve(body)
      const { outcome, trouble } = await fetchNow()
      assert.deepEqual([outcome, /is empty.*allowShrink=true/.test(trouble)], ['failed', true])
      assert.equal((await source()).state, 'failed')
    }
    assert.equal((await fetchNow('?allowShrink=true')).accepted, 0)
    assert.equal((await source()).state, 'fresh')
  })

  it('leaves out what is wider than an IPv4 /8 and an IPv6 /16, and takes the rest', async () => {
    await describeList()
    serve('0.0.0.0/0\n::/0\n192.0.2.1\n198.51.100.0/24\n203.0.113.0-203.0.113.3\n')
    const { accepted, refused, firstRefusal } = await fetchNow()
    assert.deepEqual([accepted, refused], [3, 2])
    assert.match(firstRefusal, /too wide/)
    assert.deepEqual(await listed('192.0.2.1', '8.8.8.8', '2a00::1'), [
      'ACTIVE',
      'INACTIVE',
      'INACTIVE',
    ])
  })

  it('tells a download that broke off from an address that the operator did not open', async () => {
    await describeList()
    handle = (_, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('192.0.2.1\n', () => response.destroy())
    }
    assert.match((await fetchNow()).trouble, /broke off/)
    await describeList({ url: 'http://10.0.0.1/list.txt' })
    assert.match((await fetchNow()).trouble, /not public.*CASEWORK_OUTBOUND_ALLOW/)
  })

  it('reads a list packed by gzip, and refuses a damaged one and a bomb', async () => {
    await describeList()
    const packed = gzipSync('192.0.2.1\n192.0.2.2\n')
    const gz = { 'content-type': 'application/gzip' }
    const encoded = { 'content-encoding': 'gzip' }
    for (const headers of [gz, encoded]) {
      serve(packed, headers)
      assert.equal((await fetchNow()).accepted, 2)
    }
    const bomb = gzipSync(Buffer.alloc(65 * 1_024 * 1_024))
    for (const [body, headers] of [
      [packed.subarray(0, packed.length - 6), gz],
      [packed.subarray(0, packed.length - 6), encoded],
      [bomb, gz],
    ] as const) {
      serve(body, headers)
      assert.equal((await fetchNow()).outcome, 'failed')
    }
    assert.deepEqual(await listed('192.0.2.2'), ['ACTIVE'])
  })

  it('is not led to an address that the operator did not open', async () => {
    await describeList()
    for (const location of [
      'http://169.254.169.254/latest/meta-data/',
      'http://127.0.0.1:1/',
      'http://10.0.0.1/list.txt',
    ]) {
      serve('', { location }, 302)
      const { outcome, trouble } = await fetchNow()
      assert.equal(outcome, 'failed', location)
      assert.doesNotMatch(trouble, /169\.254|127\.0|10\.0/)
    }
    handle = (request, response) => {
      if (request.path === '/list.txt') response.writeHead(302, { location: '/there' }).end()
      else response.end('192.0.2.1\n')
    }
    assert.equal((await fetchNow()).accepted, 1)
  })

  it('breaks off a slow answer when the service stops, and the next fetch is as good as any', async () => {
    await describeList()
    const arrived = Promise.withResolvers<void>()
    handle = (_, response) => {
      response.write('192.0.2.1\n')
      arrived.resolve()
    }
    const { rows } = await app.services.foundation.database.pool.query<{ id: number }>(
      `select id from intel_source where name = 'drop'`,
    )
    const stopping = new AbortController()
    const options = { mayShrink: false, signal: stopping.signal }
    const fetcher = createSourceFetcher(app.services.foundation, app.services.intel)
    const running = fetcher.fetchNow(rows[0]?.id ?? 0, options)
    await arrived.promise
    // INTEL_SOURCE_BUSY
    assert.equal((await post()).status, 409)
    stopping.abort()
    assert.equal((await running)?.outcome, 'failed')
    assert.deepEqual(await listed('192.0.2.1'), ['INACTIVE'])
    serve('192.0.2.1\n')
    assert.equal((await fetchNow()).outcome, 'replaced')
  })

  it('does not bring back what was deleted while it was fetched', async () => {
    await describeList()
    const held = Promise.withResolvers<ServerResponse>()
    handle = (_, response) => held.resolve(response)
    const running = fetchNow()
    const response = await held.promise
    assert.equal((await app.send('DELETE', LIST, { token })).status, 204)
    response.end('192.0.2.1\n')
    assert.equal((await running).outcome, 'failed')
    assert.deepEqual(await listed('192.0.2.1'), ['INACTIVE'])
    assert.equal((await app.send('GET', LIST, { token })).status, 404)
  })

  it('reads lists of JSON lines and rbldnsd files, and fills tag-lists and allow-lists', async () => {
    serve(
      '{"cidr":"192.0.2.0/24","rir":"x"}\n{"ip":"198.51.100.1"}\n{"type":"metadata","size":2}\n',
    )
    await describeList({ format: 'ndjson' })
    assert.deepEqual(await fetchNow(), { outcome: 'replaced', accepted: 2, removed: 0, refused: 0 })

    serve(':127.0.0.2:Spam from $\n192.0.2.0/28\n!192.0.2.3\n')
    await describeList({ format: 'rbldnsd' })
    assert.equal((await fetchNow('?allowShrink=true')).accepted, 1)

    const tags = '/beta/sources/tag-list/exits'
    serve('203.0.113.1\n')
    await describeList({ name: 'anonymizer:tor-exit' }, tags)
    assert.equal((await fetchNow('', tags)).accepted, 1)
    const explained = await app.send('GET', '/beta/explain/203.0.113.1')
    assert.equal(explained.json().result.tags[0].name, 'anonymizer:tor-exit')

    const allowed = '/beta/sources/allow-list/ours'
    serve('192.0.2.7\n')
    await describeList({}, allowed)
    assert.equal((await fetchNow('', allowed)).accepted, 1)
    assert.deepEqual(await listed('192.0.2.7', '192.0.2.8'), ['INACTIVE', 'ACTIVE'])
  })

  it('202 for a fetch that takes longer than a caller waits; it goes on, and the source tells', async () => {
    await describeList()
    const held = Promise.withResolvers<ServerResponse>()
    handle = (_, response) => held.resolve(response)
    const fetcher = createSourceFetcher(app.services.foundation, app.services.intel)
    const db = app.services.foundation.database.kysely
    const route = fetchSourceRoute({ db, fetcher, answerMs: 1 })
    const params = { kind: 'mail-blocklist', name: 'drop' }
    const context = { params, query: {}, log: silentLog } as Parameters<typeof route.handle>[0]
    const answer = await route.handle(context)
    const running = { status: 'success', statusCode: 202, result: { outcome: 'running' } }
    assert.deepEqual(answer, { status: 202, json: running })
    const response = await held.promise
    assert.equal((await source()).fetch.running, true)
    assert.equal((await post()).status, 409)
    response.end('192.0.2.1\n')
    while ((await source()).fetch.running === true) await delay(5)
    assert.deepEqual([(await source()).state, await listed('192.0.2.1')], ['fresh', ['ACTIVE']])
  })

  it('fetches what is due and enabled once, whichever node comes first, and again when it is due', async () => {
    // Two that know of each other through the database only, as two nodes do.
    const [one, other] = [0, 1].map(() =>
      createSourceFetcher(app.services.foundation, app.services.intel),
    )
    const { signal } = new AbortController()
    serve('192.0.2.1\n')
    await describeList()
    assert.equal(await one?.fetchDue(signal), false)
    await describeList({ enabled: true })
    const asked = server.requests.length
    const held = Promise.withResolvers<ServerResponse>()
    handle = (_, response) => held.resolve(response)
    const first = one?.fetchDue(signal)
    const response = await held.promise
    assert.equal(await other?.fetchDue(signal), false)
    response.end('192.0.2.1\n')
    assert.equal(await first, true)
    assert.equal(server.requests.length, asked + 1)
    assert.equal((await source()).fetch.nextAt, new Date(NOON_MS + 2 * HOUR_MS).toISOString())

    // Failed: after an hour at most, though the list is asked for every two.
    clock.set(NOON_MS + 2 * HOUR_MS)
    serve('', {}, 500)
    assert.equal(await other?.fetchDue(signal), true)
    assert.equal(await one?.fetchDue(signal), false)
    assert.equal((await source()).fetch.nextAt, new Date(NOON_MS + 3 * HOUR_MS).toISOString())
    assert.deepEqual(await listed('192.0.2.1'), ['ACTIVE'])
  })

  it('is left to one node, however far the clocks of two nodes are apart', async () => {
    const { foundation, intel } = app.services
    const ahead = holdClock(NOON_MS + 24 * HOUR_MS)
    const [one, other] = [clock, ahead].map((own) =>
      createSourceFetcher({ ...foundation, clock: own }, intel),
    )
    const { signal } = new AbortController()
    await describeList({ enabled: true })
    const held = Promise.withResolvers<ServerResponse>()
    handle = (_, response) => held.resolve(response)
    const first = one?.fetchDue(signal)
    const response = await held.promise
    assert.equal(await other?.fetchDue(signal), false)
    assert.equal((await source()).fetch.running, true)
    response.end('192.0.2.1\n')
    assert.equal(await first, true)
  })

  it('takes over the lease of a node that died', async () => {
    await describeList({ enabled: true })
    const { pool } = app.services.foundation.database
    await pool.query(`update source_fetch set leased_until = now() + interval '15 minutes'`)
    const fetcher = createSourceFetcher(app.services.foundation, app.services.intel)
    const { signal } = new AbortController()
    serve('192.0.2.1\n')
    assert.equal(await fetcher.fetchDue(signal), false)
    // The column has milliseconds: now() rounds up to half of one.
    await pool.query(`update source_fetch set leased_until = now() - interval '1 second'`)
    assert.equal(await fetcher.fetchDue(signal), true)
    assert.deepEqual(await listed('192.0.2.1'), ['ACTIVE'])
  })

  it('404 and 409 for what cannot be fetched (INTEL_SOURCE_HAS_NO_URL), 401 and 403 without the scope', async () => {
    assert.equal((await post()).status, 404)
    await app.send('PUT', LIST, { token, json: {} })
    const refused = await post()
    assert.deepEqual([refused.status, refused.json().status], [409, 'failure'])
    assert.equal((await app.send('POST', `${LIST}/fetch`)).status, 401)
    const weak = await app.createToken({ scopes: ['intel:write'] })
    assert.equal((await app.send('POST', `${LIST}/fetch`, { token: weak })).status, 403)
  })
})
