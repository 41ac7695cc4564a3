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

const NOON = new Date(NOON_MS).toISOString()
const DAY_MS = 86_400_000
const daysAgo = (days: number): string => new Date(NOON_MS - days * DAY_MS).toISOString()

describe('GET /beta/explain/{item}', () => {
  const clock = holdClock()
  let token: string
  const app = withApp({ clock }, async (opened) => {
    token = await opened.createToken()
  })

  const explain = async (item: string) => {
    const answer = await app.send('GET', `/beta/explain/${encodeURIComponent(item)}`)
    assert.equal(answer.status, 200)
    return answer.json().result
  }
  const lookup = async (item: string) =>
    (await app.send('GET', `/beta/query/${encodeURIComponent(item)}`)).json().result
  const check = async (item: string) =>
    (await app.send('POST', '/beta/quick-check', { json: [item] })).json().result[0]
  const push = async (path: string, rows: readonly object[]) => {
    const answer = await app.send('POST', path, { token, json: rows })
    assert.deepEqual(answer.json().result, { accepted: rows.length, rejected: [] })
  }

  it('200 in the envelope, uncached, for an item nobody has said anything about', async () => {
    const answer = await app.send('GET', '/beta/explain/192.0.2.200')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['cache-control'], 'no-store')
    const { status, statusCode, result } = answer.json()
    assert.deepEqual({ status, statusCode }, { status: 'success', statusCode: 200 })
    assert.equal(result.canonical, '192.0.2.200')
    assert.equal(result.type, 'IP')
    assert.deepEqual(result.entries, [])
    assert.deepEqual(result.tags, [])
    assert.deepEqual(result.notes, [])
    assert.deepEqual(result.intent, { value: 'unknown', because: 'The item has no live tag.' })
    assert.equal(result.bogon.value, true)
    assert.match(result.bogon.because, /192\.0\.2\.0\/24/)
    assert.equal('rollUp' in result, false)
  })

  it('200 for a defanged item when refang=true asks for it, repeated as it was sent', async () => {
    const answer = await app.send('GET', '/beta/explain/198.51.100%5B.%5D250?refang=true')
    assert.equal(answer.status, 200)
    assert.equal(answer.json().result.item, '198.51.100[.]250')
    assert.equal((await app.send('GET', '/beta/explain/198.51.100%5B.%5D250')).status, 400)
  })

  it('400 for what is no item', async () => {
    const answer = await app.send('GET', '/beta/explain/not%20an%20item')
    assert.equal(answer.status, 400)
    assert.equal(answer.json().status, 'failure')
  })

  it('names the listing, its source, reason, age and expiry, and the range that it is about', async () => {
    await push('/beta/listings', [
      listingRow('198.51.100.0/24', {
        reason: 'Open relay\u00e9',
        firstSeen: daysAgo(3),
        lastSeen: daysAgo(1),
        expires: '2026-03-01T00:00:00.000Z',
      }),
    ])
    const result = await explain('198.51.100.7')
    assert.deepEqual(result.entries, [
      {
        kind: 'listing',
        subject: '198.51.100.0/24',
        relation: 'range',
        source: { name: 'desk', kind: 'mail-blocklist' },
        list: 'spam',
        reason: 'Open relay\u00e9',
        firstSeen: daysAgo(3),
        lastSeen: daysAgo(1),
        ageSeconds: 86_400,
        expires: '2026-03-01T00:00:00.000Z',
        live: true,
      },
    ])
    assert.deepEqual(result.serviceMailBlocklist, {
      value: 'ACTIVE',
      because: '"spam" lists the range 198.51.100.0/24.',
    })
  })

  it('says that an allow-list wins, and shows a listing that has expired as such', async () => {
    await push('/beta/listings', [
      listingRow('203.0.113.1'),
      listingRow('203.0.113.2', { expires: daysAgo(1) }),
    ])
    await push('/beta/allowances', [{ item: '203.0.113.0/28', list: 'ours', source: 'desk' }])
    const allowed = await explain('203.0.113.1')
    assert.equal(allowed.serviceMailBlocklist.value, 'INACTIVE')
    assert.match(allowed.serviceMailBlocklist.because, /"ours" allows the range 203\.0\.113\.0\/28/)
    assert.equal((await lookup('203.0.113.1')).serviceMailBlocklist, 'INACTIVE')
    const expired = await explain('203.0.113.2')
    assert.equal(expired.entries[0].live, false)
    assert.equal(expired.serviceMailBlocklist.because, 'Every listing of the item has expired.')
  })

  it('names the rule and the tagging behind each tag, and the tag behind the intent', async () => {
    await push('/beta/sightings', [sightingRow('192.0.2.7', { count: 4 })])
    await push('/beta/taggings', [taggingRow('host.example', 'tool:zmap')])
    const attacked = await explain('192.0.2.7')
    assert.equal(attacked.intent.value, 'malicious')
    assert.match(attacked.intent.because, /"credentials:brute-force"/)
    assert.equal(attacked.activity.value, true)
    const tag = attacked.tags.find(
      ({ name }: { name: string }) => name === 'credentials:ssh-brute-force',
    )
    assert.deepEqual(tag.because, [
      'Rule "honeypot-login-attack-ssh": honeypot sightings of login-attack on ssh within 30 days, at least 1 from 1 source; met by "trap-1".',
    ])
    assert.deepEqual(attacked.entries[0], {
      kind: 'sighting',
      subject: '192.0.2.7',
      relation: 'itself',
      source: { name: 'trap-1', kind: 'honeypot' },
      type: 'login-attack',
      service: 'ssh',
      count: 4,
      firstSeen: NOON,
      lastSeen: NOON,
      ageSeconds: 0,
      live: true,
    })
    const below = await explain('www.host.example')
    assert.equal(below.entries[0].relation, 'parent')
    assert.deepEqual(below.tags[0].because, ['"desk" tagged the parent domain host.example.'])
    assert.equal(below.intent.value, 'suspicious')
  })

  it('counts the sighted addresses of the /64, /56 and /48, which speak for the /64 from the third on', async () => {
    const asked = '2001:db8:7:1::ffff'
    await push('/beta/sightings', [
      sightingRow('2001:db8:7:1::1', { lastSeen: daysAgo(29) }),
      sightingRow('2001:db8:7:1::2'),
      sightingRow('2001:db8:7:2::1'),
      sightingRow('2001:db8:7:102::1', { lastSeen: daysAgo(40) }),
    ])
    const early = await explain(asked)
    assert.deepEqual(early.rollUp, {
      counts: false,
      addressesMin: 3,
      prefixes: [
        { prefix: '2001:db8:7:1::/64', addresses: 2, addressesEver: 2 },
        { prefix: '2001:db8:7::/56', addresses: 3, addressesEver: 3 },
        { prefix: '2001:db8:7::/48', addresses: 3, addressesEver: 4 },
      ],
    })
    assert.equal((await check(asked)).activity, false)
    assert.equal((await lookup(asked)).intent, 'unknown')

    await push('/beta/sightings', [sightingRow('2001:db8:7:1::3')])
    const later = await explain(asked)
    assert.equal(later.rollUp.counts, true)
    assert.equal(later.rollUp.prefixes[0].addresses, 3)
    assert.equal(later.activity.value, true)
    assert.match(later.activity.because, /2001:db8:7:1::\/64/)
    const gathered = later.entries[0]
    assert.equal(gathered.relation, 'prefix')
    assert.equal(gathered.subject, '2001:db8:7:1::/64')
    assert.equal(gathered.count, 3)
    assert.deepEqual(
      [(await check(asked)).intent, (await check(asked)).activity, (await lookup(asked)).intent],
      ['malicious', true, 'malicious'],
    )
    assert.equal((await check('2001:db8:7:3::1')).intent, 'unknown')

    // The first address leaves the look-back by the clock alone, and with it the roll-up.
    clock.set(NOON_MS + 2 * DAY_MS)
    assert.equal((await check(asked)).intent, 'unknown')
    assert.equal((await explain(asked)).rollUp.counts, false)
    clock.set(NOON_MS)
  })

  it('explains exactly what a look-up and a quick check say', async () => {
    for (const item of [
      '198.51.100.7',
      '203.0.113.1',
      '192.0.2.7',
      'www.host.example',
      '2001:db8:7:1::2',
    ]) {
      const explained = await explain(item)
      const found = await lookup(item)
      assert.equal(explained.serviceMailBlocklist.value, found.serviceMailBlocklist, item)
      assert.equal(explained.intent.value, found.intent, item)
      assert.equal(explained.bogon.value, found.bogon, item)
      assert.deepEqual(
        explained.tags.map(({ name }: { name: string }) => name),
        found.tags,
        item,
      )
      assert.equal(explained.activity.value, (await check(item)).activity, item)
    }
  })
})
