import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { findMailSource, parseHeaderLines, type TraceKnowledge } from './enclosed-mail.ts'

function sourceOf(...lines: readonly string[]): string | null {
  return findMailSource(parseHeaderLines(lines))?.ip ?? null
}

test('header lines are unfolded, decoded and end with the first line that is none', () => {
  const headers = parseHeaderLines([
    '',
    'From relay@example.org Mon Mar  2 10:00:00 2026',
    'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
    'Received: from a.example',
    '\tby b.example;',
    ' Mon, 2 Mar 2026 10:00:00 +0000',
    'X-Empty:',
    '',
    'Body: no header',
  ])
  assert.deepEqual(headers, [
    { name: 'subject', value: 'Grüße' },
    {
      name: 'received',
      value: 'from a.example by b.example; Mon, 2 Mar 2026 10:00:00 +0000',
    },
    { name: 'x-empty', value: '' },
  ])
})

test('a line that is no header is not taken for one', () => {
  assert.deepEqual(parseHeaderLines(['Hello there', 'From: a@example.org']), [])
})

for (const [shape, line, ip] of [
  [
    'Postfix',
    'Received: from mail.sender.example (mail.sender.example [192.0.2.7]) by mx.reporter.example (Postfix) with ESMTPS id 1A2B3C; Mon, 2 Mar 2026 10:00:00 +0000',
    '192.0.2.7',
  ],
  [
    'Postfix over IPv6',
    'Received: from mail.sender.example (unknown [IPv6:2001:DB8::25]) by mx.reporter.example (Postfix)',
    '2001:db8::25',
  ],
  [
    'Exim without a reverse name',
    'Received: from [192.0.2.8] (helo=[198.51.100.1]) by mx.reporter.example with esmtp (Exim 4.96)',
    '192.0.2.8',
  ],
  [
    'Exim with one',
    'Received: from host.sender.example ([192.0.2.9]:41234 helo=friend) by mx.reporter.example',
    '192.0.2.9',
  ],
  [
    'qmail',
    'Received: from unknown (HELO [198.51.100.1]) (192.0.2.10) by mx.reporter.example with SMTP; 2 Mar 2026',
    '192.0.2.10',
  ],
  [
    'an address as the given name',
    'Received: from 198.51.100.1 (dsl.sender.example. [192.0.2.11]) by mx.reporter.example',
    '192.0.2.11',
  ],
  [
    'an address beside the given name',
    'Received: from friend [198.51.100.1] (dsl.sender.example [192.0.2.14]) by mx.reporter.example',
    '192.0.2.14',
  ],
  [
    'a web mail whose client claims to speak for another',
    'Received: from 192.0.2.15 (proxying for 198.51.100.1) (SquirrelMail authenticated user ann) by web.sender.example',
    '192.0.2.15',
  ],
  ['no receiving server', 'Received: from x.example ([192.0.2.12]); Mon, 2 Mar 2026', '192.0.2.12'],
  ['only where it went', 'Received: by 192.0.2.13 with SMTP id x; Mon, 2 Mar 2026', null],
  ['a time that looks like an address', 'Received: from x.example (10:00:00) by mx.example', null],
] as const) {
  test(`the client of a hop is found in a line of ${shape}`, () => {
    assert.equal(sourceOf(line), ip)
  })
}

test('the topmost public hop wins over what the sender may have invented below it', () => {
  const ip = sourceOf(
    'Received: from localhost (localhost [127.0.0.1]) by mx.reporter.example',
    'Received: from filter.reporter.example (filter.reporter.example [10.1.1.1]) by mx.reporter.example',
    'Received: from bad.sender.example (bad.sender.example [192.0.2.20]) by mx.reporter.example',
    'Received: from victim.example (victim.example [198.51.100.20]) by bad.sender.example',
  )
  assert.equal(ip, '192.0.2.20')
})

test('hops between servers of the reporter are passed over', () => {
  const ip = sourceOf(
    'Received: from in1.mail.reporter.example (in1.mail.reporter.example [203.0.113.1]) by store.mail.reporter.example',
    'Received: from bad.sender.example (bad.sender.example [192.0.2.21]) by in1.mail.reporter.example',
  )
  assert.equal(ip, '192.0.2.21')
})

test('a sender that calls itself one of the reporter is not passed over when the server has checked it', () => {
  const ip = sourceOf(
    'Received-SPF: Fail (reporter.example: does not designate) client-ip=192.0.2.22; helo=a.reporter.example',
    'Received: from a.reporter.example (192.0.2.22) by mx.reporter.example with SMTP',
    'Received: from innocent.example (innocent.example [198.51.100.22]) by a.reporter.example',
  )
  assert.equal(ip, '192.0.2.22')
})

test('without a reverse name the given one makes no hop an inner one', () => {
  const ip = sourceOf(
    'Received: from a.reporter.example (unknown [192.0.2.23]) by mx.reporter.example',
    'Received: from innocent.example (innocent.example [198.51.100.23]) by a.reporter.example',
  )
  assert.equal(ip, '192.0.2.23')
})

test('nor does a name that the server only heard, or found to lead elsewhere', () => {
  for (const client of [
    'dsl.sender.example (HELO mx.reporter.example) (192.0.2.24)',
    'friend (mx.reporter.example [192.0.2.24] (may be forged))',
  ]) {
    const ip = sourceOf(
      `Received: from ${client} by mx.reporter.example with SMTP`,
      'Received: from innocent.example (innocent.example [198.51.100.24]) by mx.reporter.example',
    )
    assert.equal(ip, '192.0.2.24', client)
  }
})

test('when all hops are of one site, the oldest is it, unless the site is the recipient’s own', () => {
  const ip = sourceOf(
    'Received: from out7.big.example (out7.big.example [192.0.2.30]) by mx.big.example',
    'Received: from out8.big.example (out8.big.example [192.0.2.31]) by out7.big.example',
  )
  assert.equal(ip, '192.0.2.31')
  const inner = 'Received: from mx.home.example ([192.0.2.32]) by store.home.example'
  assert.equal(sourceOf('Delivered-To: ann@home.example', inner), null)
})

test('an address that the reporter names wins over the topmost hop, where the header has it', () => {
  const headers = parseHeaderLines([
    'Received: from out.mailer.example ([192.0.2.50]) by mx.reporter.example',
    'X-Originating-IP: [192.0.2.51]',
  ])
  const knowledge = knowing({})
  const stated = new Set(['192.0.2.51'])
  assert.equal(
    findMailSource(headers, { ...knowledge, isStated: (ip) => stated.has(ip) })?.ip,
    '192.0.2.51',
  )
  assert.equal(findMailSource(headers, knowledge)?.ip, '192.0.2.50')
})

test('of a relay of those it was reported to the client is it, and only of that relay', () => {
  const relay = 'Received: from relay.desk.example ([192.0.2.60]) by mx.reporter.example'
  const client = 'Received: from [192.0.2.61] by relay.desk.example'
  const forged = 'Received: from [192.0.2.62] by relay.other.example'
  const knowledge = knowing({ isDesk: () => true })
  const find = (...lines: readonly string[]) =>
    findMailSource(parseHeaderLines(lines), knowledge)?.ip
  assert.equal(find(relay, client), '192.0.2.61')
  assert.equal(find(relay, forged), '192.0.2.60')
})

test('two addresses of one /32 of IPv6 are of one site, whatever their names', () => {
  const inside =
    'Received: from in.one.example ([2001:db8:a::1]) by store.two.example ([2001:db8:b::2])'
  const outside = 'Received: from spam.example ([192.0.2.70]) by in.one.example'
  assert.equal(sourceOf(inside, outside), '192.0.2.70')
})

test('without a public hop the client that the receiving server states counts, then the origin headers', () => {
  const inside = 'Received: from a.example ([10.0.0.1]) by b.example'
  const stated =
    'Authentication-Results: mx.reporter.example; spf=pass (sender IP is 192.0.2.40) smtp.mailfrom=x@a.example'
  const origin = 'X-Originating-IP: [192.0.2.41]'
  assert.equal(sourceOf(origin, inside, stated), '192.0.2.40')
  assert.equal(sourceOf(origin, inside), '192.0.2.41')
  assert.equal(sourceOf(inside, 'X-Originating-IP: [10.0.0.9]'), null)
})

test('the envelope sender states no client, though it may be written like one', () => {
  const inside = 'Received: from a.example ([10.0.0.1]) by b.example'
  for (const sender of [
    'client-ip=198.51.100.9@sender.example',
    'client-ip=198.51.100.9+x@sender.example',
    '"; client-ip=198.51.100.9; "@sender.example',
  ]) {
    const stated = `Received-SPF: Pass (mx.reporter.example: domain of ${sender} designates 192.0.2.40 as permitted sender) client-ip=192.0.2.40; envelope-from=${sender};`
    assert.equal(sourceOf(stated, inside), '192.0.2.40', sender)
    const results = `Authentication-Results: mx.reporter.example; spf=pass smtp.mailfrom=${sender}`
    assert.equal(sourceOf(results, inside), null, sender)
  }
})

test('any header lines are read without a fault, and the source stands in the line that is shown', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string().map((text) => `Received: from ${text} by mx.example`),
    fc.ipV4().map((ip) => `Received: from x.example ([${ip}]) by mx.reporter.example`),
  )
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const source = findMailSource(parseHeaderLines(lines))
      assert.ok(
        source === null || source.line.toLowerCase().includes(source.ip) || source.ip.includes(':'),
      )
    }),
  )
})

test('a client that logged in at the relay is not it, unless its network is ours', () => {
  const relay = 'Received: from relay.desk.example ([192.0.2.60]) by mx.reporter.example'
  const home = 'Received: from pc.home.example ([203.0.113.61]) by relay.desk.example'
  const find = (client: string, own: string) => {
    const knowledge = knowing({ isDesk: () => true, isOwn: (ip) => ip === own })
    return findMailSource(parseHeaderLines([relay, client]), knowledge)?.ip
  }
  for (const way of ['esmtpa', 'ESMTPSA', 'ASMTP', 'UTF8SMTPSA', 'LMTPA']) {
    assert.equal(find(`${home} with ${way} id 1`, 'none'), '192.0.2.60', way)
  }
  assert.equal(find(`${home} (Authenticated sender: ann) with ESMTPS`, 'none'), '192.0.2.60')
  assert.equal(find(`${home} with ESMTPA id 1`, '203.0.113.61'), '203.0.113.61')
  assert.equal(find(`${home} with ESMTPS id 1`, 'none'), '203.0.113.61')
})

test('the origin of web mail is it where it is of our networks, and no hop is', () => {
  const hop = 'Received: from smtp.freemail.example ([203.0.113.5]) by mx.reporter.example'
  const origin = 'X-Originating-IP: [192.0.2.17]'
  const find = (...own: readonly string[]) =>
    findMailSource(parseHeaderLines([hop, origin]), knowing({ isOwn: (ip) => own.includes(ip) }))
      ?.ip
  assert.equal(find(), '203.0.113.5')
  assert.equal(find('192.0.2.17'), '192.0.2.17')
  assert.equal(find('192.0.2.17', '203.0.113.5'), '203.0.113.5')
})

test('an origin of our networks is not believed of a host without a name, nor in mail that we took', () => {
  const origin = 'X-Originating-IP: [192.0.2.17]'
  const knowledge = knowing({
    isOwn: (ip) => ip === '192.0.2.17',
    isDesk: (site) => site === 'desk.example',
  })
  const find = (hop: string) => findMailSource(parseHeaderLines([hop, origin]), knowledge)?.ip
  const nameless = 'Received: from unknown (HELO freemail.example) ([203.0.113.5]) by'
  assert.equal(find(`${nameless} mx.reporter.example`), '203.0.113.5')
  const named = 'Received: from smtp.freemail.example ([203.0.113.5]) by'
  assert.equal(find(`${named} mx.desk.example`), '203.0.113.5')
  assert.equal(find(`${named} mx.reporter.example`), '192.0.2.17')
})

test('a server that the reporter calls theirs is inner; List-Id alone makes none', () => {
  const list = 'Received: from lists.club.example ([203.0.113.7]) by mail.member.example'
  const client = 'Received: from bulk.example ([192.0.2.8]) by lists.club.example'
  const headers = parseHeaderLines([list, client, 'List-Id: <all.club.example>'])
  assert.equal(findMailSource(headers, knowing({}))?.ip, '203.0.113.7')
  const known = knowing({ isReporters: (site) => site === 'club.example' })
  assert.equal(findMailSource(headers, known)?.ip, '192.0.2.8')
})

test('the lines of a hop that lost their blanks belong to it', () => {
  const inside = ['Received: from in.one.example ([192.0.2.1])', 'by store.one.example with LMTP']
  const outside = ['Received: from bulk.example ([192.0.2.9])', 'by in.one.example with ESMTP']
  assert.equal(sourceOf(...inside, ...outside), '192.0.2.9')
  assert.equal(parseHeaderLines(['Received: from a', 'by the way, stop it']).length, 1)
  assert.equal(parseHeaderLines(['Received: from a', 'by the way, stop it'])[0]?.value, 'from a')
})

const no = (): boolean => false

function knowing(known: Partial<TraceKnowledge>): TraceKnowledge {
  return { isStated: no, isOwn: no, isDesk: no, isReporters: no, ...known }
}
