import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMailReport } from '../../../test/mail-report.ts'
import type { Mail } from '../mail/mail.ts'
import type { MailReport } from '../mail-format.ts'
import type { ReadReport, ReportResult } from '../reading.ts'
import { isXarfLegacy, readXarfLegacy, XARF_LEGACY_FORMAT } from './xarf-legacy.ts'
import { XARF_V4_MAIL_FORMAT } from './xarf-v4-mail.ts'

const RECEIVED_AT_MS = Date.parse('2026-03-02T12:00:00Z')

const NO_MAIL: Mail = {
  headers: [],
  subject: '',
  messageId: null,
  dateMs: null,
  from: [],
  replyTo: [],
  to: [],
  parts: [],
  defects: [],
}

// As JSON comes through the interface: no mail, and the caller stands in as the reporter.
const PUSHED: MailReport = {
  mail: NO_MAIL,
  context: { receivedAtMs: RECEIVED_AT_MS, mediaType: 'application/json', fallbackReporter: null },
  reporter: { org: '', contact: 'caller@example.net', domain: 'example.net' },
  reportId: 'sha256:test',
  texts: [],
}

const INFO = { ReporterOrg: 'Example Sensors', ReporterOrgEmail: 'desk@sensors.example' }

function read(report: unknown, members: object = {}): ReportResult {
  return readXarfLegacy({ Version: '3', ReporterInfo: INFO, Report: report, ...members }, PUSHED)
}

function accepted(result: ReportResult): ReadReport {
  assert.ok(result.kind === 'report', JSON.stringify(result))
  return result
}

function problemsOf(result: ReportResult): readonly string[] {
  assert.ok(result.kind === 'invalid', JSON.stringify(result))
  return result.problems.map(({ path, reason }) => `${path} ${reason}`)
}

test('members are found in any spelling', () => {
  const [event] = accepted(
    read({
      report_type: 'port-scan',
      source_ip: '192.0.2.1',
      'source-port': '0',
      DATE: '2026-03-01T00:00:00Z',
      DestinationPort: '70000',
    }),
  ).events
  assert.equal(event?.event.eventType, 'PortScan')
  assert.equal(event?.event.ip, '192.0.2.1')
  assert.equal(event?.event.eventDate, '2026-03-01T00:00:00.000Z')
  assert.deepEqual(Object.keys(event?.event.details ?? {}), ['xarf'])
})

test('each address of a list, and each URL, is an event of its own', () => {
  const addresses = accepted(read({ ReportType: 'DDoS', SourceIps: ['192.0.2.1', '192.0.2.2'] }))
  assert.deepEqual(
    addresses.events.map(({ event }) => event.ip),
    ['192.0.2.1', '192.0.2.2'],
  )
  const text = accepted(
    read({ ReportType: 'DDoS', SourceIp: '192.0.2.1:53, 192.0.2.0/30;2001:db8::/64' }),
  )
  assert.deepEqual(
    text.events.map(({ event }) => event.ip),
    ['192.0.2.1', '192.0.2.0', '2001:db8::'],
  )
  const urls = ['http://a.example/', 'http://b.example/']
  const pages = accepted(read({ ReportType: 'Phishing', SourceIp: '192.0.2.1', Urls: urls }))
  assert.deepEqual(
    pages.events.map(({ event }) => [event.ip, event.domain, event.details?.['url']]),
    [
      ['192.0.2.1', 'a.example', 'http://a.example/'],
      ['192.0.2.1', 'b.example', 'http://b.example/'],
    ],
  )
})

test('pushed JSON is its own reporter, and the caller is where it names none', () => {
  const named = accepted(read({ ReportType: 'Spam', SourceIp: '192.0.2.1' }))
  assert.equal(named.sender.contact, 'desk@sensors.example')
  assert.equal(named.reporter.org, 'Example Sensors')
  assert.equal(named.reporter.domain, 'sensors.example')
  const unnamed = { Version: 3, Report: { ReportType: 'Spam', SourceIp: '192.0.2.1' } }
  assert.equal(accepted(readXarfLegacy(unnamed, PUSHED)).sender.contact, 'caller@example.net')
})

test('each value of an event is shown where the report has it', () => {
  const { events } = accepted(
    read([{ ReportType: 'Spam', SourceIp: '192.0.2.1', Date: '2026-03-01' }]),
  )
  const shown = events[0]?.findings.map(({ field, excerpt, reason }) => [field, excerpt, reason])
  assert.deepEqual(shown?.slice(0, 3), [
    ['/event_type', '"ReportType": "Spam"', 'XARF names it in the member /Report/0/ReportType.'],
    ['/event_date', '"Date": "2026-03-01"', 'XARF names it in the member /Report/0/Date.'],
    ['/ip', '"SourceIp": "192.0.2.1"', 'XARF names it in the member /Report/0/SourceIp.'],
  ])
})

test('a domain, a link and a time are told by their members, also within Source', () => {
  for (const [report, field, value, member] of [
    [{ SourceDomain: 'bad.example' }, '/domain', 'bad.example', 'SourceDomain'],
    [{ Source: { Domain: 'bad.example' } }, '/domain', 'bad.example', 'Source'],
    [
      { Source: { Url: 'http://bad.example/x' } },
      '/event_details/url',
      'http://bad.example/x',
      'Source',
    ],
    [
      { SourceIp: '192.0.2.1', Date: 'Sun, 1 Mar 2026 10:00:00 +0100' },
      '/event_date',
      '2026-03-01T09:00:00.000Z',
      'Date',
    ],
  ] as const) {
    const [only] = accepted(read({ ReportType: 'Spam', ...report })).events
    const told = only?.findings.filter((each) => each.field === field)
    assert.deepEqual(
      told?.map((each) => [each.value, each.reason]),
      [[value, `XARF names it in the member /Report/${member}.`]],
    )
  }
})

test('problems name each place, and a sound report beside a broken one counts', () => {
  const broken = [
    { ReportType: 'Spam' },
    { SourceIp: '127.0.0.1' },
    { Source: {} },
    { Domain: 'no domain!' },
    'text',
  ]
  assert.deepEqual(problemsOf(read(broken)), [
    '/Report/0/SourceIp is missing, and so are SourceUrl and a domain',
    '/Report/1/SourceIp must be a public IPv4 or IPv6 address',
    '/Report/2/SourceIp is missing, and so are SourceUrl and a domain',
    '/Report/3/SourceIp is missing, and so are SourceUrl and a domain',
    '/Report/4/SourceIp is missing, and so are SourceUrl and a domain',
  ])
  const mixed = accepted(read([...broken, { ReportType: 'Spam', SourceIp: '192.0.2.1' }]))
  assert.equal(mixed.events.length, 1)
  assert.equal(mixed.passedOver.length, 5)
})

for (const value of [null, [], 'x', {}, { Report: {} }, { ReporterInfo: {} }, [[]]]) {
  test(`no report of versions 1 to 3 is ${JSON.stringify(value)}`, () => {
    assert.equal(isXarfLegacy(value), false)
    assert.deepEqual(problemsOf(readXarfLegacy(value, PUSHED)), [
      '/ must be an object with the members ReporterInfo and Report',
    ])
  })
}

test('an empty list of reports is a problem, and so is a report that is nothing', () => {
  assert.deepEqual(problemsOf(read([])), ['/Report is an empty list'])
  assert.deepEqual(problemsOf(read(null)), [
    '/Report/SourceIp is missing, and so are SourceUrl and a domain',
  ])
})

test('a report of abused children keeps no sample', () => {
  const sample = { ContentType: 'text/plain', Payload: 'words' }
  const members = { SourceUrl: 'http://a.example/', Samples: [sample] }
  const kept = accepted(read({ ReportType: 'Phishing', ...members }))
  assert.equal(kept.events[0]?.event.details?.['sample'], 'words')
  const [event] = accepted(read({ ReportType: 'ChildAbuse', ...members })).events
  assert.equal(event?.event.details?.['sample'], undefined)
})

test('a mail without XARF is read by neither reader, whatever words it holds', () => {
  for (const body of [
    'Hello, our ReporterInfo is not JSON: {"a": 1}',
    '{"ReporterInfo": {}, "weather": "fine"}',
    '{"about": "xarf_version", "x": 1}',
    '{"xarf_version": ',
  ]) {
    const report = parseMailReport(`From: a@example.org\nSubject: x\n\n${body}\n`, RECEIVED_AT_MS)
    assert.equal(XARF_LEGACY_FORMAT.read(report), null)
    assert.equal(XARF_V4_MAIL_FORMAT.read(report), null)
  }
})

test('members named like those of every object do no harm', () => {
  const json =
    '{"Version": "3", "Report": {"__proto__": {"SourceIp": "192.0.2.9"}, "constructor": 1, "SourceIp": "192.0.2.1"}}'
  const report = parseMailReport(
    `From: a@example.org\n\n${json.replace('"Report"', '"ReporterInfo": {}, "Report"')}`,
    RECEIVED_AT_MS,
  )
  const result = XARF_LEGACY_FORMAT.read(report)
  assert.ok(result !== null)
  assert.deepEqual(
    accepted(result).events.map(({ event }) => event.ip),
    ['192.0.2.1'],
  )
  assert.equal(Object.hasOwn(Object.prototype, 'SourceIp'), false)
})

test('XARF in the mail that is complained about is not believed', () => {
  const json =
    '{"Version": "3", "ReporterInfo": {}, "Report": {"ReportType": "Spam", "SourceIp": "192.0.2.1"}}'
  for (const type of ['message/rfc822', 'application/octet-stream; name=spam.eml']) {
    const text = `From: a@example.org
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

I got this spam.
--b
Content-Type: ${type}

From: bad@example.net
Subject: buy

${json}
--b--
`
    assert.equal(XARF_LEGACY_FORMAT.read(parseMailReport(text, RECEIVED_AT_MS)), null, type)
  }
})
