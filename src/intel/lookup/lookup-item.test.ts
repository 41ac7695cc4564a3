import assert from 'node:assert/strict'
import { after, before, describe, it, test } from 'node:test'
import { type DnsServer, openDnsServer } from '../../../test/fixtures/dns-server.ts'
import { openTestApp, type TestApp, withApp } from '../../../test/harness.ts'
import {
  holdClock,
  listingRow,
  NOON_MS,
  sightingRow,
  taggingRow,
} from '../../../test/intel-fixtures.ts'
import type { StatementTable } from '../facts/source-kinds.ts'
import { pushStatements } from '../sources/push/push-store.ts'
import { readPlainItem } from './lookup-item.ts'

const NOON = new Date(NOON_MS).toISOString()
const MORNING = new Date(NOON_MS - 6 * 3_600_000).toISOString()
const YESTERDAY = new Date(NOON_MS - 86_400_000).toISOString()

describe('GET /beta/query/{item}', () => {
  const clock = holdClock()
  let token: string
  const app = withApp({ clock }, async (opened) => {
    token = await opened.createToken()
  })

  const lookup = (item: string) => app.send('GET', `/beta/query/${item}`)
  // Whether the table of networks is built yet is not of interest here.
  const result = async (item: string) => {
    const { asn: _, ...found } = (await lookup(item)).json().result
    return found
  }
  const status = async (item: string) => (await result(item)).serviceMailBlocklist
  const push = async (path: string, rows: readonly object[]) => {
    const answer = await app.send('POST', path, { token, json: rows })
    assert.deepEqual(answer.json().result, { accepted: rows.length, rejected: [] })
  }
  // Allow-lists are a kind of source without a push of their own.
  const state = async (table: StatementTable, subject: string, name: string) => {
    const row = { subject, name, source: 'test', isActive: true, reason: null, expiresMs: null }
    const times = { firstSeenMs: NOON_MS, lastSeenMs: NOON_MS, hasLastSeen: true }
    await pushStatements(app.services.foundation.database, table, [{ ...row, ...times }])
    await app.services.intel.index.refreshNow()
  }

  it('200 for an item nobody has said anything about, with the optional members left out', async () => {
    const answer = await lookup('192.0.2.200')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.deepEqual(answer.json(), {
      status: 'success',
      statusCode: 200,
      result: {
        item: '192.0.2.200',
        serviceMailBlocklist: 'INACTIVE',
        type: 'IP',
        bogon: true,
        tags: [],
        intent: 'unknown',
        observedActivity: {},
      },
    })
  })

  it('200 with every member of the interface, in its order', async () => {
    await push('/beta/listings', [listingRow('203.0.113.9')])
    await push('/beta/taggings', [
      taggingRow('203.0.113.9', 'botnet:member', { firstSeen: YESTERDAY, lastSeen: MORNING }),
    ])
    await push('/beta/sightings', [
      sightingRow('203.0.113.9', { firstSeen: MORNING }),
      sightingRow('203.0.113.9', { type: 'port-scan', service: undefined, lastSeen: MORNING }),
      sightingRow('203.0.113.9', {
        kind: 'spamtrap',
        service: 'smtp',
        type: 'pristine-spamtrap',
        lastSeen: MORNING,
      }),
    ])
    const found = await result('203.0.113.9')
    assert.deepEqual(found, {
      item: '203.0.113.9',
      serviceMailBlocklist: 'ACTIVE',
      type: 'IP',
      bogon: true,
      tags: [
        'botnet:member',
        'credentials:brute-force',
        'credentials:ssh-brute-force',
        'scan:port',
        'spam:pristine-trap',
      ],
      firstSeen: YESTERDAY,
      lastSeen: NOON,
      intent: 'malicious',
      observedActivity: {
        honeypotInteractions: {
          firstSeen: MORNING,
          lastSeen: NOON,
          observations: [
            { firstSeen: MORNING, lastSeen: NOON, service: 'ssh', type: 'login-attack' },
            { firstSeen: MORNING, lastSeen: MORNING, type: 'port-scan' },
          ],
        },
        spamtrapInteractions: {
          firstSeen: MORNING,
          lastSeen: MORNING,
          observations: [{ firstSeen: MORNING, lastSeen: MORNING, type: 'pristine-spamtrap' }],
        },
      },
    })
    assert.deepEqual(Object.keys(found), [
      'item',
      'serviceMailBlocklist',
      'type',
      'bogon',
      'tags',
      'firstSeen',
      'lastSeen',
      'intent',
      'observedActivity',
    ])
  })

  it('takes an item percent-encoded, in any form, and repeats it as it was sent', async () => {
    await push('/beta/taggings', [
      taggingRow('2001:db8::5', 'phishing:host'),
      taggingRow('xn--bcher-kva.example', 'phishing:host'),
    ])
    for (const [sent, item] of [
      ['2001%3ADB8%3A0%3A%3A5', '2001:DB8:0::5'],
      ['2001:db8::5', '2001:db8::5'],
      ['b%C3%BCcher.example', 'bücher.example'],
      ['XN--BCHER-KVA.example.', 'XN--BCHER-KVA.example.'],
    ] as const) {
      const found = await result(sent)
      assert.deepEqual([found.item, found.tags], [item, ['phishing:host']])
    }
    assert.equal((await result('::ffff:203.0.113.9')).intent, 'malicious')
  })

  it('200 for a defanged or wrapped item when refang=true asks for it, else 400 that names the item', async () => {
    for (const [text, item] of [
      ['8.8.8[.]8', '8.8.8.8'],
      ['hxxp://host.test/a?b=c', 'host.test'],
      ['<"8.8.8.8">', '8.8.8.8'],
      ['8.8.8.8:53', '8.8.8.8'],
    ] as const) {
      const path = encodeURIComponent(text)
      const answer = await lookup(`${path}?refang=true`)
      assert.equal(answer.status, 200, text)
      const { item: told, ...rest } = answer.json().result
      assert.equal(told, text)
      const { item: _, ...plain } = (await lookup(item)).json().result
      assert.deepEqual(rest, plain)
      const refused = await lookup(path)
      assert.equal(refused.status, 400)
      assert.match(refused.json().errors.$, new RegExp(`refang=true it is read as ${item}\\.$`))
    }
    assert.equal((await lookup('198.51.100.0%2F24?refang=true')).status, 400)
    assert.equal((await lookup('8.8.8.8?refang=perhaps')).status, 400)
    assert.equal((await lookup('8.8.8.8?other=1')).status, 200)
  })

  it('400 for what is no item', async () => {
    // INTEL_ITEM_NOT_READABLE
    for (const wrong of [
      'word',
      '192.0.2',
      '1.2.3.4.5',
      '192.0.2.0%2F24',
      'a%20b.example',
      '%20',
    ]) {
      const answer = await lookup(wrong)
      assert.equal(answer.status, 400, wrong)
      assert.deepEqual(Object.keys(answer.json()), ['status', 'statusCode', 'errors'])
      assert.match(answer.json().errors.$, /neither an IP address nor a domain name/)
    }
    assert.equal((await lookup('192.0.2.1%00')).status, 400)
    assert.equal((await lookup('192.0.2.1%')).status, 400)
    assert.equal((await lookup('')).status, 400)
  })

  it('lets a benign tag override every other, then the worst count', async () => {
    await push('/beta/taggings', [
      taggingRow('192.0.2.0/24', 'anonymizer:tor-exit'),
      taggingRow('192.0.2.10', 'phishing:host'),
      taggingRow('192.0.2.11', 'phishing:host'),
      taggingRow('192.0.2.11', 'actor:mail-provider'),
    ])
    const intents = app.services.intel.index.tags().intents
    assert.equal(intents.get('actor:mail-provider'), 'benign')
    assert.equal((await result('192.0.2.12')).intent, intents.get('anonymizer:tor-exit'))
    assert.equal((await result('192.0.2.10')).intent, 'malicious')
    const vetted = await result('192.0.2.11')
    assert.equal(vetted.intent, 'benign')
    assert.deepEqual(vetted.tags, ['actor:mail-provider', 'anonymizer:tor-exit', 'phishing:host'])
  })

  it('matches ranges and parent domains, and lets the allow-list win over every listing', async () => {
    await push('/beta/listings', [
      listingRow('198.51.100.0/24'),
      listingRow('198.51.100.10'),
      listingRow('shop.example.org'),
    ])
    assert.equal(await status('198.51.100.1'), 'ACTIVE')
    assert.equal(await status('198.51.101.1'), 'INACTIVE')
    assert.equal(await status('www.shop.example.org'), 'ACTIVE')
    assert.equal(await status('example.org'), 'INACTIVE')
    await state('allowance', '198.51.100.8/29', 'ours')
    assert.equal(await status('198.51.100.10'), 'INACTIVE')
    assert.equal(await status('198.51.100.1'), 'ACTIVE')
  })

  it('follows the clock: an expired tagging no longer counts, and its times stay', async () => {
    const expires = new Date(NOON_MS + 60_000).toISOString()
    await push('/beta/taggings', [taggingRow('192.0.2.50', 'phishing:host', { expires })])
    assert.equal((await result('192.0.2.50')).intent, 'malicious')
    clock.set(NOON_MS + 60_000)
    const later = await result('192.0.2.50')
    assert.notEqual(later.intent, 'malicious')
    assert.deepEqual([later.tags, later.lastSeen], [['anonymizer:tor-exit'], NOON])
    clock.set(NOON_MS)
  })
})

describe('GET /beta/query/{item} with enrichers', () => {
  let dns: DnsServer
  let app: TestApp
  before(async () => {
    dns = await openDnsServer(() => ({ kind: 'code', code: 'servfail' }))
    app = await openTestApp({
      environment: {
        CASEWORK_REVERSE_DNS: 'on',
        CASEWORK_DNS_SERVERS: dns.address,
        CASEWORK_CONTACT_DNS_ZONE: 'contacts.example',
        CASEWORK_ENRICHMENT_TIMEOUT_MS: '200',
      },
    })
  })
  after(async () => {
    await app.close()
    await dns.close()
  })
  const lookup = (item: string) => app.send('GET', `/beta/query/${item}`)

  it('200 with the names and the contact that the DNS gives, 200 with no names when it says that there are none', async () => {
    dns.answerWith(({ type }) =>
      type === 'PTR'
        ? { kind: 'records', records: [{ type: 'PTR', value: 'host.example' }] }
        : { kind: 'records', records: [{ type: 'TXT', value: 'abuse@example.com' }] },
    )
    const found = await lookup('8.8.8.8')
    assert.equal(found.status, 200)
    const { reverseDns, abuseContact, asn } = found.json().result
    assert.deepEqual(reverseDns, { current: [{ entry: 'host.example' }] })
    assert.deepEqual(abuseContact, { email: 'abuse@example.com', status: 'UNKNOWN' })
    if (asn !== undefined) assert.match(asn.asn, /^AS\d+$/)
    dns.answerWith(() => ({ kind: 'code', code: 'nxdomain' }))
    const absent = await lookup('8.8.4.4')
    assert.equal(absent.status, 200)
    assert.deepEqual(absent.json().result.reverseDns, { current: [] })
    assert.ok(!('abuseContact' in absent.json().result))
  })

  it('503 partial_success with the whole result when an enricher fails or stays silent', async () => {
    for (const [item, reply] of [
      ['9.9.9.9', { kind: 'code', code: 'servfail' }],
      ['9.9.9.10', { kind: 'silent' }],
    ] as const) {
      dns.answerWith(() => reply)
      const answer = await lookup(item)
      assert.equal(answer.status, 503)
      const { status, statusCode, result, errors } = answer.json()
      assert.deepEqual([status, statusCode, errors], ['partial_success', 503, {}])
      assert.equal(answer.headers['casework-problem'], 'INTEL_LOOKUP_PARTIAL')
      assert.equal(result.item, item)
      assert.ok(!('reverseDns' in result))
      assert.deepEqual([result.tags, result.intent, result.type], [[], 'unknown', 'IP'])
      assert.deepEqual(result.observedActivity, {})
    }
  })

  it('never waits for an enricher in a quick check', async () => {
    dns.answerWith(() => ({ kind: 'silent' }))
    const answer = await app.send('POST', '/beta/quick-check', { json: ['9.9.9.11'] })
    assert.equal(answer.status, 200)
    // Earlier look-ups may still repeat their own questions, so only those about this item count.
    const asked = dns.questions.filter(({ name }) => name.includes('11.9.9.9'))
    assert.deepEqual(asked, [])
  })
})

test('a plainly spelled item is read, also with encoded colons', () => {
  for (const [target, item] of [
    ['/things/192.0.2.1', '192.0.2.1'],
    ['/things/2001:db8::5', '2001:db8::5'],
    ['/things/2001%3Adb8%3a%3A5', '2001:db8::5'],
    ['/things/xn--bcher-kva.example', 'xn--bcher-kva.example'],
    [`/things/${'a'.repeat(253)}`, 'a'.repeat(253)],
  ] as const) {
    assert.equal(readPlainItem(target, '/things/'), item)
  }
})

test('every other target is null, so that Fastify decodes it', () => {
  for (const target of [
    undefined,
    '/things/a%20b',
    '/things/a?b=c',
    '/things/',
    '/things/a/b',
    '/things/%3',
    '/things/é',
    `/things/${'a'.repeat(254)}`,
    '/other/192.0.2.1',
    'http://h/things/192.0.2.1',
  ]) {
    assert.equal(readPlainItem(target, '/things/'), null, String(target))
  }
})
