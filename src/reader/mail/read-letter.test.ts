// Letters: what an author wrote beside what he quotes, and what programs say of a mail.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { splitQuote } from './quoted-text.ts'
import { readLetter } from './read-letter.ts'

const HEADERS = ['From: Joe <joe@customer.example>', 'To: a+k@in.example', 'Subject: Re: x']

function read(headers: readonly string[], body: string) {
  return readLetter(Buffer.from([...HEADERS, ...headers, '', body].join('\r\n')))
}

function listWords(text: string): readonly string[] {
  return text.split(/\s+/).filter(Boolean).toSorted()
}

describe('a quote', () => {
  const cases: readonly (readonly [name: string, text: string, own: string])[] = [
    [
      'below, with marks',
      'Fixed.\n\nOn 1 May 2026 at 10:00, Ann <a@b.example> wrote:\n> Look.',
      'Fixed.',
    ],
    [
      'below, wrapped',
      'Fixed.\n\nOn 1 May 2026 at 10:00,\nAnn wrote:\n\n> Look.\n> Now.',
      'Fixed.',
    ],
    ['in German', 'Behoben.\n\nAm 01.05.2026 um 10:00 schrieb Abuse Desk:\n> Bitte.', 'Behoben.'],
    ['in French', 'Corrigé.\n\nLe 1 mai 2026, Abuse a écrit :\n> Voir.', 'Corrigé.'],
    [
      'of Outlook',
      'Fixed.\n\nFrom: Abuse <a@b.example>\nSent: Friday\nTo: Joe\nSubject: x\n\nLook.',
      'Fixed.',
    ],
    [
      'of Outlook in German',
      'Fertig.\n\nVon: Abuse\nGesendet: Freitag\nAn: Joe\n\nBitte.',
      'Fertig.',
    ],
    ['behind a rule', 'Fixed.\n-----Original Message-----\nLook.', 'Fixed.'],
    ['above', 'On 1 May 2026, Ann wrote:\n> Look.\n\nFixed.', 'Fixed.'],
    ['without marks', 'Fixed.\n\nOn 1 May 2026, Ann <a@b.example> wrote:\nLook.', 'Fixed.'],
    ['with remarks in it', '> Look.\nI did.\n> Now.\nNo.', '> Look.\nI did.\n> Now.\nNo.'],
    ['that is none', 'From: here on it works.\nThanks', 'From: here on it works.\nThanks'],
  ]
  for (const [name, text, own] of cases) {
    test(`${name} is parted from the text`, () => {
      const parted = splitQuote(text.split('\n'))
      assert.equal(parted.own, own)
      assert.equal(parted.quoted === '', own === text)
    })
  }

  test('loses no word, wherever it stands', () => {
    const line = fc.constantFrom('> q', 'own', '', 'Ann wrote:', 'On 1 May 2026, Ann wrote:', '>')
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const { own, quoted } = splitQuote(lines)
        assert.deepEqual(listWords(`${own}\n${quoted}`), listWords(lines.join('\n')))
      }),
    )
  })
})

describe('a letter', () => {
  test('of a program is told by its headers, or by its subject', () => {
    const marks = [
      'Auto-Submitted: auto-replied',
      'Precedence: bulk',
      'X-Autoreply: yes',
      'List-Id: <x.example>',
    ]
    for (const mark of marks) assert.notEqual(read([mark], 'x')?.automatic ?? null, null, mark)
    assert.equal(read(['Auto-Submitted: no'], 'x')?.automatic, null)
    const away = Buffer.from('From: a@b.example\r\nSubject: Out of office: Re: x\r\n\r\nAway')
    assert.equal(readLetter(away)?.automatic, 'subject')
  })

  test('of two authors has none', () => {
    assert.equal(read([], 'x')?.from, 'joe@customer.example')
    assert.equal(read(['From: other@customer.example'], 'x')?.from, null)
  })

  test('of a long thread answers its direct parent, its begin and the newest', () => {
    const ids = Array.from({ length: 60 }, (_, at) => `<${at}@thread.example>`)
    const references = `References: ${ids.join('\r\n ')}`
    const answered = read(['In-Reply-To: <parent@thread.example>', references], 'x')?.answeredIds
    assert.equal(answered?.length, 50)
    for (const id of ['parent', '0', '59', '12']) {
      assert.ok(answered.includes(`${id}@thread.example`), id)
    }
    assert.ok(!answered.includes('11@thread.example'))
    const again = read([`In-Reply-To: ${ids[0]}`, references], 'x')?.answeredIds
    assert.deepEqual([again?.length, again?.[0]], [50, '0@thread.example'])
  })

  test('never holds HTML, control characters or more than its limit', () => {
    const html = read(['Content-Type: text/html'], '<p>Hi <b>there</b><script>x()</script></p>')
    assert.equal(html?.text, 'Hi there')
    const long = read([], `a\u0007b\u202e${'x'.repeat(30_000)}`)
    assert.equal(long?.text.length, 20_000)
  })

  test('of a program that writes no report is a bounce by its text', () => {
    const bytes = Buffer.from(
      'From: MAILER-DAEMON@b.example\r\nSubject: failure notice\r\n\r\nHi. This is the qmail-send program.\n<x@b.example>:\n550 5.1.1 no such user\n',
    )
    assert.deepEqual(readLetter(bytes)?.bounces, [
      { action: 'failed', status: '5.1.1', recipients: ['x@b.example'] },
    ])
    assert.deepEqual(read([], 'We answered 550 5.1.1 once.')?.bounces, [])
  })

  test('of a report on delivery names whom the sender and the last server knew', () => {
    const groups = [
      'Reporting-MTA: dns; mx.b.example',
      'Original-Recipient: rfc822;Joe@B.example\r\nFinal-Recipient: RFC822; <joe.b@c.example>\r\nAction: failed\r\nStatus: 5.1.1',
      'Final-Recipient: x400; c=de\r\nAction: failed\r\nStatus: 5.1.2',
      'Action: delayed\r\nStatus: 4.4.1',
    ]
    const body = `--b\r\nContent-Type: message/delivery-status\r\n\r\n${groups.join('\r\n\r\n')}\r\n--b--`
    const letter = read(
      ['Content-Type: multipart/report; report-type=delivery-status; boundary=b'],
      body,
    )
    assert.deepEqual(
      letter?.bounces.map(({ recipients }) => recipients),
      [['joe@b.example', 'joe.b@c.example'], ['c=de'], []],
    )
  })

  test('is null for what is no mail', () => {
    assert.equal(readLetter(Buffer.from('{"a": 1}')), null)
  })
})
