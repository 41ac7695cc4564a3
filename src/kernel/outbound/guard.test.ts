// The guard as a default install has it, row by row: URLs that lead inside, spelled in every way
// known to have passed such guards, the same addresses as answers of DNS, and the few that must
// pass. Nothing here can open a socket that leaves this machine.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { recordConnect, recordResolve } from '../../../test/outbound-kit.ts'
import { silentLog } from '../log.ts'
import { joinUrl } from './check-url.ts'
import { createOutbound } from './outbound.ts'
import type { OutboundOutcome } from './outbound-outcome.ts'

// Public by the registries; the recording connector never goes there.
const PUBLIC_IPV4 = '11.0.0.1'
const PUBLIC_IPV6 = '2600::1'
const OWN = '11.0.0.99'

const NAMES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  localhost: [['127.0.0.1', '::1']],
  'a.localhost': [['127.0.0.1']],
  'ip6-localhost': [['::1']],
  'metadata.google.internal': [['169.254.169.254']],
  'good.example': [[PUBLIC_IPV4]],
  'good.example.evil': [[PUBLIC_IPV4]],
  'six.example': [[PUBLIC_IPV6]],
  'both.example': [[PUBLIC_IPV6, PUBLIC_IPV4]],
  'own.example': [[OWN]],
}

interface Asked {
  readonly outcome: OutboundOutcome
  readonly addresses: readonly string[]
  readonly names: readonly string[]
}

async function ask(
  url: string,
  answers = NAMES,
  allow: readonly string[] = [],
  isHttpAllowed = true,
): Promise<Asked> {
  const connector = recordConnect()
  const resolver = recordResolve(answers)
  const outbound = createOutbound({
    allow,
    log: silentLog,
    resolve: resolver.resolve,
    connect: connector.connect,
    listOwnAddresses: () => ['127.0.0.1', '::1', OWN],
  })
  const outcome = await outbound.request({
    method: 'GET',
    url,
    purpose: 'test',
    allowHttp: isHttpAllowed,
  })
  return {
    outcome,
    addresses: connector.peers.map((peer) => peer.address),
    names: resolver.names,
  }
}

async function assertRefused(url: string, reason: string, answers = NAMES): Promise<void> {
  const { outcome, addresses } = await ask(url, answers)
  assert.equal(outcome.kind === 'answer' ? 'answer' : outcome.reason, reason, url)
  assert.deepEqual(addresses, [], url)
}

const LOOPBACK: readonly string[] = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://0177.1/',
  'http://017700000001/',
  'http://127.255.255.254/',
  'http://0/',
  'http://0.0.0.0/',
  'http://127.0.0.1./',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://a.localhost/',
  'http://ip6-localhost/',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'https://127.0.0.1:8443/',
  'https://localhost:8080/admin',
]

const IPV4_INSIDE_IPV6: readonly string[] = [
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[0:0:0:0:0:ffff:7f00:0001]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:10.0.0.1]/',
  // Even a public one: the way that it takes is that of the gateway, not ours.
  'http://[::ffff:11.0.0.1]/',
]

const IPV6_SPECIAL: readonly string[] = [
  'http://[fe80::1]/',
  'http://[febf::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://[2001:db8::1]/',
  'http://[100::1]/',
  'http://[3fff::1]/',
  'http://[5f00::1]/',
  'http://[2001:20::1]/',
  'http://[4000::1]/',
]

const METADATA: readonly string[] = [
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://metadata.google.internal/',
  'http://100.100.100.200/',
  'http://192.0.0.192/',
  'http://168.63.129.16/',
  'http://0xa83f8110/',
]

const IPV4_SPECIAL: readonly string[] = [
  ...[10, 127].map((first) => `http://${first}.0.0.1/`),
  'http://10.255.255.255/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://3232235521/',
  'http://100.64.0.1/',
  'http://192.0.2.1/',
  'http://198.18.0.1/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://192.88.99.1/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://4294967295/',
]

const TEXT_TRICKS: readonly string[] = [
  'http://①②⑦.⓪.⓪.①/',
  'http://１２７.０.０.１/',
  'http://127。0。0。1/',
  'http://127%2e0%2e0%2e1/',
  'http://%31%32%37.0.0.1/',
  'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
  'http://loc\u00adalhost/',
  'http://127.0.0.1\\@good.example/',
  'http:\\\\127.0.0.1/',
  'http:127.0.0.1/',
  'http:///127.0.0.1/',
  'http://////127.0.0.1/',
  '  http://127.0.0.1/  ',
  'http://127.0.0.1#@good.example/',
  'http://127.0.0.1?@good.example/',
  'HtTp://127.0.0.1/',
]

describe('a URL that leads inside is refused and nothing is connected', () => {
  const groups = { LOOPBACK, IPV4_INSIDE_IPV6, IPV6_SPECIAL, METADATA, IPV4_SPECIAL, TEXT_TRICKS }
  for (const [group, urls] of Object.entries(groups)) {
    for (const url of urls) {
      test(`address, ${group}: ${JSON.stringify(url)}`, () => assertRefused(url, 'address'))
    }
  }
})

describe('a URL that cannot be read, or names no target of ours, is refused', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['http://[fe80::1%25eth0]/', 'url'],
    ['http://good.example%00.x/', 'url'],
    ['http://256.1.1.1/', 'url'],
    ['http://1.2.3.4.5/', 'url'],
    ['http://[::1', 'url'],
    ['http://', 'url'],
    ['http://./', 'url'],
    ['', 'url'],
    ['/path', 'url'],
    ['//127.0.0.1/', 'url'],
    ['127.0.0.1', 'url'],
    ['good.example:443', 'scheme'],
    ['ht\ntp://127.0.0.1/', 'url'],
    ['http://good.example\t.evil/', 'url'],
    ['http://good.example/\r\nHost: inner', 'url'],
    ['http://good.example/\0', 'url'],
    [`http://good.example/${'a'.repeat(8_000)}`, 'url'],
    ['http://good.example:65536/', 'url'],
    ['http://good.example@127.0.0.1/', 'userinfo'],
    ['http://good.example%2f@127.0.0.1/', 'userinfo'],
    ['https://user:secret@good.example/', 'userinfo'],
    ['https://:secret@good.example/', 'userinfo'],
    ['file:///etc/passwd', 'scheme'],
    ['ftp://good.example/', 'scheme'],
    ['gopher://127.0.0.1:6379/_INFO', 'scheme'],
    ['dict://127.0.0.1:11211/stat', 'scheme'],
    ['data:text/plain,x', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['ws://good.example/', 'scheme'],
    ['wss://good.example/', 'scheme'],
    ['jar:http://good.example!/', 'scheme'],
    ['blob:https://good.example/1', 'scheme'],
    ['unix:/var/run/docker.sock', 'scheme'],
    ...[0, 1, 22, 23, 25, 53, 110, 143, 389, 445, 2375, 3306, 5432, 6379, 8081, 9200, 11_211].map(
      (port): readonly [string, string] => [`http://good.example:${port}/`, 'port'],
    ),
    ['https://127.0.0.1:22/', 'port'],
    ['http://own.example/', 'own_address'],
    [`https://${OWN}/`, 'own_address'],
  ]
  for (const [url, reason] of rows) {
    test(`${reason}: ${JSON.stringify(url.slice(0, 60))}`, () => assertRefused(url, reason))
  }

  test('scheme: http where the request does not allow it', async () => {
    const { outcome } = await ask('http://good.example/', NAMES, [], false)
    assert.deepEqual(outcome, { kind: 'refused', reason: 'scheme' })
  })
})

describe('a public target is connected at its judged address, and only there', () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ...[
      '172.15.255.255',
      '172.32.0.1',
      '100.63.255.255',
      '100.128.0.1',
      '169.253.0.1',
      '11.0.0.1',
    ].map((address): readonly [string, readonly string[]] => [`http://${address}/`, [address]]),
    ['http://[2600::1]/', ['2600::1']],
    ['http://good.example\\@127.0.0.1/', [PUBLIC_IPV4]],
    ['http://good.example#@127.0.0.1/', [PUBLIC_IPV4]],
    ['https://good.example:8443/', [PUBLIC_IPV4]],
    ['https://GOOD.example.:443/', [PUBLIC_IPV4]],
    ['https://six.example/', [PUBLIC_IPV6]],
    ['https://both.example/', [PUBLIC_IPV4, PUBLIC_IPV6]],
  ]
  for (const [url, addresses] of rows) {
    test(`${addresses.join(' then ')} for ${JSON.stringify(url)}`, async () => {
      const asked = await ask(url)
      assert.deepEqual(asked.addresses, addresses)
      assert.deepEqual(asked.outcome, { kind: 'failed', reason: 'unreachable', isOpened: false })
    })
  }
})

describe('answers of DNS', () => {
  const SPECIAL_ANSWERS = `
    0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254
    172.16.0.1 192.0.0.192 192.0.2.1 192.168.0.1 198.18.0.1 224.0.0.1
    255.255.255.255 168.63.129.16 100.100.100.200 :: ::1 ::7f00:1
    ::ffff:7f00:1 ::ffff:127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1::
    2001:0:4136:e378:8000:63bf:3fff:fdd2 fe80::1 fe80::1%eth0 fc00::1 ff02::1
    fd00:ec2::254 2001:db8::1 3fff::1 5f00::1 127.1 0177.0.0.1 localhost
  `
  for (const address of SPECIAL_ANSWERS.trim().split(/\s+/)) {
    test(`refused when a name has ${address}, alone or beside a public one`, async () => {
      for (const answer of [[address], [PUBLIC_IPV4, address], [address, PUBLIC_IPV6]]) {
        await assertRefused('https://name.example/', 'address', { 'name.example': [answer] })
      }
    })
  }

  test('a name is asked once, so a second answer cannot replace the judged one', async () => {
    const answers = { 'rebind.example': [[PUBLIC_IPV4], ['127.0.0.1']] }
    const asked = await ask('https://rebind.example/', answers)
    assert.deepEqual(asked.names, ['rebind.example'])
    assert.deepEqual(asked.addresses, [PUBLIC_IPV4])
  })

  test('a name that points into the network through another is judged by where it ends', () =>
    assertRefused('https://alias.example/', 'address', { 'alias.example': [['10.0.0.53']] }))

  test('failed with dns for 10,000 answers, none and an unknown name', async () => {
    const many = Array.from({ length: 10_000 }, () => PUBLIC_IPV4)
    const answers = { 'many.example': [many], 'none.example': [[]] }
    for (const name of ['many.example', 'none.example', 'unknown.example']) {
      const asked = await ask(`https://${name}/`, answers)
      assert.deepEqual(asked.outcome, { kind: 'failed', reason: 'dns', isOpened: false })
      assert.deepEqual(asked.addresses, [])
    }
  })

  test('failed with timeout when the resolver never answers', async () => {
    const outbound = createOutbound({
      allow: [],
      log: silentLog,
      resolve: () => new Promise(() => {}),
      connect: recordConnect().connect,
    })
    const outcome = await outbound.request({
      method: 'GET',
      url: 'https://slow.example/',
      purpose: 'test',
      timeoutMs: 20,
    })
    assert.deepEqual(outcome, { kind: 'failed', reason: 'timeout', isOpened: false })
  })
})

describe('the allow-list', () => {
  const inside = { 'crm.example': [['10.1.2.3']], 'meta.example': [['169.254.169.254']] }

  test('opens a named host and port, with a trailing dot and in capitals too', async () => {
    for (const url of ['http://crm.example:9443/', 'http://CRM.example.:9443/']) {
      const asked = await ask(url, inside, ['crm.example:9443'])
      assert.deepEqual(asked.outcome, { kind: 'failed', reason: 'unreachable', isOpened: true })
      assert.deepEqual(asked.addresses, ['10.1.2.3'])
    }
  })

  const closed: readonly (readonly [string, string, string, string])[] = [
    ['another port of that host', 'crm.example:9443', 'http://crm.example:9444/', 'port'],
    ['that host on a common port', 'crm.example:9443', 'https://crm.example/', 'address'],
    ['a name below it', 'crm.example:443', 'https://a.crm.example/', 'dns'],
    ['a look-alike in another script', 'crm.example:9443', 'http://ⅽrm.exаmple:9443/', 'port'],
    [
      'a metadata service behind a named host',
      'meta.example:80',
      'http://meta.example/',
      'address',
    ],
    ['the address outside the range', '10.2.0.0/16', 'http://crm.example/', 'address'],
    ['an uncommon port in the range', '10.1.0.0/16', 'http://crm.example:9200/', 'port'],
    ['another port of an address', '127.0.0.1:8081', 'http://127.0.0.1:8080/', 'address'],
    ['the neighbour of an address', '127.0.0.1:8081', 'http://127.0.0.2:8081/', 'port'],
    ['IPv4 inside IPv6', '127.0.0.1:80', 'http://[::ffff:127.0.0.1]/', 'address'],
    [
      'private IPv4 behind an opened gateway',
      '64:ff9b::/96',
      'http://[64:ff9b::a00:1]/',
      'address',
    ],
    ['the IPv4 inside a mapped range', '::ffff:10.0.0.0/104', 'http://10.1.2.3/', 'address'],
  ]
  for (const [what, entry, url, reason] of closed) {
    test(`does not open ${what} (${entry})`, async () => {
      const asked = await ask(url, inside, [entry])
      assert.equal(asked.outcome.kind === 'answer' ? 'answer' : asked.outcome.reason, reason)
      assert.deepEqual(asked.addresses, [])
    })
  }

  const opened: readonly (readonly [string, string, string])[] = [
    ['10.1.0.0/16', 'http://crm.example/', '10.1.2.3'],
    ['10.1.0.0/16', 'https://10.1.255.255:8443/', '10.1.255.255'],
    ['fd00::/8', 'http://[fd00::25]/', 'fd00::25'],
    ['[fd00::25]:9200', 'http://[FD00:0::25]:9200/', 'fd00::25'],
    ['10.1.2.3:443', 'https://crm.example/', '10.1.2.3'],
    ['169.254.169.254:80', 'http://169.254.169.254/', '169.254.169.254'],
    ['64:ff9b::/96', 'http://[64:ff9b::b00:1]/', '64:ff9b::b00:1'],
    [`${OWN}:443`, `https://${OWN}/`, OWN],
  ]
  for (const [entry, url, address] of opened) {
    test(`opens ${url} by ${entry}`, async () => {
      const asked = await ask(url, inside, [entry])
      assert.equal(asked.outcome.kind, 'failed')
      assert.deepEqual(asked.addresses, [address])
    })
  }

  test('an entry that cannot be read stops the start and is named', () => {
    const wrong = ['crm.example', '10.0.0.0/33', '0.0.0.0/0', '::/0', 'fd00::1', '10.0.0.1:0']
    wrong.push('crm.example:65536', 'https://crm.example:443', 'user@crm.example:443', '10.0.0/8')
    assert.throws(
      () => createOutbound({ allow: ['crm.example:443', ...wrong], log: silentLog }),
      (error: Error & { code?: string; publicMessage?: string }) => {
        assert.equal(error.code, 'KERNEL_SETTINGS_NOT_USABLE')
        assert.equal(error.publicMessage?.split('\n').length, wrong.length)
        for (const entry of wrong) assert.ok(error.publicMessage?.includes(`not ${entry}`), entry)
        return true
      },
    )
  })
})

describe('joinUrl keeps the origin of its base', () => {
  const base = 'https://api.example/v1/'
  const rows: readonly (readonly [string, string | null])[] = [
    ['cases/1?x=2', 'https://api.example/v1/cases/1?x=2'],
    ['/other', 'https://api.example/other'],
    ['../up', 'https://api.example/up'],
    ['', 'https://api.example/v1/'],
    ['//169.254.169.254/', null],
    ['https://evil.example/', null],
    ['http://api.example/', null],
    ['/\\evil.example', null],
    ['\\\\evil.example', null],
    ['/\t/evil.example', null],
    ['cases\n/1', null],
    ['https://user@api.example/', null],
    ['https://api.example:8443/', null],
    ['javascript:alert(1)', null],
    ['file:///etc/passwd', null],
  ]
  for (const [path, expected] of rows) {
    test(`${String(expected)} for ${JSON.stringify(path)}`, () => {
      assert.equal(joinUrl(base, path), expected)
    })
  }

  test('null for a base that is no URL', () => {
    assert.equal(joinUrl('nonsense', 'https://api.example/'), null)
    assert.equal(joinUrl('file:///', 'etc/passwd'), null)
  })
})
