import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import {
  holdClock,
  listingRow,
  NOON_MS,
  sightingRow,
  taggingRow,
} from '../../../test/intel-fixtures.ts'
import { inTurn } from './in-turn.ts'

const PAST = new Date(NOON_MS).toISOString()

describe('GET /beta/ranges/{cidr}', () => {
  let token: string
  const app = withApp({ clock: holdClock() }, async (opened) => {
    token = await opened.createToken()
  })

  const get = (path: string) => app.send('GET', `/beta/ranges/${path}`, { token })
  const ask = async (path: string) => {
    const answer = await get(path)
    assert.equal(answer.status, 200, answer.text)
    return answer.json().result
  }
  const push = async (path: string, rows: readonly object[]) => {
    const answer = await app.send('POST', `/beta/${path}`, { token, json: rows })
    assert.deepEqual(answer.json().result, { accepted: rows.length, rejected: [] })
  }

  it('200 with counts by kind, tag and source, and what a look-up says of each item', async () => {
    await push('listings', [
      listingRow('192.0.2.0/24'),
      listingRow('192.0.2.7'),
      listingRow('192.0.2.9', { expires: PAST }),
      listingRow('198.51.100.1'),
      listingRow('192.0.2.example.com'),
    ])
    await push('allowances', [{ item: '192.0.2.8/29', list: 'ours', source: 'ours' }])
    await push('taggings', [
      taggingRow('192.0.2.7', 'phishing:host'),
      taggingRow('192.0.2.64/26', 'phishing:host'),
      taggingRow('192.0.0.0/16', 'spam:complaint'),
    ])
    await push('sightings', [
      sightingRow('192.0.2.130'),
      sightingRow('192.0.2.130', { source: 'trap-2' }),
    ])
    const { serial, coveredBy, items: found, ...rest } = await ask('192.0.2.0%2F24')
    assert.equal(serial, app.services.intel.index.state().serial)
    assert.deepEqual(rest, {
      range: '192.0.2.0/24',
      addresses: 3,
      ranges: 3,
      kinds: { listing: 2, allowance: 1, tagging: 2, sighting: 1 },
      tags: [
        { name: 'phishing:host', count: 2 },
        { name: 'credentials:brute-force', count: 1 },
        { name: 'credentials:ssh-brute-force', count: 1 },
      ],
      sources: [
        { name: 'desk', kind: 'mail-blocklist', count: 2 },
        { name: 'desk', kind: 'tag-list', count: 2 },
        { name: 'ours', kind: 'allow-list', count: 1 },
        { name: 'trap-1', kind: 'honeypot', count: 1 },
        { name: 'trap-2', kind: 'honeypot', count: 1 },
      ],
      next: '',
    })
    assert.deepEqual(
      found.map((one: { item: string; serviceMailBlocklist: string; tags: string[] }) => [
        one.item,
        one.serviceMailBlocklist,
        one.tags.length,
      ]),
      [
        ['192.0.2.0/24', 'ACTIVE', 1],
        ['192.0.2.7', 'ACTIVE', 2],
        ['192.0.2.8/29', 'INACTIVE', 1],
        ['192.0.2.9', 'INACTIVE', 1],
        ['192.0.2.64/26', 'ACTIVE', 2],
        ['192.0.2.130', 'ACTIVE', 3],
      ],
    )
    assert.deepEqual(
      coveredBy.map((one: { item: string; tags: string[] }) => [one.item, one.tags]),
      [['192.0.0.0/16', ['spam:complaint']]],
    )
    const answers = await app.send('POST', '/beta/quick-check', { json: ['192.0.2.7'] })
    const { intent, activity } = answers.json().result[0]
    assert.deepEqual([found[1].intent, found[1].activity], [intent, activity])
  })

  it('takes the slash of the range as %2F and as it is', async () => {
    assert.deepEqual(await ask('192.0.2.0/24'), await ask('192.0.2.0%2F24'))
    assert.deepEqual(await ask('2001:db8::/32'), await ask('2001%3Adb8%3A%3A%2F32'))
  })

  it('gives each item once, in the order of addresses, whatever the size of the page', async () => {
    const { items: whole } = await ask('192.0.0.0/16?limit=1000')
    for (const limit of [1, 2, 100]) {
      const walked: string[] = []
      for (let next = ''; ; ) {
        const result = await ask(`192.0.0.0/16?limit=${limit}&after=${next}`)
        assert.ok(result.items.length <= limit)
        walked.push(...items(result))
        next = encodeURIComponent(result.next)
        if (next === '') break
      }
      assert.deepEqual(walked, items({ items: whole }))
    }
    const counts = await ask('192.0.0.0/16?limit=0')
    assert.deepEqual([counts.items, counts.addresses], [[], 3])
  })

  it('finds IPv6 addresses and ranges, and only those inside', async () => {
    await push('listings', [
      listingRow('2001:db8:1::/48'),
      listingRow('2001:db8:1::1'),
      listingRow('2001:db8:1:ffff::2'),
      listingRow('2001:db8:2::1'),
    ])
    const result = await ask('2001:db8:1::/48')
    assert.deepEqual(items(result), ['2001:db8:1::/48', '2001:db8:1::1', '2001:db8:1:ffff::2'])
    assert.deepEqual([result.addresses, result.ranges], [2, 1])
    assert.deepEqual(items(await ask('2001:db8:1:8000::/49')), ['2001:db8:1:ffff::2'])
    assert.deepEqual(items(await ask('2001:db8:1:8000::/49?after=2001:db8:1:ffff::2')), [])
    const walked = await ask('2001:db8::/32?limit=3')
    assert.deepEqual(items(await ask(`2001:db8::/32?after=${encodeURIComponent(walked.next)}`)), [
      '2001:db8:2::1',
    ])
  })

  it('tells the newest state of what changed, and nothing of what is gone', async () => {
    const path = '/beta/sources/mail-blocklist/turns/entries?allowShrink=true'
    const put = async (list: readonly string[]) => {
      const json = list.map((item) => ({ item }))
      assert.equal((await app.send('PUT', path, { token, json })).status, 200)
    }
    await put(['203.0.113.1', '203.0.113.16/28', '203.0.113.2'])
    await put(['203.0.113.2', '203.0.113.3'])
    assert.deepEqual(items(await ask('203.0.113.0/24')), ['203.0.113.2', '203.0.113.3'])
    // A wide range is walked another way than a small one.
    assert.deepEqual(items(await ask('203.0.0.0/9')), ['203.0.113.2', '203.0.113.3'])
  })

  it('400 for what is no range or too wide (INTEL_RANGE_NOT_READABLE), 401 and 403 without the scope', async () => {
    for (const [path, says] of [
      ['192.0.2.0', /slash/],
      ['192.0.2.1%2F24', /192\.0\.2\.0\/24/],
      ['192.0.2.0%2F33', /0 to 32/],
      ['0.0.0.0%2F0', /\/8/],
      ['2000::%2F3', /\/16/],
      ['host.example%2F24', /no range/],
      ['192.0.2.0%2F24?after=host.example', /after/],
    ] as const) {
      const answer = await get(path)
      assert.equal(answer.status, 400, path)
      assert.match(answer.json().errors.$, says)
    }
    for (const query of ['limit=-1', 'limit=1001']) {
      assert.equal((await get(`192.0.2.0/24?${query}`)).status, 400, query)
    }
    assert.equal((await app.send('GET', '/beta/ranges/192.0.2.0%2F24')).status, 401)
    const weak = await app.createToken({ scopes: ['intel:write'] })
    const refused = await app.send('GET', '/beta/ranges/192.0.2.0%2F24', { token: weak })
    assert.equal(refused.status, 403)
  })

  it('asks about one range after the other, and refuses one too many with INTEL_TOO_MANY_RANGES', async () => {
    const run = inTurn(2)
    const first = Promise.withResolvers<string>()
    const order: string[] = []
    const running = [
      run(async () => order.push(await first.promise)),
      run(async () => order.push('second')),
    ]
    await assert.rejects(
      run(async () => 0),
      { code: 'INTEL_TOO_MANY_RANGES', status: 503 },
    )
    first.resolve('first')
    await Promise.all(running)
    assert.deepEqual(order, ['first', 'second'])
    assert.equal(await run(async () => 'again'), 'again')
  })
})

function items(result: { items: { item: string }[] }): readonly string[] {
  return result.items.map(({ item }) => item)
}
