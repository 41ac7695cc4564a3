import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openTestApp, withApp } from '../../../test/harness.ts'
import {
  holdClock,
  listingRow,
  openSecondNode,
  sightingRow,
  taggingRow,
} from '../../../test/intel-fixtures.ts'
import { startLoopback } from '../../../test/outbound-kit.ts'
import { waitUntil } from '../../../test/wait.ts'
import { parseAddress } from '../../values/address.ts'

describe('own networks', () => {
  const clock = holdClock()
  let token: string
  let reader: string
  const app = withApp({ clock }, async (opened) => {
    token = await opened.createToken()
    reader = await opened.createToken({ scopes: ['intel:read'] })
  })

  const send = (method: string, path: string, json?: unknown) =>
    app.send(method, `/beta/${path}`, { token, ...(json === undefined ? {} : { json }) })
  const push = async (path: string, rows: readonly object[]) => {
    const answer = await send('POST', path, rows)
    assert.deepEqual(answer.json().result, { accepted: rows.length, rejected: [] }, answer.text)
  }
  const known = async (query = '') => {
    const answer = await app.send('GET', `/beta/networks/known${query}`, { token: reader })
    assert.equal(answer.status, 200, answer.text)
    return answer.json().result
  }
  const itemsOf = async (query = ''): Promise<string[]> =>
    (await known(query)).items.map(({ item }: { item: string }) => item)
  const entriesOf = async (name: string): Promise<string[]> => {
    const answer = await send('GET', `sources/network/${name}/entries`)
    return answer.json().result.entries.map(({ item }: { item: string }) => item)
  }

  it('200 with what is listed, sighted or tagged as bad inside them, and its counts', async () => {
    assert.deepEqual(await known(), {
      serial: app.services.intel.index.state().serial,
      counts: { listed: 0, sighted: 0, malicious: 0, suspicious: 0 },
      items: [],
      next: '',
    })
    await push('networks', [
      { item: '198.51.100.0/24', source: 'hand' },
      { item: '198.51.100.128/25', source: 'hand' },
      { item: '2001:db8:5::/48', source: 'hand' },
      { item: '203.0.113.9', source: 'hand' },
    ])
    await push('listings', [
      listingRow('198.51.100.7'),
      listingRow('198.51.100.64/28'),
      listingRow('198.51.0.0/16', { list: 'wide', source: 'wide' }),
      listingRow('198.51.101.7'),
      listingRow('2001:db8:5::7'),
      listingRow('host.example'),
    ])
    await push('sightings', [
      sightingRow('198.51.100.200'),
      sightingRow('203.0.113.9', { type: 'nothing-known', service: undefined }),
      sightingRow('203.0.113.8'),
    ])
    await push('taggings', [taggingRow('198.51.100.9', 'scan:port')])
    const result = await known()
    assert.deepEqual(
      result.items.map((one: Record<string, string>) => one['item']),
      [
        '198.51.100.7',
        '198.51.100.9',
        '198.51.100.64/28',
        '198.51.100.200',
        '203.0.113.9',
        '2001:db8:5::7',
      ],
    )
    const [listed] = result.items
    assert.equal(listed.serviceMailBlocklist, 'ACTIVE')
    assert.equal(result.counts.sighted, 2)
    assert.ok(result.counts.malicious >= 1)
    const metrics = await app.services.collectMetrics()
    const count = (state: string) =>
      new RegExp(`casework_own_network_items\\{state="${state}"\\} (\\d+)`).exec(metrics)?.[1]
    assert.equal(count('listed'), String(result.counts.listed))
    assert.equal(count('sighted'), '2')
  })

  it('gives every item once, whatever the size of the page, and the counts alone for limit=0', async () => {
    const whole = await itemsOf()
    for (const limit of [1, 2, 5]) {
      const told: string[] = []
      let next = ''
      do {
        const page = await known(`?limit=${limit}&after=${encodeURIComponent(next)}`)
        told.push(...page.items.map(({ item }: { item: string }) => item))
        next = page.next
      } while (next !== '')
      assert.deepEqual(told, whole)
    }
    const { items, counts } = await known('?limit=0')
    assert.deepEqual([items, counts], [[], (await known()).counts])
  })

  it('are a source like every other: listed, described, replaced as a whole, read back, delisted, removed', async () => {
    const path = 'sources/network/whole'
    assert.equal((await send('PUT', path, { licence: 'Ours.' })).status, 201)
    const rows = ['192.0.2.0/25', '192.0.2.128/25', '2001:db8:6::/48'].map((item) => ({ item }))
    const put = (json: readonly object[]) => send('PUT', `${path}/entries`, json)
    assert.deepEqual((await put(rows)).json().result, { accepted: 3, removed: 0, rejected: [] })
    assert.deepEqual(await entriesOf('whole'), [
      '192.0.2.0/25',
      '192.0.2.128/25',
      '2001:db8:6::/48',
    ])
    const shown = (await send('GET', path)).json().result
    assert.deepEqual([shown.state, shown.entries, shown.licence], ['fresh', 3, 'Ours.'])
    assert.equal((await put([{ item: '192.0.2.0/25' }])).status, 409)
    assert.equal((await put(rows.slice(1))).json().result.removed, 1)
    assert.equal((await send('DELETE', `${path}/entries/192.0.2.128/25`)).status, 200)
    assert.deepEqual(await entriesOf('whole'), ['2001:db8:6::/48'])
    await push('networks', [{ item: '2001:db8:6::/48', source: 'whole', status: 'inactive' }])
    assert.deepEqual(await entriesOf('whole'), [])
    await push('networks', [{ item: '192.0.2.0/24', source: 'whole' }])
    await push('listings', [listingRow('192.0.2.44')])
    assert.equal((await itemsOf()).includes('192.0.2.44'), true)
    assert.equal((await send('DELETE', path)).status, 204)
    assert.equal((await itemsOf()).includes('192.0.2.44'), false)
    assert.equal((await send('GET', path)).status, 404)
  })

  it('200 with rejected rows for a domain, a range that is too wide or has host bits', async () => {
    const answer = await send('POST', 'networks', [
      { item: 'host.example', source: 'bad' },
      { item: '10.0.0.0/7', source: 'bad' },
      { item: '192.0.2.1/24', source: 'bad' },
      { item: '192.0.2.0/24', source: 'bad', list: 'x' },
    ])
    const { accepted, rejected } = answer.json().result
    assert.deepEqual([accepted, rejected.length], [0, 4])
    assert.match(rejected[0].reason, /own networks are address ranges/)
  })

  it('409 for more than 100,000 own ranges, and nothing is changed (INTEL_TOO_MANY_NETWORKS)', async () => {
    const before = (await known('?limit=0')).counts
    const rows = Array.from({ length: 100_001 }, (_, at) => {
      const item = `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`
      return JSON.stringify({ item, source: 'many' })
    })
    const headers = { 'content-type': 'application/x-ndjson' }
    const body = rows.join('\n')
    const answer = await app.send('POST', '/beta/networks', { token, headers, body })
    assert.equal(answer.status, 409)
    assert.match(answer.json().errors.$, /more than 100000 own address ranges/)
    assert.deepEqual((await known('?limit=0')).counts, before)
    assert.deepEqual(await entriesOf('many'), [])
  })

  it('401 and 403 without the scope, 400 for a wrong after', async () => {
    const path = '/beta/networks/known'
    assert.equal((await app.send('GET', path)).status, 401)
    const writer = await app.createToken({ scopes: ['intel:write'] })
    assert.equal((await app.send('GET', path, { token: writer })).status, 403)
    const row = [{ item: '192.0.2.0/24', source: 'x' }]
    assert.equal((await app.send('POST', '/beta/networks', { json: row })).status, 401)
    const pushed = await app.send('POST', '/beta/networks', { token: writer, json: row })
    assert.equal(pushed.status, 403)
    assert.equal((await send('GET', 'networks/known?after=host.example')).status, 400)
    assert.equal((await send('GET', 'networks/known?limit=1001')).status, 400)
  })
})

describe('own networks that are published', () => {
  it('are fetched by URL, and known on another node within seconds', async (t) => {
    const server = await startLoopback(t, (_, response) => response.end('192.0.2.0/24 # us\n'))
    const environment = { CASEWORK_OUTBOUND_ALLOW: server.socket }
    const app = await openTestApp({ environment })
    t.after(() => app.close())
    const token = await app.createToken()
    const node = await openSecondNode(app)
    t.after(() => node.close())
    const fetch = {
      url: `${server.origin}/own.txt`,
      format: 'plain',
      intervalSeconds: 3_600,
      enabled: false,
    }
    const path = '/beta/sources/network/fetched'
    assert.equal((await app.send('PUT', path, { token, json: { fetch } })).status, 201)
    const done = await app.send('POST', `${path}/fetch`, { token })
    assert.equal(done.json().result.outcome, 'replaced', done.text)
    const address = parseAddress('192.0.2.44') ?? assert.fail()
    assert.equal(app.services.intel.networks.isOwnAddress(address), true)
    await waitUntil(() => node.services.intel.networks.isOwnAddress(address))
  })
})
