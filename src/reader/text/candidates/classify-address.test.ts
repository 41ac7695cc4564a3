import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listBlamed, listReasons, readMadeUp } from '../../../../test/read-made-up.ts'

function blamed(body: string, subject = 'Abuse report'): readonly string[] {
  return listBlamed(readMadeUp(`Subject: ${subject}\n\n${body}`))
}

describe('an address in words on how to check a report', () => {
  const bodies = [
    'The open resolver 192.0.2.21 answers queries. You can test with dig @192.0.2.21 or from 198.51.100.99.',
    'The host 192.0.2.21 attacks our SSH server. To verify this, run the scan from 198.51.100.99.',
    'Der Host 192.0.2.21 greift unseren Server an. Sie können das auch selbst von 198.51.100.99 aus prüfen.',
    "L'hôte 192.0.2.21 attaque notre serveur. Vous pouvez tester depuis 198.51.100.99.",
    'El equipo 192.0.2.21 ataca nuestro servidor. Puede comprobarlo desde 198.51.100.99.',
  ]
  for (const body of bodies) {
    it(`is not blamed: ${body}`, () => assert.deepEqual(blamed(body), ['192.0.2.21']))
  }

  it('is no source because something comes from it there', () => {
    const body = 'The open resolver 192.0.2.21 answers. You can check it from 198.51.100.99.'
    const reasons = listReasons(readMadeUp(`Subject: DNS\n\n${body}`), '/ip')
    assert.ok(
      reasons.some((reason) => /in words on how to check it/i.test(reason)),
      reasons.join(' '),
    )
  })

  it('is blamed when the sentence before it ended, or it is the only one', () => {
    const body =
      'You can check it with the log below. The attacks come from 192.0.2.21 to our mail server.'
    assert.deepEqual(blamed(body), ['192.0.2.21'])
    assert.deepEqual(
      blamed('You can verify by the log that our server is attacked by 192.0.2.21'),
      ['192.0.2.21'],
    )
  })
})

describe('an address that the words before it exclude', () => {
  const bodies = [
    'The attack came from 192.0.2.10, not from 203.0.113.5 as we wrote last week.',
    'Your host 192.0.2.10 attacks us. Not affected: 203.0.113.5.',
    'Your host 192.0.2.10 attacks us. Please do not block 203.0.113.5, which is our monitoring.',
    'Der Angriff kam von 192.0.2.10, nicht von 203.0.113.5.',
    'El ataque viene de 192.0.2.10, no de 203.0.113.5.',
  ]
  for (const body of bodies) {
    it(`is not blamed: ${body}`, () => assert.deepEqual(blamed(body, 'Attack'), ['192.0.2.10']))
  }

  it('is blamed where more than it is meant', () => {
    const body = 'The attacks come not only from 192.0.2.10 but also from 192.0.2.11.'
    assert.deepEqual(blamed(body, 'Attack').toSorted(), ['192.0.2.10', '192.0.2.11'])
  })
})

describe('characters that nobody sees', () => {
  it('do not part an address or a word', () => {
    const body =
      'Attacks from 192.0.\u200b2.10 against o\u200bur server \u202a198.51.\u2060100.5\u202c.'
    const headers = 'Subject: Attack\nContent-Type: text/plain; charset=utf-8'
    assert.deepEqual(listBlamed(readMadeUp(`${headers}\n\n${body}`)), ['192.0.2.10'])
  })
})

describe('a mail server that refuses a mail', () => {
  it('is not blamed beside what is', () => {
    const body =
      'We report a phishing page on your server: http://login.bad.example/in\nOur first mail came back (host mx.provider.example[198.51.100.27] said: 550 5.1.1 no such user (in reply to RCPT TO command)).'
    assert.deepEqual(blamed(body, 'Phishing'), ['http://login.bad.example/in'])
  })

  it('is a source of spam in the log of whoever took the mail', () => {
    const body =
      'Spam from your host:\nNov  3 09:00:01 mx postfix/smtpd[7]: NOQUEUE: reject: RCPT from unknown[192.0.2.27]: 554 5.7.1 blocked; from=<a@spam.example>'
    assert.deepEqual(blamed(body, 'Spam'), ['192.0.2.27'])
  })
})
