import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMailReport } from '../../../test/mail-report.ts'
import type { ReadReport, ReportResult } from '../reading.ts'
import { ARF_FORMAT } from './arf.ts'
import { redactAddress } from './arf-details.ts'

const RECEIVED_AT_MS = Date.parse('2026-03-02T12:00:00Z')

const MAIL = `Received: from out.shop.example (out.shop.example [203.0.113.15]) by mx.example.org; Mon, 2 Mar 2026 09:58:01 +0000
From: news@shop.example
Subject: Sale

Text`

function read(fields: string, enclosed: string | null = MAIL): ReportResult | null {
  const third = enclosed === null ? '' : `--b\nContent-Type: message/rfc822\n\n${enclosed}\n`
  return ARF_FORMAT.read(
    parseMailReport(
      `From: fbl@example.org
Subject: report
Date: Mon, 2 Mar 2026 10:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary=b

--b
Content-Type: text/plain

A report.
--b
Content-Type: message/feedback-report

${fields}
${third}--b--
`,
      RECEIVED_AT_MS,
    ),
  )
}

function accepted(result: ReportResult | null): ReadReport {
  assert.ok(result?.kind === 'report', JSON.stringify(result))
  return result
}

function onlyEvent(fields: string, enclosed: string | null = MAIL) {
  const [event, ...others] = accepted(read(fields, enclosed)).events
  assert.ok(event !== undefined && others.length === 0)
  return event
}

test('the source the report names wins, and the trace that says otherwise is shown', () => {
  const report = accepted(read('Feedback-Type: abuse\nSource-IP: 192.0.2.1'))
  assert.equal(report.events[0]?.event.ip, '192.0.2.1')
  const [found] = report.events[0]?.findings ?? []
  assert.deepEqual(
    [found?.field, found?.part, found?.line, found?.excerpt, found?.rank],
    ['/ip', 'feedback report', 2, 'Source-IP: 192.0.2.1', 1],
  )
  assert.deepEqual(
    report.passedOver.map(({ value, part, rank }) => [value, part, rank]),
    [['203.0.113.15', 'enclosed mail', 2]],
  )
})

test('of several addresses in the field the first counts', () => {
  assert.equal(
    onlyEvent('Feedback-Type: abuse\nSource-IP: 192.0.2.1, 192.0.2.2').event.ip,
    '192.0.2.1',
  )
})

test('a source that is named and traced alike is one candidate', () => {
  const report = accepted(read('Feedback-Type: abuse\nSource-IP: 203.0.113.15'))
  assert.deepEqual(report.passedOver, [])
})

for (const [fields, eventType] of [
  ['Feedback-Type: Abuse', 'Spam'],
  ['Feedback-Type: spam', 'Spam'],
  ['Feedback-Type: fraud', 'Fraud'],
  ['Feedback-Type: fraud\nAbuse-Type: phish', 'Phishing'],
  ['Feedback-Type: virus', 'Malware'],
  ['Feedback-Type: not-spam', 'NotSpam'],
  ['Feedback-Type: auth_failure\nAuth-Failure: dmarc', 'AuthFailure'],
  ['Feedback-Type: other', 'MaliciousActivity'],
  ['Feedback-Type: other\nAbuse-Type: complaint', 'Spam'],
  ['Feedback-Type: constructor', 'MaliciousActivity'],
  ['User-Agent: without a type', 'Spam'],
] as const) {
  test(`${fields.replace('\n', ', ')} is ${eventType}`, () => {
    assert.equal(onlyEvent(fields).event.eventType, eventType)
  })
}

test('links are events for themselves; a fraud without a source is not laid upon who sent the mail', () => {
  const fields =
    'Reported-URI: http://a.example/x\nReported-URI: http://a.example/x\nReported-URI: b.example/y'
  const fraud = accepted(read(`Feedback-Type: fraud\n${fields}`))
  assert.deepEqual(
    fraud.events.map(({ event }) => [event.ip, event.domain]),
    [
      [null, 'a.example'],
      [null, 'b.example'],
    ],
  )
  assert.equal(fraud.passedOver[0]?.value, '203.0.113.15')
  const abuse = accepted(read(`Feedback-Type: abuse\n${fields}`))
  assert.deepEqual(
    abuse.events.map(({ event }) => event.ip),
    ['203.0.113.15', '203.0.113.15'],
  )
})

test('a host in a dns: URI is a domain, an address in mailto: is nothing', () => {
  const { event } = onlyEvent(
    'Feedback-Type: abuse\nReported-URI: dns:shop.example\nReported-URI: mailto:a@b.example',
  )
  assert.equal(event.domain, 'shop.example')
  assert.equal(event.details?.['url'], undefined)
})

test('the time that is told is the one whose place is shown, and no other', () => {
  const told = 'Feedback-Type: abuse\nArrival-Date: Mon, 2 Mar 2026 09:00:00 +0000'
  for (const [fields, value] of [
    [told, '2026-03-02T09:00:00.000Z'],
    ['Feedback-Type: abuse', '2026-03-02T09:58:01.000Z'],
  ] as const) {
    const { event, findings } = onlyEvent(fields)
    assert.equal(event.eventDate, value)
    const dates = findings.filter(({ field }) => field === '/event_date')
    assert.deepEqual(
      dates.map((each) => each.value),
      [value],
    )
  }
})

test('the subject, which is that of the reported mail, names no source', () => {
  const text = `From: fbl@example.org
Subject: FW: you have mail from IP 198.51.100.9
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary=b

--b
Content-Type: text/plain

A report.
--b
Content-Type: message/feedback-report

Feedback-Type: abuse
--b--
`
  assert.equal(ARF_FORMAT.read(parseMailReport(text, RECEIVED_AT_MS))?.kind, 'no_report')
})

function mailWith(words: string) {
  return parseMailReport(
    `From: ann@reporter.example
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

${words}
--b
Content-Type: message/rfc822

X-HmXmrOriginalRecipient: jane@mailbox.example
${MAIL}
--b--
`,
    RECEIVED_AT_MS,
  )
}

test('the mark of a junk mail report in the reported mail hides no complaint in words', () => {
  assert.equal(ARF_FORMAT.read(mailWith('The page http://bad.example/login is phishing.')), null)
  assert.equal(ARF_FORMAT.read(mailWith(''))?.kind, 'report')
})

test('the time of the report stands in where the arrival is no time', () => {
  const { event } = onlyEvent(
    'Feedback-Type: abuse\nSource-IP: 192.0.2.1\nArrival-Date: soon',
    null,
  )
  assert.equal(event.eventDate, '2026-03-02T10:00:00.000Z')
})

test('an arrival in the future is not believed', () => {
  const { event } = onlyEvent('Feedback-Type: abuse\nArrival-Date: Mon, 2 Mar 2036 09:00:00 +0000')
  assert.equal(event.eventDate, '2026-03-02T10:00:00.000Z')
})

test('a report without any source is refused with the reason, not made an event', () => {
  const fields = 'Feedback-Type: abuse\nUser-Agent: x\nReported-Domain: not a domain'
  const result = read(fields, 'From: a@example.org\n\nhi')
  assert.ok(result?.kind === 'no_report')
  assert.match(result.reason, /names no source/)
})

test('a bounce and a plain mail are not feedback reports', () => {
  const bounce = `From: mailer-daemon@example.org
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain

Not delivered.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; a@example.org
Action: failed
--b
Content-Type: message/rfc822

${MAIL}
--b--
`
  const words =
    'From: a@example.org\n\nThe Feedback-Type: of RFC 5965 is explained here.\nSource-IP: see there\n'
  const one = 'From: a@example.org\n\nFeedback-Type: abuse\n\nis what I would write.\n'
  for (const text of [bounce, words, one]) {
    assert.equal(ARF_FORMAT.read(parseMailReport(text, RECEIVED_AT_MS)), null)
  }
})

test('the recipient is kept as a domain only', () => {
  assert.equal(redactAddress('<jane.doe@mailbox.example>'), 'redacted@mailbox.example')
  assert.equal(redactAddress('jane'), 'redacted')
  assert.equal(redactAddress(' '), undefined)
  const { event } = onlyEvent('Feedback-Type: abuse\nOriginal-Rcpt-To: <jane.doe@mailbox.example>')
  assert.doesNotMatch(JSON.stringify(event), /jane/)
})
