import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { holdClock, listingRow, openSecondNode, sightingRow } from '../../../test/intel-fixtures.ts'

const FETCH = {
  url: 'https://lists.example.org/drop.txt',
  format: 'plain',
  intervalSeconds: 3_600,
  enabled: false,
}

describe('/beta/sources', () => {
  const clock = holdClock()
  let token: string
  const app = withApp({ clock }, async (opened) => {
    token = await opened.createToken()
  })

  const send = (method: string, path: string, json?: unknown) =>
    app.send(method, `/beta/sources${path}`, { token, ...(json === undefined ? {} : { json }) })
  const get = async (path: string) => {
    const answer = await send('GET', path)
    assert.equal(answer.status, 200, answer.text)
    return answer.json().result
  }
  const push = async (path: string, rows: readonly object[]) => {
    const answer = await app.send('POST', `/beta/${path}`, { token, json: rows })
    assert.deepEqual(answer.json().result, { accepted: rows.length, rejected: [] })
  }
  const listed = async (item: string): Promise<string> => {
    const answer = await app.send('POST', '/beta/quick-check', { json: [item] })
    return answer.json().result[0].serviceMailBlocklist
  }
  const serial = () => app.services.intel.index.state().serial

  it('200 with every source, its state and how many entries it has', async () => {
    assert.deepEqual(await get(''), [])
    await push('listings', [
      listingRow('192.0.2.1'),
      listingRow('192.0.2.1', { list: 'other' }),
      listingRow('198.51.100.0/24'),
      listingRow('host.example'),
      listingRow('2001:db8::1'),
    ])
    await push('sightings', [sightingRow('192.0.2.1')])
    const [trap, desk, ...others] = await get('')
    assert.deepEqual(others, [])
    const { createdAt, heardAt, ...rest } = trap
    assert.ok(Date.parse(createdAt) <= Date.parse(heardAt))
    const expected = { kind: 'mail-blocklist', name: 'desk', state: 'fresh', entries: 4 }
    assert.deepEqual([desk.kind, desk.name, desk.state, desk.entries], Object.values(expected))
    assert.deepEqual(
      [rest.kind, rest.name, rest.state, rest.entries],
      ['honeypot', 'trap-1', 'fresh', 1],
    )
    assert.ok(rest.serial <= serial() && rest.serial > 0)
    assert.deepEqual(await get('/mail-blocklist/desk'), desk)
  })

  it('201 for a source that is described before it says anything, 200 when that is replaced', async () => {
    const terms = {
      description: 'Networks that were taken over.',
      origin: 'Example Lists, https://lists.example.org/',
      licence: 'Free to use with credit.',
      ttlSeconds: 86_400,
    }
    const made = await send('PUT', '/mail-blocklist/drop', { ...terms, fetch: FETCH })
    assert.equal(made.status, 201, made.text)
    const { createdAt, ...source } = made.json().result
    assert.ok(Date.parse(createdAt) > 0)
    assert.deepEqual(source, {
      kind: 'mail-blocklist',
      name: 'drop',
      state: 'never',
      entries: 0,
      ...terms,
      fetch: { ...FETCH, name: 'drop' },
    })
    const changed = await send('PUT', '/mail-blocklist/drop', { licence: 'Ask first.' })
    assert.equal(changed.status, 200)
    const { licence, description, fetch } = changed.json().result
    assert.deepEqual([licence, description, fetch], ['Ask first.', undefined, undefined])
  })

  it('calls a source stale after its time to live, which moves no verdict', async () => {
    await push('listings', [listingRow('203.0.113.1', { source: 'slow' })])
    await send('PUT', '/mail-blocklist/slow', { ttlSeconds: 3_600 })
    const { heardAt, state } = await get('/mail-blocklist/slow')
    assert.equal(state, 'fresh')
    const held = clock.nowMs()
    clock.set(Date.parse(heardAt) + 3_600_001)
    assert.equal((await get('/mail-blocklist/slow')).state, 'stale')
    assert.equal(await listed('203.0.113.1'), 'ACTIVE')
    clock.set(held)
    const path = '/mail-blocklist/slow/entries?allowShrink=true'
    assert.equal((await send('PUT', path, [])).status, 200)
    assert.equal((await get('/mail-blocklist/slow')).entries, 0)
  })

  it('calls a source failed when its last fetch failed', async () => {
    await send('PUT', '/mail-blocklist/broken', { fetch: FETCH })
    await app.services.foundation.database.pool.query(
      `update source_fetch set trouble = 'No answer.', tried_at = now()`,
    )
    const { state, fetch } = await get('/mail-blocklist/broken')
    assert.deepEqual([state, fetch.trouble], ['failed', 'No answer.'])
    // What is fetched from elsewhere has not failed yet.
    const json = { fetch: { ...FETCH, url: 'https://lists.example.org/other.txt' } }
    await send('PUT', '/mail-blocklist/broken', json)
    assert.equal((await get('/mail-blocklist/broken')).state, 'never')
  })

  it('204 takes a source away with all it says, in one serial, on every node', async () => {
    await push('listings', [
      listingRow('203.0.113.7', { source: 'leaving' }),
      listingRow('203.0.113.8', { source: 'leaving' }),
      listingRow('203.0.113.8', { source: 'staying' }),
    ])
    await push('sightings', [sightingRow('203.0.113.9', { source: 'leaving' })])
    const earlier = serial()
    const node = await openSecondNode(app)
    try {
      assert.equal((await send('DELETE', '/mail-blocklist/leaving')).status, 204)
      assert.equal(serial(), earlier + 1)
      await node.services.intel.index.refreshNow()
      const answer = await node.send('POST', '/beta/quick-check', ['203.0.113.7', '203.0.113.8'])
      const states = answer
        .json()
        .result.map((one: { serviceMailBlocklist: string }) => one.serviceMailBlocklist)
      assert.deepEqual(states, ['INACTIVE', 'ACTIVE'])
    } finally {
      await node.close()
    }
    assert.equal((await send('GET', '/mail-blocklist/leaving')).status, 404)
    // A source of another kind that has the same name.
    assert.equal((await get('/honeypot/leaving')).entries, 1)
    assert.equal((await send('DELETE', '/honeypot/leaving')).status, 204)
  })

  it('404 for a source that is not there (INTEL_SOURCE_UNKNOWN)', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await send(method, '/mail-blocklist/nobody')
      assert.deepEqual([answer.status, answer.json().status], [404, 'failure'])
    }
  })

  it('400 for a kind that no source has, until a sensor of it has pushed', async () => {
    const describeSource = () => send('PUT', '/telescope/dark', { description: 'Dark space.' })
    const refused = await describeSource()
    assert.equal(refused.status, 400)
    assert.match(refused.json().errors.$, /no kind of source telescope; the kinds are .*contact/)
    assert.equal((await send('GET', '/telescope/dark')).status, 404)
    await push('sightings', [sightingRow('192.0.2.77', { kind: 'telescope', source: 'dark' })])
    assert.equal((await describeSource()).status, 200)
    assert.equal((await send('PUT', '/contact/registry', {})).status, 201)
    assert.equal((await send('DELETE', '/contact/registry')).status, 204)
  })

  it('400 for what cannot be described or fetched', async () => {
    for (const [path, json] of [
      ['/Mail/x', {}],
      ['/mail-blocklist/%20', {}],
      ['/mail-blocklist/x', { ttlSeconds: 0 }],
      ['/mail-blocklist/x', { colour: 'red' }],
      ['/mail-blocklist/x', { licence: 7 }],
      ['/mail-blocklist/x', fetching({ url: 'ftp://lists.example.org/x' })],
      ['/mail-blocklist/x', fetching({ url: 'lists.example.org' })],
      ['/mail-blocklist/x', fetching({ url: 'https://user:pass@lists.example.org/' })],
      ['/mail-blocklist/x', fetching({ format: 'xml' })],
      ['/mail-blocklist/x', fetching({ intervalSeconds: 10 })],
      ['/tag-list/x', fetching({ name: 'no:tag' })],
      ['/honeypot/x', fetching({})],
    ] as const) {
      const answer = await send('PUT', path, json)
      assert.equal(answer.status, 400, `${path} ${JSON.stringify(json)}`)
      assert.equal(answer.json().status, 'failure')
    }
    assert.equal((await send('GET', '/mail-blocklist/x')).status, 404)
  })

  it('200 with intel:read, and a URL shows its server alone: the rest may be a key', async () => {
    await send('PUT', '/mail-blocklist/keyed', {
      ...fetching({ url: 'https://lists.example/key-123/drop.txt?key=123' }),
    })
    const reader = await app.createToken({ scopes: ['intel:read'] })
    const one = await app.send('GET', '/beta/sources/mail-blocklist/keyed', { token: reader })
    assert.equal(one.status, 200)
    assert.equal(one.json().result.fetch.url, 'https://lists.example')
    const all = await app.send('GET', '/beta/sources', { token: reader })
    assert.equal(all.status, 200)
    assert.doesNotMatch(all.text, /key-?123|key=/)
    const whole = (await send('GET', '/mail-blocklist/keyed')).json().result.fetch.url
    assert.equal(whole, 'https://lists.example/key-123/drop.txt?key=123')
    await send('DELETE', '/mail-blocklist/keyed')
  })

  it('401 and 403 without the scopes to read or to manage sources', async () => {
    const weak = await app.createToken({ scopes: ['intel:write', 'cases:read'] })
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/mail-blocklist/desk'],
      ['PUT', '/mail-blocklist/desk'],
      ['DELETE', '/mail-blocklist/desk'],
    ] as const) {
      const body = method === 'PUT' ? { json: {} } : {}
      const bare = await app.send(method, `/beta/sources${path}`, body)
      assert.equal(bare.status, 401, method)
      const refused = await app.send(method, `/beta/sources${path}`, { token: weak, ...body })
      assert.equal(refused.status, 403, method)
    }
  })
})

function fetching(more: object): object {
  return { fetch: { ...FETCH, ...more } }
}
