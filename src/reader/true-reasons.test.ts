// Each reason with which a report is refused, with a report for which it is true, and with one that
// differs in just this and gets another.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readReportBytes } from './read-report.ts'
import type { Finding } from './reading.ts'

interface Outcome {
  readonly reason: string
  readonly passedOver: readonly Finding[]
}

function explain(text: string, mediaType = 'message/rfc822'): Outcome {
  const receivedAtMs = Date.parse('2026-03-02T12:00:00Z')
  const context = { receivedAtMs, mediaType, fallbackReporter: 'desk@reporter.example' }
  const result = readReportBytes(Buffer.from(text.replaceAll('\n', '\r\n')), context)
  if (result.kind === 'no_report') return result
  return { reason: result.kind === 'unreadable' ? result.reason : result.kind, passedOver: [] }
}

const mail = (body: string, subject = 'hello', headers = ''): string =>
  `From: a@reporter.example\nTo: abuse@provider.example\nSubject: ${subject}\n${headers}\n${body}`
const part = (type: string, content: string, headers = ''): string =>
  `--b\nContent-Type: ${type}\n${headers}\n${content}\n`
const multipart = (type: string, ...parts: readonly string[]): string =>
  mail(`${parts.join('')}--b--\n`, 'report', `Content-Type: ${type}; boundary=b\n`)

const noComplaint = (why: string): string =>
  `The mail is no complaint (${why}); it reports nothing.`
const NAMES_NOTHING = noComplaint(
  'it names no address, link or domain that could be complained about',
)
const HAS_LINK = noComplaint('it has a link, and says nothing bad of it')
const ELSE = noComplaint('what it names is said to be something else')

const feedback = (fields: string): string =>
  multipart(
    'multipart/report; report-type=feedback-report',
    part('text/plain', 'x'),
    part('message/feedback-report', `Feedback-Type: abuse\nVersion: 1\nUser-Agent: x\n${fields}`),
    part('message/rfc822', 'From: x@y.example\nSubject: spam\n\nhi'),
  )
const imitation = (address: string): string =>
  feedback(`Source-IP: ${address}\nReported-Domain: provider.example\n`).replace(
    'Feedback-Type: abuse',
    'Feedback-Type: auth-failure',
  )
const iodef = (address: string): string =>
  multipart(
    'multipart/mixed',
    part(
      'text/xml; name=i.xml',
      `<IODEF-Document xmlns="urn:ietf:params:xml:ns:iodef-1.0" version="1.00"><Incident purpose="reporting"><IncidentID name="x">1</IncidentID><ReportTime>2026-01-01T00:00:00Z</ReportTime><Assessment><Impact type="recon"/></Assessment><Contact role="creator" type="organization"><Email>d@reporter.example</Email></Contact><EventData><Flow><System category="source"><Node><Address category="ipv4-addr">${address}</Address></Node></System></Flow></EventData></Incident></IODEF-Document>`,
    ),
  )
const dmarc = (dkim: string): string =>
  multipart(
    'multipart/mixed',
    part(
      'text/xml; name=r.xml',
      `<feedback><report_metadata><org_name>x</org_name><email>d@reporter.example</email><report_id>1</report_id><date_range><begin>1767225600</begin><end>1767312000</end></date_range></report_metadata><policy_published><domain>provider.example</domain><p>none</p></policy_published><record><row><source_ip>198.51.100.7</source_ip><count>1</count><policy_evaluated><disposition>none</disposition><dkim>${dkim}</dkim><spf>fail</spf></policy_evaluated></row><identifiers><header_from>provider.example</header_from></identifiers></record></feedback>`,
    ),
  )

describe('a text that names nothing', () => {
  for (const text of ['x', 'hello world', 'Please help, we are attacked!', 'version 1.2 of it']) {
    it(`is not said to have a link: ${text}`, () => {
      for (const outcome of [explain(text, 'text/plain'), explain(mail(text))]) {
        assert.equal(outcome.reason, NAMES_NOTHING)
        assert.ok(!JSON.stringify(outcome.passedOver).includes('link, and'))
      }
    })
  }

  it('is not said to name something else when only addresses of nobody stand there', () => {
    for (const text of ['the addresses 10.0.0.1 and 192.168.0.1', 'mail bob@example.org']) {
      assert.equal(explain(text, 'text/plain').reason, NAMES_NOTHING, text)
    }
  })
})

describe('a text that names something and complains of nothing', () => {
  it('is told by its link, or by what that is said to be', () => {
    const nice = 'Your sites http://a.example/ and http://b.example/ are nice.'
    assert.equal(explain(mail(nice)).reason, HAS_LINK)
    assert.equal(explain(mail('Our server 198.51.100.7 was the target.')).reason, ELSE)
  })

  it('is told by its domain when it has no link', () => {
    const reason = noComplaint('it names a domain, and says nothing bad of it')
    assert.equal(explain(mail('shop.example.com is a nice site')).reason, reason)
  })
})

describe('a report of a machine or with a part that is not read', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    [
      feedback(''),
      feedback('Source-IP: 198.51.100.7\n'),
      'The feedback report names no source: no public Source-IP, no public hop in the enclosed mail, no Reported-URI and no Reported-Domain.',
    ],
    [
      imitation('10.0.0.1'),
      imitation('198.51.100.7'),
      'The feedback report names a source that is nobody on the Internet, and its Reported-Domain was imitated.',
    ],
    [
      dmarc('pass'),
      dmarc('fail'),
      'The DMARC report holds 1 rows and none of them failed both DKIM and SPF.',
    ],
    [
      iodef('10.0.0.1'),
      iodef('198.51.100.7'),
      'The incident names no source that somebody can have on the Internet.',
    ],
    [
      mail('The jail sshd has been started successfully.', '[Fail2Ban] sshd: started on host'),
      mail(
        'The IP 198.51.100.7 has just been banned by Fail2Ban after 5 attempts against sshd.',
        '[Fail2Ban] sshd: banned 198.51.100.7 from host',
      ),
      'The mail tells that a jail of fail2ban was started or stopped; it accuses nobody.',
    ],
    [
      multipart(
        'multipart/mixed',
        part('text/plain', 'See the attachment.'),
        part(
          'application/pdf; name=a.pdf',
          'x',
          'Content-Disposition: attachment; filename=a.pdf\n',
        ),
      ),
      multipart('multipart/mixed', part('text/plain', 'See the attachment.')),
      'The text names nobody, and nobody here reads what may: attachment a.pdf (PDF).',
    ],
    [
      multipart('multipart/report', part('text/plain', 'x'), part('message/delivery-status', 'x')),
      multipart('multipart/report', part('text/plain', 'x'), part('text/plain', 'x')),
      'The mail is a notice of a mail system (message/delivery-status); it reports nothing.',
    ],
    [
      multipart('multipart/digest', part('message/rfc822', 'Subject: a\n\nhi')),
      multipart('multipart/mixed', part('text/plain', 'hi')),
      'The mail is the digest of a mailing list (multipart/digest); it reports nothing.',
    ],
    [mail(''), mail('x'), 'The mail is empty (a subject without a text); it reports nothing.'],
    [
      mail('', ''),
      mail('', 'x'),
      'The mail is empty (no subject and no text); it reports nothing.',
    ],
  ]
  for (const [text, other, reason] of cases) {
    it(reason, () => {
      assert.equal(explain(text).reason, reason)
      assert.notEqual(explain(other).reason, reason)
    })
  }
})

describe('a text that is no mail', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['', 'The report is empty.'],
    ['[1]', 'The report is JSON, but not an object.'],
    [
      '{"a":1}',
      'The report is a JSON object, but not XARF: it has no xarf_version of the form 4.x.y.',
    ],
    [
      '<?xml version="1.0"?><other/>',
      'The report is XML, but of no kind that is read here: its root element is <other>.',
    ],
  ]
  for (const [text, reason] of cases) {
    it(reason, () => assert.equal(explain(text, 'text/plain').reason, reason))
  }
})
