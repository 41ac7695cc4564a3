import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMailReport } from '../../../test/mail-report.ts'
import type { ReportResult } from '../reading.ts'
import { X_ARF_FORMAT } from './x-arf.ts'

const RECEIVED_AT_MS = Date.parse('2026-03-02T12:00:00Z')

function read(fields: string, header = 'X-ARF: YES', text = 'Hello'): ReportResult | null {
  return X_ARF_FORMAT.read(
    parseMailReport(
      `From: desk@example.org
${header}
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

${text}
--b
Content-Type: text/plain; name=report.txt

${fields}
--b--
`,
      RECEIVED_AT_MS,
    ),
  )
}

const USUAL = 'Reported-From: desk@example.org\nCategory: abuse\nReport-Type: login-attack'

function eventOf(fields: string) {
  const result = read(fields)
  assert.ok(result?.kind === 'report', JSON.stringify(result))
  const [event, ...others] = result.events
  assert.ok(event !== undefined && others.length === 0)
  return event
}

for (const [source, target] of [
  ['192.0.2.1', { ip: '192.0.2.1', domain: null, url: undefined }],
  ['192.0.2.1:2222', { ip: '192.0.2.1', domain: null, url: undefined }],
  ['[2001:DB8::1]', { ip: '2001:db8::1', domain: null, url: undefined }],
  ['2001:db8::/48', { ip: '2001:db8::', domain: null, url: undefined }],
  ['Host.Example', { ip: null, domain: 'host.example', url: undefined }],
  [
    'https://host.example/a:b',
    { ip: null, domain: 'host.example', url: 'https://host.example/a:b' },
  ],
  ['host.example/a', { ip: null, domain: 'host.example', url: 'host.example/a' }],
  ['http://192.0.2.9/a', { ip: '192.0.2.9', domain: null, url: 'http://192.0.2.9/a' }],
] as const) {
  test(`the source ${source} is told by what it is`, () => {
    const { event } = eventOf(`${USUAL}\nSource-Type: whatever\nSource: ${source}`)
    const url = event.details?.['url']
    assert.deepEqual({ ip: event.ip, domain: event.domain, url }, target)
  })
}

for (const source of ['', 'x', '10.0.0.1', '::1', 'a b']) {
  test(`a report about the source ${JSON.stringify(source)} is refused with its field`, () => {
    const result = read(`${USUAL}\nSource: ${source}`)
    assert.ok(result?.kind === 'invalid')
    assert.deepEqual(
      result.problems.map(({ path }) => path),
      ['/Source'],
    )
  })
}

test('an unknown type is kept as a subtype of Unknown', () => {
  const { event } = eventOf('Category: abuse\nReport-Type: Weather Report\nSource: 192.0.2.1')
  assert.equal(event.eventType, 'Unknown')
  assert.deepEqual(event.eventSubtypes, ['weather-report'])
})

test('robots of the schema `info` have types of their own', () => {
  for (const [type, eventType] of [
    ['regbot', 'WebHack'],
    ['Reg-Bot', 'WebHack'],
    ['harvesting', 'WebCrawler'],
    ['harvester', 'WebCrawler'],
  ] as const) {
    const { event } = eventOf(`Category: info\nReport-Type: ${type}\nSource: 192.0.2.1`)
    assert.equal(event.eventType, eventType, type)
    assert.deepEqual(event.eventSubtypes, [], type)
  }
})

test('each value is shown with its line', () => {
  const { findings } = eventOf(`---\n${USUAL}\nSource: 192.0.2.1`)
  const [ip] = findings
  assert.deepEqual(
    [ip?.field, ip?.part, ip?.line, ip?.excerpt],
    ['/ip', 'attachment report.txt', 5, 'Source: 192.0.2.1'],
  )
})

test('the place of the source and of the time is shown, whatever the fields are called', () => {
  for (const name of ['Source', 'Source-IP', 'IP']) {
    const { findings } = eventOf(
      `${USUAL}\nVersion: 0.1\n${name}: 192.0.2.1\nDate: Mon, 2 Mar 2026 09:00:00 +0000`,
    )
    const [ip] = findings.filter(({ field }) => field === '/ip')
    assert.equal(ip?.excerpt, `${name}: 192.0.2.1`)
    assert.deepEqual(
      findings.filter(({ field }) => field === '/event_date').map(({ value }) => value),
      ['2026-03-02T09:00:00.000Z'],
    )
  }
})

test('an address beside the link in the evidence is nobody who is reported', () => {
  const fields = `${USUAL}\nSource: http://bad.example/x`
  for (const name of ['', '; name=access.log']) {
    const evidence = `${fields}
--b
Content-Type: text/plain${name}

198.51.100.7 opened http://bad.example/x`
    assert.equal(eventOf(evidence).event.ip, null, name)
  }
})

test('a header alone, or some fields alone, make no X-ARF', () => {
  assert.equal(read('Just words: here', 'X-ARF: YES'), null)
  assert.equal(read('Source: 192.0.2.1\nVersion: 2', 'X-Mailer: y'), null)
})

test('the address that the text names beside the link of the fields is that of the event', () => {
  const fields = [
    'Reported-From: desk@example.org',
    'Category: abuse',
    'Report-Type: malware',
    'Source-Type: uri',
    'Source: http://bad.example/x',
  ].join('\n')
  const ipOf = (text: string): string | null => {
    const result = read(fields, 'X-ARF: YES', text)
    assert.equal(result?.kind, 'report')
    return result.events[0]?.event.ip ?? null
  }
  assert.equal(ipOf('It is at hxxp://bad[.]example/x [192.0.2.60].'), '192.0.2.60')
  assert.equal(ipOf('It is at hxxp://bad[.]example/x [192.0.2.60] or 192.0.2.61.'), null)
  assert.equal(ipOf('Our server is 192.0.2.60.'), null)
})
