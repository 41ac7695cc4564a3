// Where a word stands decides what it weighs: beside what is reported, in a field, in a tag, in
// doubt, in advice. Whole mails are read, so that the finding tells what a person sees.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readReportBytes } from '../../read-report.ts'
import type { Finding } from '../../reading.ts'

interface Told {
  readonly type: string
  readonly findings: readonly Finding[]
}

function read(subject: string, body: string): Told {
  const mail = `From: Ann Reporter <ann@reporter.example>\r\nTo: abuse@provider.example\r\nSubject: ${subject}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${body}\r\n`
  const result = readReportBytes(Buffer.from(mail), {
    receivedAtMs: Date.UTC(2026, 10, 3, 12),
    mediaType: 'message/rfc822',
    fallbackReporter: null,
  })
  assert.equal(result.kind, 'report', `${subject}: ${body}`)
  const [event] = result.kind === 'report' ? result.events : []
  const findings = event?.findings.filter(({ field }) => field === '/event_type') ?? []
  return { type: event?.event.eventType ?? '', findings }
}

function assertTypes(cases: readonly (readonly [string, string, string])[]): void {
  for (const [type, subject, body] of cases) {
    const told = read(subject, body)
    const why = told.findings.map(({ reason }) => reason).join('\n')
    assert.equal(told.type, type, `${subject}: ${body}\n${why}`)
  }
}

describe('the words beside what is reported', () => {
  const template = 'Our unit fights phishing, and phishing is often a fraud.'

  it('weigh more than the subject and the first paragraph', () => {
    assertTypes([
      ['Malware', 'Notice', `${template}\n\nMalware: https://a.bad.example/x`],
      ['DDos', 'Spam or attack', 'Offender: 192.0.2.9 (SYN flood of 20 minutes)'],
      ['Spam', 'Report', `${template}\n\nSpam was sent by 192.0.2.9 all night.`],
    ])
  })

  it('are told as such', () => {
    const { findings } = read('Notice', 'Malware: https://a.bad.example/x')
    assert.ok(
      findings.some(
        ({ reason, line }) =>
          reason === '"malware" beside what is reported speaks for Malware with 15.0.' &&
          line === 1,
      ),
      findings.map(({ reason }) => reason).join('\n'),
    )
  })
})

describe('a field that names the kind', () => {
  it('decides, in its line or in the next one', () => {
    assertTypes([
      ['PortScan', 'Malware and spam', 'Abuse type: port scan\nIP: 192.0.2.9'],
      ['Spam', 'Phishing', 'Category\nspam\n\nIP\n192.0.2.9'],
      ['Spam', 'Meldung', 'Art des Vorfalls: Spam\nAdresse: 192.0.2.9'],
      ['Phishing', 'Signalement', 'Motif : Phishing\nhttps://a.bad.example/x'],
    ])
  })

  it('says nothing when it offers every kind, or is of something else', () => {
    assertTypes([
      [
        'PortScan',
        'Port scan',
        'Abuse type: spam / phishing / malware / ddos\nThe host 192.0.2.9 scanned our ports.',
      ],
      [
        'DNSBlocklist',
        'DNSBL: 192.0.2.9 was listed',
        'The DNSBL has 192.0.2.9.\nReason: trap hits',
      ],
    ])
  })
})

describe('the tag of a machine', () => {
  it('decides at the top of the text as in the subject', () => {
    assertTypes([
      ['Spam', 'Notice', '[spam-source] 192.0.2.9\n\nMalware and trojans are common causes.'],
      ['LoginAttack', '[alert-7] [brute-force] 192.0.2.9', 'It scanned ports before: 192.0.2.9'],
    ])
  })
})

describe('what is in doubt', () => {
  it('weighs a tenth, in whatever language and wherever the doubt stands', () => {
    assertTypes(
      [
        'The host 192.0.2.9 scanned our ports. Probably it is infected with malware, a bot.',
        '192.0.2.9: port scan. If it is infected with malware, clean the bot.',
        '192.0.2.9: port scan. Such systems are often infected with malware of a botnet.',
        '192.0.2.9: port scan. We recommend to look for malware, a trojan or a botnet.',
        '192.0.2.9: port scan. Possible causes:\n- malware\n- a botnet\n- a trojan',
        'Portscan von 192.0.2.9. Womöglich ist der Rechner mit Malware infiziert, Teil eines Botnetzes.',
        'Scan de ports par 192.0.2.9. La machine est peut-être infectée par un malware, un botnet.',
        'Escaneo de puertos desde 192.0.2.9. Quizás hay malware o un botnet.',
        'Port scan da 192.0.2.9. Probabilmente c’è un malware, una botnet.',
        'Port scan de 192.0.2.9. Talvez haja malware ou uma botnet.',
        'Portscan vanaf 192.0.2.9. Misschien is er malware of een botnet.',
        'Port scan z 192.0.2.9. Prawdopodobnie malware, botnet.',
        'Port scan z 192.0.2.9. Pravděpodobně malware, botnet.',
        'Port scan с 192.0.2.9. Вероятно, malware, ботнет.',
        'Port scan з 192.0.2.9. Ймовірно, malware, ботнет.',
        '192.0.2.9 port scan. Bilgisayar bir botnet, malware olabilir.',
        'Port scan från 192.0.2.9. Kanske malware, botnet.',
        'Port scan fra 192.0.2.9. Måske malware, botnet.',
        'Port scan: 192.0.2.9. Ehkä malware, botnet.',
        'Port scan de la 192.0.2.9. Probabil malware, botnet.',
        'Port scan: 192.0.2.9. Talán malware, botnet.',
        'Port scan από 192.0.2.9. Ίσως malware, botnet.',
        'Port scan từ 192.0.2.9. Có lẽ malware, botnet.',
        'Port scan dari 192.0.2.9. Mungkin malware, botnet.',
        '192.0.2.9 から port scan。malware や botnet の可能性があります。',
        '192.0.2.9 port scan. malware, botnet 가능성이 있습니다.',
        '192.0.2.9 port scan。可能是 malware、botnet。',
      ].map((body) => ['PortScan', 'Abuse', body]),
    )
  })

  it('is told, and counts fully where nothing else is said', () => {
    const { type, findings } = read('Notice', 'The host 192.0.2.9 may be part of a botnet.')
    assert.equal(type, 'Bot')
    assert.match(findings[0]?.reason ?? '', /^"botnet…".*, of what may be, speaks for Bot/)
  })
})

describe('a log', () => {
  const lines = {
    LoginAttack: [
      "2026-11-02 08:09:10 7 [Note] Access denied for user 'root'@'192.0.2.9' (using password: YES)",
      '2026-11-02 08:09:10 login authenticator failed for (x) [192.0.2.9]: 535 Incorrect authentication data',
      'Mon Nov  2 05:06:07 2026 [pid 2] [admin] FAIL LOGIN: Client "192.0.2.9"',
      "[2026-11-02 07:08:09] NOTICE[1] chan_sip.c: Registration from '<sip:1@198.51.100.8>' failed for '192.0.2.9:5071' - Wrong password",
    ],
    WebHack: [
      '192.0.2.9 - - [02/Nov/2026:03:04:05 +0000] "GET /.env HTTP/1.1" 404 162 "-" "curl/8"',
      '2026/11/02 13:14:15 [error] 2#2: *1 open() "/var/www/x.php" failed (2: No such file), client: 192.0.2.9',
    ],
    Spam: [
      'Nov  2 09:10:11 mx postfix/smtpd[9]: NOQUEUE: reject: RCPT from unknown[192.0.2.9]: 554 5.7.1 Relay access denied',
    ],
    PortScan: [
      'Nov  2 10:11:12 asa %ASA-4-106023: Deny tcp src outside:192.0.2.9/5 dst inside:198.51.100.3/22',
    ],
  } as const

  it('decides below general words', () => {
    for (const [type, all] of Object.entries(lines)) {
      for (const line of all) {
        assertTypes([[type, 'Malicious activity from 192.0.2.9', `Hello,\n\n${line}`]])
      }
    }
  })

  it('decides above what a template says of bots, and not above what prose names', () => {
    const [line] = lines.LoginAttack
    const bots = 'Infected machines are a pest. Many belong to a botnet.'
    assertTypes([
      ['LoginAttack', 'Report', `${bots}\n\n${line}`],
      ['Copyright', 'DMCA notice: copyright', `Copyright infringement by 192.0.2.9.\n\n${line}`],
    ])
  })
})
