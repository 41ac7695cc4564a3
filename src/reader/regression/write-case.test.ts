// A case is read by the reader of made-up mails and gives what is expected; anonymised, nothing of
// the original is left in it.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { listMadeUpMails, type MadeUpMail, surroundingsOf } from '../../../test/made-up-mails.ts'
import { parseIpAddress } from '../../values/address.ts'
import { readReportBytes, writeRegressionCase } from '../read-report.ts'
import type { CaseRequest } from '../reading.ts'

const RECEIVED_MS = Date.parse('2026-11-03T12:00:00Z')

const QUOTED = 'Gr=C3=BC=C3=9Fe, Jo=C3=ABlle Quux=\r\nmann called +49 30 5550134 from 203.0.113.77'
const HTML = Buffer.from(
  '<p>Dear team,<br>see <a href="https://login.zorgbank.example/in?mail=j.quuxmann%40zorgbank.example">Zorgbank</a>, j.quuxmann&#64;zorgbank.example</p>',
).toString('base64')

// Everything that names somebody in the mail below, also in its encoded parts.
const ORIGINAL = [
  'Quuxmann',
  'Joëlle',
  'Wibblesworth',
  'zorgbank',
  'frobnitz',
  'grumbledesk',
  'kraken-host-17',
  '5550134',
  '203.0.113.77',
  '203[.]0[.]113[.]78',
  '203.0.113.78',
  '203.0.113.79',
  '2001:db8:77::9',
  '10.77.1.2',
  'QX7781K2ZZ91MMPQ',
]

const MAIL = [
  'Return-Path: <SRS0=ab=zorgbank.example=joelle.quuxmann@mx.grumbledesk.example>',
  'Received: from kraken-host-17.frobnitz.example (kraken-host-17.frobnitz.example [203.0.113.79])',
  '\tby mx.zorgbank.example (Postfix) with ESMTPS id QX7781K2ZZ91MMPQ; Tue, 3 Nov 2026 09:00:00 +0000',
  'Received: from [10.77.1.2] by mail.zorgbank.example; Tue, 3 Nov 2026 08:59:00 +0000',
  'DKIM-Signature: v=1; d=zorgbank.example; b=QX7781K2ZZ91MMPQ',
  'X-Secret-Customer: frobnitz',
  'From: =?utf-8?Q?Jo=C3=ABlle_Quuxmann?= <joelle.quuxmann@zorgbank.example>',
  'To: abuse@provider.example',
  'Cc: "Wibblesworth, Tom" <t.wibblesworth@grumbledesk.example>',
  'Subject: =?utf-8?B?UGhpc2hpbmcgYWdhaW5zdCBab3JnYmFuayBhdCAyMDMuMC4xMTMuNzc=?=',
  'Message-ID: <QX7781K2ZZ91MMPQ@mail.zorgbank.example>',
  'Date: Tue, 3 Nov 2026 09:00:00 +0000',
  'Content-Type: multipart/mixed; boundary="b1"',
  '',
  '--b1',
  'Content-Type: multipart/alternative; boundary="b2"',
  '',
  '--b2',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Phishing page: hxxps://login[.]frobnitz[.]example/zorgbank/in',
  'It lies at 203[.]0[.]113[.]78 and 2001:db8:77::9.',
  '=3D=3D=3D not the end',
  '',
  'Kind regards',
  QUOTED,
  '--b2',
  'Content-Type: text/html; charset=utf-8',
  'Content-Transfer-Encoding: base64',
  '',
  HTML,
  '--b2--',
  '--b1',
  'Content-Type: message/rfc822',
  '',
  'Received: from kraken-host-17.frobnitz.example ([203.0.113.78]) by mx.zorgbank.example; Tue, 3 Nov 2026 08:00:00 +0000',
  'From: Zorgbank <service@frobnitz.example>',
  'To: Tom Wibblesworth <t.wibblesworth@grumbledesk.example>',
  'Subject: Your account at Zorgbank',
  'Date: Tue, 3 Nov 2026 08:00:00 +0000',
  '',
  'Dear Tom Wibblesworth, log in at https://login.frobnitz.example/zorgbank/in',
  '--b1',
  'Content-Type: application/zip; name="quuxmann.zip"',
  'Content-Transfer-Encoding: base64',
  'Content-Disposition: attachment; filename="quuxmann.zip"',
  '',
  Buffer.from('PK Quuxmann').toString('base64'),
  '--b1--',
  '',
].join('\r\n')

const REQUEST: CaseRequest = {
  name: 'report 1',
  isAnonymised: true,
  receivedAtMs: RECEIVED_MS,
  ownNetworks: ['203.0.113.64/26', 'frobnitz.example'],
  envelopeRecipient: 'abuse@provider.example',
  isTrapped: false,
  expectation: {
    ips: ['203.0.113.78'],
    urls: ['https://login.frobnitz.example/zorgbank/in'],
    domains: [],
    types: ['Phishing'],
    reporter: 'joelle.quuxmann@zorgbank.example',
    recipient: 'abuse@provider.example',
    bystanders: ['zorgbank.example', '203.0.113.77'],
  },
}

function write(mail: string, request: Partial<CaseRequest> = {}): string {
  const written = writeRegressionCase(Buffer.from(mail), { ...REQUEST, ...request })
  assert.ok(written.kind === 'case', JSON.stringify(written))
  return written.text
}

/** As the tests of the reader see it. */
function parse(text: string): MadeUpMail {
  const folder = mkdtempSync(join(tmpdir(), 'casework-case-'))
  try {
    writeFileSync(join(folder, 'case.txt'), text)
    const mails = listMadeUpMails(folder)
    assert.equal(mails.length, 1)
    const [mail] = mails
    assert.ok(mail !== undefined)
    return mail
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function read(mail: MadeUpMail) {
  const result = readReportBytes(mail.bytes, {
    receivedAtMs: mail.receivedAtMs,
    mediaType: 'message/rfc822',
    fallbackReporter: null,
    ...surroundingsOf(mail),
  })
  assert.ok(result.kind === 'report', JSON.stringify(result))
  return result
}

function summarise(mail: MadeUpMail, bytes: Buffer): string {
  const context = { receivedAtMs: mail.receivedAtMs, ...surroundingsOf(mail) }
  const result = readReportBytes(bytes, { mediaType: '', fallbackReporter: null, ...context })
  if (result.kind !== 'report') return result.kind
  const events = result.events.map(({ event: { eventType, ip, domain, details, senderEmail } }) => {
    return [eventType, ip, domain, details?.['url'], senderEmail]
  })
  return JSON.stringify(events)
}

/** With every base64 and quoted-printable part decoded. */
function listDecoded(text: string): readonly string[] {
  const tokens = text.match(/[A-Za-z0-9+/=]{16,}/g) ?? []
  return [text, ...tokens.map((token) => Buffer.from(token, 'base64').toString('utf8'))].map(
    (each) => each.normalize('NFC').toLowerCase(),
  )
}

describe('an anonymised case', () => {
  test('nothing of the original is left in it, not in headers nor in encoded parts', () => {
    const texts = listDecoded(write(MAIL))
    for (const name of ORIGINAL) {
      const found = texts.find((text) => text.includes(name.toLowerCase()))
      assert.equal(found, undefined, `${name} in\n${found}`)
    }
  })

  test('all of its domains and addresses are those of RFC 2606, RFC 5737 and RFC 3849', () => {
    const text = write(MAIL)
    const hosts = text.replaceAll('[.]', '.').match(/(?<=@|:\/\/)[a-z0-9.-]+/g) ?? []
    assert.ok(hosts.length > 8)
    assert.deepEqual(
      hosts.filter((host) => !host.endsWith('.example')),
      [],
    )
    const ips = text.match(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g) ?? []
    assert.ok(ips.length > 4)
    const isMade = /^(?:192\.0\.2|198\.51\.100|203\.0\.113|10\.0\.0)\./
    assert.deepEqual(
      ips.filter((ip) => parseIpAddress(ip) === null || !isMade.test(ip)),
      [],
    )
  })

  test('an IPv6 address is replaced wherever it stands in a line', () => {
    const lines = [
      'Received: from x (unknown [IPv6:2001:db8:77::a]) by mx.zorgbank.example',
      'Lines containing IP:2001:db8:77::b in a log',
      'connect to 2001:db8:77::c: connection refused',
      '[client 2001:db8:77::d:51404] not found',
      'source:2001:DB8:77::E, rip 2001:0db8:0077:0000:0000:0000:0000:000f',
      'returned to wombat@[IPv6:2001:db8:77::10]',
    ]
    const text = write(MAIL.replace('=3D=3D=3D not the end', lines.join('\r\n')))
    assert.doesNotMatch(text, /2001:0?db8:0?0?77|wombat/i)
    for (const kept of [/IPv6:2001:db8::/, /: connection refused/, /:51404\]/]) {
      assert.match(text, kept)
    }
  })

  test('is read by the reader of made-up mails, with what is expected in its own names', () => {
    const text = write(MAIL)
    const mail = parse(text)
    const [ip] = mail.ip
    const [url = ''] = mail.url
    assert.match(text, new RegExp(`It lies at ${ip?.replaceAll('.', '\\[\\.\\]')} and 2001:db8::`))
    const { hostname } = new URL(url)
    assert.match(text, new RegExp(`hxxps://${hostname.replaceAll('.', '\\[\\.\\]')}/`))
    assert.deepEqual([mail.kind, mail.types], ['bystander', new Set(['Phishing'])])
    assert.equal(mail.not.size, 2)
    assert.deepEqual(mail.own.length, 3)
    assert.match(mail.reporter ?? '', /^user-[a-z]+@site[a-z]+\.example$/)
    const result = read(mail)
    assert.equal(result.events[0]?.event.senderEmail, mail.reporter)
    // As the mail itself is read: by the trace of the enclosed mail.
    assert.equal(result.events[0]?.event.eventType, 'Phishing')
    assert.equal(result.events[0]?.event.ip, ip)
  })

  test('two cases of one mail are equal, and one name is replaced by one in all parts', () => {
    assert.equal(write(MAIL), write(MAIL))
    const names = write(MAIL).match(/login\S{0,3}site[a-z]+/g) ?? []
    assert.ok(names.length >= 3)
    // The page and the real site.
    assert.equal(new Set(names.map((name) => name.replaceAll(/[[\]]/g, ''))).size, 2)
  })
})

describe('a case as it came', () => {
  test('keeps its texts, decoded, and what it reports', () => {
    const text = write(MAIL, { isAnonymised: false })
    const mail = parse(text)
    assert.deepEqual(mail.ip, new Set(['203.0.113.78']))
    assert.deepEqual(mail.url, new Set(['https://login.frobnitz.example/zorgbank/in']))
    assert.deepEqual(mail.not, new Set(['zorgbank.example', '203.0.113.77']))
    assert.equal(mail.reporter, 'joelle.quuxmann@zorgbank.example')
    assert.match(text, /^Subject: Phishing against Zorgbank at 203\.0\.113\.77$/m)
    assert.match(text, /Grüße, Joëlle Quuxmann called/)
    assert.match(text, /Dear Tom Wibblesworth/)
  })

  test('tells of the own networks what the hosts of its links are', () => {
    const urls = ['http://[2001:db8:77::9]/in', 'shop.frobnitz.example/x', 'http://other.example/']
    const expectation = { ...REQUEST.expectation, ips: [], urls, bystanders: [] }
    const ownNetworks = ['2001:db8:77::/48', 'frobnitz.example']
    const text = write(MAIL, { isAnonymised: false, expectation, ownNetworks })
    assert.match(text, /^own: 2001:db8:77::9 shop\.frobnitz\.example$/m)
  })

  test('a mail that reports nothing after all is expected to be rejected', () => {
    const nothing = { ips: [], urls: [], domains: [], types: [] }
    const expectation = { ...REQUEST.expectation, ...nothing }
    const mail = parse(write(MAIL, { expectation }))
    assert.deepEqual([mail.kind, mail.states], ['nothing', new Set(['rejected'])])
  })

  test('every made-up mail makes a case that is read as the mail was', () => {
    const mails = listMadeUpMails()
    const differing = mails.flatMap((mail) => {
      const text = write(mail.bytes.toString(), { isAnonymised: false })
      const [one, other] = [summarise(mail, mail.bytes), summarise(mail, parse(text).bytes)]
      return one === other ? [] : [`${mail.file}, ${mail.name}: ${one} / ${other}`]
    })
    assert.ok(mails.length > 600)
    assert.deepEqual(differing, [])
  })

  test('what is no mail, or too large, makes no case', () => {
    assert.deepEqual(writeRegressionCase(Buffer.from('{"a": 1}'), REQUEST), {
      kind: 'refused',
      reason: 'it is no mail',
    })
    const large = Buffer.from(`${MAIL}${'x'.repeat(1_100_000)}`)
    assert.equal(writeRegressionCase(large, REQUEST).kind, 'refused')
  })
})
