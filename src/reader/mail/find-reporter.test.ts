import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FoundReporter, findReporter } from './find-reporter.ts'
import { parseMail } from './parse-mail.ts'

const LIST = ['List-Id: Abuse desk <abuse.isp.example>', 'List-Post: <mailto:abuse@isp.example>']

function read(
  headers: readonly string[],
  { body = 'A report.', fallbackReporter = null as string | null } = {},
): FoundReporter | null {
  const mail = parseMail(Buffer.from(`${headers.join('\r\n')}\r\n\r\n${body}`))
  return findReporter(mail, { receivedAtMs: 0, mediaType: 'message/rfc822', fallbackReporter })
}

function assertContact(
  headers: readonly string[],
  contact: string | null,
  more: Parameters<typeof read>[1] = {},
): void {
  assert.equal(read(headers, more)?.contact ?? null, contact, headers.join(' | '))
}

describe('a mail without a list between', () => {
  it('is from the address in From, with its name and domain', () => {
    const found = read(['From: "Example CERT" <reports@cert.example>', 'To: abuse@isp.example'])
    assert.deepEqual(found, {
      org: 'Example CERT',
      contact: 'reports@cert.example',
      domain: 'cert.example',
      how: 'The address in From.',
    })
  })

  it('stays with From where Reply-To, Sender and the fields of forwarders name others', () => {
    assertContact(
      [
        'From: noc@shop.example',
        'Reply-To: case-1234@tickets.shop.example',
        'Sender: mailer@relay.example',
        'Resent-From: forwarder@home.example',
        'X-Forwarded-For: someone@home.example abuse@isp.example',
        'X-Forwarded-To: abuse@isp.example',
        'To: abuse@isp.example',
      ],
      'noc@shop.example',
    )
  })

  it('stays with From of a list member whose address the list did not touch', () => {
    assertContact(
      [
        ...LIST,
        'From: noc@shop.example',
        'X-Original-Sender: noc@shop.example',
        'To: abuse@isp.example',
      ],
      'noc@shop.example',
    )
    assertContact(
      [...LIST, 'From: staff@isp.example', 'To: abuse@isp.example'],
      'staff@isp.example',
    )
  })

  it('stays with a reporter that writes to itself and to us as a blind copy', () => {
    assertContact(
      ['From: reports@cert.example', 'To: reports@cert.example', 'Reply-To: hotline@cert.example'],
      'reports@cert.example',
    )
  })
})

describe('a list that put its own address into From', () => {
  const rewritten = [
    'From: "\'Example CERT\' via Abuse" <abuse@isp.example>',
    'To: abuse@isp.example',
  ]

  it('tells the author in X-Original-From, with the name', () => {
    const found = read([
      ...LIST,
      ...rewritten,
      'X-Original-From: Example CERT <reports@cert.example>',
      'X-Original-Sender: bounce@mailer.example',
      'Reply-To: tickets@cert.example',
    ])
    assert.equal(found?.contact, 'reports@cert.example')
    assert.equal(found.org, 'Example CERT')
    assert.match(found.how, /X-Original-From/)
  })

  it('tells the author in X-Original-Sender before Reply-To', () => {
    const found = read([
      ...LIST,
      ...rewritten,
      'X-Original-Sender: reports@cert.example',
      'Reply-To: tickets@cert.example',
    ])
    assert.equal(found?.contact, 'reports@cert.example')
    assert.equal(found.org, 'Example CERT')
  })

  it('tells the author in Reply-To, which may name the list as well', () => {
    assertContact(
      [...LIST, ...rewritten, 'Reply-To: abuse@isp.example, Example CERT <reports@cert.example>'],
      'reports@cert.example',
    )
  })

  it('tells the author only in the name beside the address', () => {
    assertContact(
      [
        ...LIST,
        'From: "\'reports@cert.example\' via Abuse" <abuse@isp.example>',
        'To: abuse@isp.example',
      ],
      'reports@cert.example',
    )
    assertContact(
      ['From: "reports at cert.example via Abuse" <abuse@isp.example>', 'To: abuse@isp.example'],
      'reports@cert.example',
    )
  })

  it('wraps the address of the author in its own', () => {
    for (const address of [
      'reports=40cert.example@lists.isp.example',
      'reports=cert.example@dmarc.lists.isp.example',
    ]) {
      assertContact([...LIST, `From: Example CERT <${address}>`], 'reports@cert.example')
    }
  })

  it('is known by the field of its manager and in other languages', () => {
    assertContact(
      [
        'X-BeenThere: abuse@isp.example',
        'From: "Beispiel CERT über Abuse" <abuse@isp.example>',
        'Reply-To: meldung@cert.example',
      ],
      'meldung@cert.example',
    )
  })

  it('is the reporter itself when nothing else is known', () => {
    const found = read([...LIST, ...rewritten])
    assert.equal(found?.contact, 'abuse@isp.example')
    assert.equal(found.org, 'Example CERT')
  })
})

const forwarded = (to: string, text = 'Your host 192.0.2.1 attacked us.'): string =>
  [
    'Please handle.',
    '',
    '---------- Forwarded message ---------',
    'From: Example CERT <reports@cert.example>',
    'Date: Sun, 1 Mar 2026',
    'Subject: Attack',
    `To: ${to}`,
    '',
    text,
  ].join('\r\n')

describe('the helpdesk of the recipient that passes a complaint on', () => {
  const headers = ['From: Support <support@isp.example>', 'To: abuse@isp.example']
  const jane = ['From: jane@isp.example', 'To: abuse@isp.example']
  it('is not the reporter', () => {
    assertContact(headers, 'reports@cert.example', { body: forwarded('support@isp.example') })
    const german = 'Von: Beispiel <melder@cert.example>\r\nAn: support@isp.example\r\n'
    assertContact(headers, 'melder@cert.example', {
      body: `-------- Weitergeleitete Nachricht --------\r\nBetreff: x\r\n${german}`,
    })
  })

  it('is not the reporter either where no line stands above the head that it copied', () => {
    const from = ['From: Kundendienst <kundendienst@isp.example>', 'To: abuse@isp.example']
    const head = 'Gesendet: Sonntag, 1. März 2026\r\nAn: kundendienst@isp.example\r\nBetreff: x'
    const body = `Bitte übernehmen.\r\n\r\nVon: Inge <inge@verein.example>\r\n${head}\r\n\r\nSpam!`
    assertContact(from, 'inge@verein.example', { body })
    const lone = 'Von: Inge <inge@verein.example>\r\n\r\nSpam!'
    assertContact(from, 'kundendienst@isp.example', { body: lone })
  })

  for (const row of [
    'Requestors: reports@cert.example',
    ' Transaction: Ticket created by reports@cert.example',
    'Requester: Example CERT <reports@cert.example>',
    'Anfragesteller: Example CERT <reports@cert.example>',
  ]) {
    it(`tells him in the row “${row}” of its ticket`, () => {
      const body = `A ticket was opened.\r\n${row}\r\nQueue: abuse\r\n\r\nYour host attacks us.`
      assertContact(headers, 'reports@cert.example', { body })
      const elsewhere = ['From: Desk <support@carrier.example>', 'To: abuse@isp.example']
      assertContact(elsewhere, 'support@carrier.example', { body })
    })
  }

  it('is named by no row of the own house', () => {
    const body = 'Requester: jane@isp.example\r\n\r\nYour host attacks us.'
    assertContact(headers, 'support@isp.example', { body })
  })

  it('may be a colleague whom the complaint reached', () => {
    assertContact(jane, 'reports@cert.example', { body: forwarded('jane@isp.example') })
    assertContact(jane, 'jane@isp.example', { body: forwarded('victim@other.example') })
  })

  it('is the reporter of spam that it received, and so is a customer', () => {
    assertContact(headers, 'support@isp.example', { body: forwarded('victim@other.example') })
    assertContact(jane, 'jane@isp.example', {
      body: forwarded('jane@isp.example', 'You have won a prize, come and get it.'),
    })
    assertContact(['From: support@shop.example', 'To: abuse@isp.example'], 'support@shop.example', {
      body: forwarded('support@shop.example'),
    })
  })
})

describe('a From that parsers read differently', () => {
  it('that stands twice is the first, and says so when they differ', () => {
    const found = read(['From: first@one.example', 'Subject: x', 'From: second@two.example'])
    assert.equal(found?.contact, 'first@one.example')
    assert.match(found.how, /2 From fields that differ/)
    assert.equal(
      read(['From: first@one.example', 'From: First@one.example'])?.how,
      'The address in From.',
    )
  })

  it('with an address as its name is the address in angle brackets', () => {
    for (const from of [
      '"shown@bank.example" <real@mailer.example>',
      '"shown@bank.example <shown@bank.example>" <real@mailer.example>',
      '=?utf-8?q?shown=40bank=2Eexample_=3Cshown=40bank=2Eexample=3E=2C?= <real@mailer.example>',
      '=?utf-8?b?c2hvd25AYmFuay5leGFtcGxl?= <real@mailer.example>',
      'real@mailer.example (shown@bank.example)',
      '(shown@bank.example) real@mailer.example',
      'Name (a comment <shown@bank.example>) <real@mailer.example>',
      'Name (a (nested) comment <shown@bank.example>) <real@mailer.example>',
      'Name (closed \\) not yet <shown@bank.example>) <real@mailer.example>',
      '"Quoted \\"name\\", with <brackets>" <real@mailer.example>',
    ]) {
      assertContact([`From: ${from}`], 'real@mailer.example')
    }
  })

  it('with a decoded name that looks like an address is no other in the fields of a list', () => {
    assertContact(
      [
        ...LIST,
        'From: x via Abuse <abuse@isp.example>',
        'X-Original-From: =?utf-8?q?shown=40bank=2Eexample=2C?= <real@mailer.example>',
      ],
      'real@mailer.example',
    )
  })

  it('with a group, or several, is the first member that can be answered', () => {
    assertContact(['From: Team: one@team.example, two@team.example;'], 'one@team.example')
    assertContact(['From: Nobody:;', 'Sender: real@mailer.example'], 'real@mailer.example')
    assertContact(['From: broken@, ok@team.example'], 'ok@team.example')
  })

  it('without a valid address gives way to Reply-To, Sender, Return-Path and the carrier', () => {
    const none = ['From: undisclosed', 'To: abuse@isp.example']
    assertContact([...none, 'Reply-To: answer@mailer.example'], 'answer@mailer.example')
    assertContact([...none, 'Return-Path: <bounce@mailer.example>'], 'bounce@mailer.example')
    assertContact([...none, 'Return-Path: <>'], 'caller@api.example', {
      fallbackReporter: 'caller@api.example',
    })
    assertContact(none, null)
    assertContact(none, null, { fallbackReporter: 'no address' })
    assertContact(['From: a@localhost'], null)
  })

  it('of a domain in its own script is stored as DNS knows it', () => {
    assertContact(['From: melder@b\u00fccher.example'], 'melder@xn--bcher-kva.example')
  })

  it('that is broken or hostile names nobody, and does not fail', () => {
    const hostile = ['<'.repeat(9_999), '('.repeat(9_999), 'a:'.repeat(5_000), '"'.repeat(9_999)]
    for (const from of hostile) assertContact([`From: ${from}`], null)
  })
})
