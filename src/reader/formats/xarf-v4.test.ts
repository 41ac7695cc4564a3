import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { findPackageRoot } from '../../values/resources.ts'
import type { NewEvent } from '../../vocabulary/event.ts'
import { findXarfMapping, XARF_PAIRS } from '../../vocabulary/event-types.ts'
import type { ReadReport } from '../reading.ts'
import { readXarfV4 } from './xarf-v4.ts'
import { XARF_V4_FIELDS } from './xarf-v4-fields.ts'

type Json = Record<string, unknown>

const NOW_MS = Date.parse('2026-06-01T00:00:00Z')

function readExample(pair: string): Buffer {
  return readFileSync(join(findPackageRoot(), 'examples', 'xarf', `${pair.replace('/', '-')}.json`))
}

function example(pair: string, members: object = {}): Json {
  return { ...(JSON.parse(readExample(pair).toString()) as Json), ...members }
}

function testReport(name: string): Buffer {
  return readFileSync(join(findPackageRoot(), 'test', 'testdata', 'xarf', `${name}.json`))
}

function reportOf(input: unknown): ReadReport {
  const result = readXarfV4(input, NOW_MS)
  assert.deepEqual(result.kind === 'invalid' ? result.problems : [], [])
  assert.ok(result.kind === 'report')
  return result
}

function eventOf(input: unknown): NewEvent {
  const [event, ...others] = reportOf(input).events
  assert.ok(event !== undefined && others.length === 0)
  return event.event
}

function pathsOf(input: unknown): string[] {
  const result = readXarfV4(input, NOW_MS)
  return result.kind !== 'invalid' ? [] : result.problems.map((problem) => problem.path)
}

/** `report` without the member at `path`. */
function without(report: Json, [name, ...rest]: readonly string[]): Json {
  assert.ok(name !== undefined)
  if (rest.length > 0) return { ...report, [name]: without(report[name] as Json, rest) }
  const { [name]: _, ...others } = report
  return others
}

function phishingTargetOf(members: object): object {
  const { ip, domain, details } = eventOf(example('content/phishing', members))
  return { ip, domain, url: details?.['url'] }
}

test('a login attack becomes an event with everything in its place', () => {
  const report = reportOf(readExample('connection/login_attack'))
  const party = {
    org: 'Example Sensor Network',
    contact: 'sensors@sensors.example.org',
    domain: 'sensors.example.org',
  }
  assert.deepEqual(report.reporter, party)
  assert.deepEqual(report.sender, party)
  assert.deepEqual(
    report.events.map(({ event }) => event),
    [
      {
        eventDate: '2026-03-01T11:03:00.000Z',
        eventType: 'LoginAttack',
        eventSubtypes: [],
        xarfClass: 'connection',
        senderEmail: 'sensors@sensors.example.org',
        recipientEmail: null,
        ip: '198.51.100.23',
        domain: null,
        tags: ['service:ssh'],
        details: {
          port: 50122,
          protocol: 'tcp',
          target: { ip: '192.0.2.200', port: 22 },
          first_seen: '2026-03-01T07:58:11Z',
          last_seen: '2026-03-01T08:02:40Z',
          confidence: 1,
          reporter: party,
          evidence_source: 'honeypot',
          evidence: [
            {
              content_type: 'text/plain',
              description: 'Excerpt of the authentication log',
              hash: 'sha256:17751001bd228fd1e52fd8d650512a3bcb0660bfc2e8af1c1c221f6cdc3464e0',
              size: 76,
            },
          ],
          xarf: {
            version: '4.2.0',
            category: 'connection',
            type: 'login_attack',
            report_id: report.reportId,
            source_identifier: '198.51.100.23',
            fields: { service: 'ssh', attempts: 214 },
          },
        },
        customerId: null,
        contractId: null,
        reportId: report.reportId,
      },
    ],
  )
})

test('each of the 32 pairs has an example, is read, and gets the words of the vocabulary', () => {
  assert.deepEqual([...XARF_V4_FIELDS.keys()].toSorted(), [...XARF_PAIRS].toSorted())
  for (const pair of XARF_PAIRS) {
    const [category = '', type = ''] = pair.split('/')
    const event = eventOf(readExample(pair))
    const mapping = findXarfMapping(category, type)
    assert.equal(event.eventType, mapping?.eventType, pair)
    assert.equal(event.xarfClass, category, pair)
    for (const subtype of mapping?.eventSubtypes ?? []) {
      assert.ok(event.eventSubtypes.includes(subtype), pair)
    }
    assert.ok(event.ip !== null || event.domain !== null, pair)
    const xarf = event.details?.['xarf'] as Json
    assert.equal(xarf['type'], type)
  }
})

test('each required field of each pair is missed by its path when it is gone, and alone', () => {
  const core = [
    'xarf_version',
    'report_id',
    'timestamp',
    'reporter',
    'sender',
    'source_identifier',
    'category',
    'type',
  ].map((name) => [name])
  for (const pair of XARF_PAIRS) {
    for (const path of core) {
      const report = without(example(pair), path)
      assert.deepEqual(pathsOf(report), [`/${path[0]}`], pair)
    }
    for (const { path, or } of XARF_V4_FIELDS.get(pair) ?? []) {
      const report = [path, ...or].reduce<Json>(without, example(pair))
      assert.deepEqual(pathsOf(report), [`/${path.join('/')}`], pair)
    }
  }
})

test('each required field of each pair is told when it is of the wrong type', () => {
  for (const pair of XARF_PAIRS) {
    for (const { path } of XARF_V4_FIELDS.get(pair) ?? []) {
      for (const value of [null, true, {}, '', -1]) {
        const [name, inner] = path
        const wrong = inner === undefined ? value : { [inner]: value }
        const told = pathsOf(example(pair, { [name]: wrong }))
        assert.deepEqual(told, [`/${path.join('/')}`], `${pair} ${JSON.stringify(value)}`)
      }
    }
  }
})

test('every invalid report is refused with all of its faults', () => {
  const faults = {
    'nothing-but-a-version': [
      '/report_id',
      '/timestamp',
      '/reporter',
      '/sender',
      '/source_identifier',
      '/category',
      '/type',
    ],
    'wrong-types-in-the-core': [
      '/xarf_version',
      '/report_id',
      '/timestamp',
      '/reporter/org',
      '/reporter/contact',
      '/reporter/domain',
      '/sender',
      '/source_identifier',
      '/source_port',
      '/evidence_source',
      '/confidence',
      '/description',
      '/legacy_version',
      '/tags',
    ],
    'unknown-category': ['/category'],
    'type-of-another-category': ['/type'],
    'smtp-spam-without-sender-and-port': ['/smtp_from', '/source_port'],
    'login-attack-of-an-address-without-port': ['/source_port'],
    'party-with-more-than-its-three-members': ['/sender/type'],
    'p2p-without-any-hash': ['/swarm_info/info_hash'],
    'evidence-of-wrong-shape': [
      '/evidence/0/payload',
      '/evidence/1/content_type',
      '/evidence/2',
      '/evidence/3/hash',
      '/evidence/3/size',
      '/evidence/3/extra',
    ],
    'text-that-cannot-be-stored': ['/blocklist_name', '/notes/1'],
  }
  for (const [name, paths] of Object.entries(faults)) {
    assert.deepEqual(pathsOf(testReport(name)), paths, name)
  }
})

test('what is no JSON object is refused at the root', () => {
  for (const input of [null, [], 'x', 1, Buffer.from(''), Buffer.from('{'), Buffer.from('[]')]) {
    assert.deepEqual(pathsOf(input), ['/'])
  }
  assert.deepEqual(pathsOf(Buffer.from([0x7b, 0xff, 0x7d])), ['/'])
})

test('a byte order mark is no fault', () => {
  const marked = Buffer.concat([Buffer.from('\uFEFF'), readExample('content/phishing')])
  assert.equal(eventOf(marked).eventType, 'Phishing')
})

test('internal metadata and payloads of evidence are in no event', () => {
  const event = eventOf(testReport('with-internal-metadata'))
  assert.equal(JSON.stringify(event).includes('analyst'), false)
  const secret = Buffer.from('a picture').toString('base64')
  const piece = { content_type: 'image/png', payload: secret, description: 'Screenshot' }
  const withPicture = eventOf(example('content/csam', { evidence: [piece] }))
  assert.equal(JSON.stringify(withPicture).includes(secret), false)
  assert.deepEqual(withPicture.details?.['evidence'], [
    { content_type: 'image/png', description: 'Screenshot' },
  ])
})

test('the domain is the host of the reported URL, the address that of the source', () => {
  const url = 'https://Login.Example.test/a'
  assert.deepEqual(phishingTargetOf({ source_identifier: '192.0.2.9', url }), {
    ip: '192.0.2.9',
    domain: 'login.example.test',
    url,
  })
  assert.deepEqual(
    phishingTargetOf({ source_identifier: '::FFFF:192.0.2.9', url: 'http://192.0.2.8/' }),
    {
      ip: '192.0.2.9',
      domain: null,
      url: 'http://192.0.2.8/',
    },
  )
  assert.deepEqual(
    phishingTargetOf({ source_identifier: 'other.example', url: 'http://192.0.2.8/' }),
    {
      ip: '192.0.2.8',
      domain: 'other.example',
      url: 'http://192.0.2.8/',
    },
  )
  assert.deepEqual(phishingTargetOf({ source_identifier: 'AS64496', url: 'urn:x:y' }), {
    ip: null,
    domain: null,
    url: 'urn:x:y',
  })
})

test('a second URL is kept beside the first', () => {
  const event = eventOf(example('content/phishing', { infringing_url: 'https://b.example/' }))
  assert.deepEqual(event.details?.['urls'], ['https://b.example/'])
})

test('numbers of vulnerabilities are subtypes', () => {
  assert.deepEqual(eventOf(readExample('vulnerability/cve')).eventSubtypes, [
    'cve-2021-44228',
    'cve-2021-45046',
  ])
})

test('a source that is no address needs no port', () => {
  const report = without(example('connection/ddos', { source_identifier: 'bot.example' }), [
    'source_port',
  ])
  assert.equal(eventOf(report).domain, 'bot.example')
})

test('spam by other means than mail needs neither envelope sender nor port', () => {
  const sms = without(without(example('messaging/spam', { protocol: 'sms' }), ['smtp_from']), [
    'source_port',
  ])
  assert.equal(eventOf(sms).eventType, 'Spam')
})

test('unknown members are kept, huge ones refused', () => {
  const event = eventOf(example('content/fraud', { new_in_4_9: { a: [1] } }))
  const xarf = event.details?.['xarf'] as Json
  assert.deepEqual((xarf['fields'] as Json)['new_in_4_9'], { a: [1] })
  assert.deepEqual(pathsOf(example('content/fraud', { note: 'x'.repeat(40_000) })), ['/note'])
  const piece = { content_type: 'text/plain', payload: 'x' }
  const many = Array.from({ length: 51 }, () => piece)
  assert.deepEqual(pathsOf(example('content/fraud', { evidence: many })), ['/evidence'])
  const large = Array.from({ length: 4 }, () => ({ ...piece, payload: 'x'.repeat(6_000_000) }))
  assert.deepEqual(pathsOf(example('content/fraud', { evidence: large })), ['/evidence'])
  const huge = [{ ...piece, payload: 'x'.repeat(7_000_001) }]
  assert.deepEqual(pathsOf(example('content/fraud', { evidence: huge })), ['/evidence/0/payload'])
})

test('no JSON value in any place makes the reader throw', () => {
  const base = example('messaging/spam')
  const names = fc.constantFrom(...Object.keys(base), 'other', '__proto__', '_internal')
  const changes = fc.dictionary(names, fc.jsonValue(), { maxKeys: 4 })
  fc.assert(
    fc.property(fc.oneof(changes, fc.jsonValue()), (change) => {
      const result = readXarfV4({ ...base, ...(change as object) }, NOW_MS)
      if (result.kind === 'invalid') assert.ok(result.problems.length > 0)
      else assert.equal(result.kind === 'report' && result.events.length, 1)
    }),
  )
})

test('no bytes make the reader throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      assert.equal(readXarfV4(bytes, NOW_MS).kind, 'invalid')
    }),
  )
})

test('a report that is dated more than a day ahead is refused, and not clamped to its arrival', () => {
  reportOf(example('connection/login_attack', { timestamp: '2026-06-02T00:00:00Z' }))
  const timestamp = '2026-06-03T00:00:00Z'
  const ahead = readXarfV4(example('connection/login_attack', { timestamp }), NOW_MS)
  assert.ok(ahead.kind === 'invalid')
  assert.deepEqual(
    ahead.problems.map((problem) => problem.path),
    ['/timestamp'],
  )
  assert.match(ahead.problems[0]?.reason ?? '', /more than a day in the future/)
})

function sourceOf(source: string): object {
  const { ip, domain, details } = eventOf(
    example('connection/login_attack', { source_identifier: source }),
  )
  return { ip, domain, range: details?.['range'] }
}

test('the source is an address, a range, a domain or the host of a URL', () => {
  assert.deepEqual(sourceOf('198.51.100.0/24'), {
    ip: '198.51.100.0',
    domain: null,
    range: '198.51.100.0/24',
  })
  assert.deepEqual(sourceOf('https://203.0.113.8/x'), {
    ip: '203.0.113.8',
    domain: null,
    range: undefined,
  })
  assert.deepEqual(sourceOf('https://bot.example/x'), {
    ip: null,
    domain: 'bot.example',
    range: undefined,
  })
})

test('an address of nobody on the Internet is refused as a source, and no target', () => {
  for (const source of [
    '10.0.0.1',
    '127.0.0.1',
    '224.0.0.1',
    '::1',
    'fe80::1',
    '::ffff:10.0.0.1',
  ]) {
    for (const pair of ['connection/login_attack', 'content/phishing']) {
      assert.deepEqual(
        pathsOf(example(pair, { source_identifier: source })),
        ['/source_identifier'],
        `${pair} ${source}`,
      )
    }
  }
  const source = 'http://192.168.1.1/x'
  const report = example('connection/login_attack', { source_identifier: source })
  assert.deepEqual(pathsOf(report), ['/source_identifier'])
  const url = 'http://10.0.0.1/a'
  assert.deepEqual(phishingTargetOf({ source_identifier: 'AS64496', url }), {
    ip: null,
    domain: null,
    url,
  })
})

test('what is no source of traffic is refused there; elsewhere an account names nobody', () => {
  for (const source of ['999.1.1.1', '2001:db8:::1', '198.51.100.0/64']) {
    const report = example('content/phishing', { source_identifier: source })
    assert.deepEqual(pathsOf(report), ['/source_identifier'], source)
  }
  for (const source of ['foo bar', 'a@b.example', 'AS64496']) {
    const report = example('connection/login_attack', { source_identifier: source })
    assert.deepEqual(pathsOf(report), ['/source_identifier'], source)
  }
  const { ip, domain, details } = eventOf(
    example('messaging/bulk_messaging', { source_identifier: 'a@b.example' }),
  )
  assert.deepEqual([ip, domain], [null, null])
  const xarf = details?.['xarf'] as Json
  assert.equal(xarf['source_identifier'], 'a@b.example')
})
