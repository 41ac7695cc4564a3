import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ReadableText } from '../../mail/mail.ts'
import { parseMail } from '../../mail/parse-mail.ts'
import { classifyVerdict, type Verdict } from './classify-verdict.ts'

/** Judges a mail whose text is its first part, as it stands. */
function judge(
  headers: readonly string[],
  body: string,
  { candidateCount = 0, attachment = '' }: { candidateCount?: number; attachment?: string } = {},
): Verdict {
  const raw = `${headers.join('\r\n')}\r\n\r\n${body.replaceAll('\n', '\r\n')}`
  const mail = parseMail(Buffer.from(raw))
  const texts: ReadableText[] = [
    { part: 'subject', kind: 'subject', lines: [mail.subject] },
    { part: 'text', kind: 'body', lines: body.split('\n') },
  ]
  if (attachment !== '') {
    texts.push({ part: 'attachment', kind: 'attachment', lines: attachment.split('\n') })
  }
  return classifyVerdict({
    report: {
      mail,
      context: { receivedAtMs: 0, mediaType: 'message/rfc822', fallbackReporter: null },
      reporter: null,
      reportId: 'id',
      texts,
    },
    texts,
    candidateCount,
  })
}

function assertRefused(
  headers: readonly string[],
  body: string,
  kind: string,
  candidateCount = 0,
): void {
  const { isReport, reason } = judge(headers, body, { candidateCount })
  assert.equal(isReport, false, `${headers.join(' | ')}: ${body}`)
  assert.ok(reason?.startsWith(`The mail is ${kind}`), `${headers.join(' | ')}: ${reason}`)
}

describe('an automatic reply', () => {
  it('is told by the header of RFC 3834 and of ticket systems, with the header in the reason', () => {
    const { isReport, reason, evidence } = judge(
      ['Subject: Re: case 12', 'Auto-Submitted: auto-replied'],
      'Thank you for the report on 192.0.2.1. Your network is abused, please take action.',
      { candidateCount: 1 },
    )
    assert.equal(isReport, false)
    assert.equal(
      reason,
      'The mail is an automatic reply (Auto-Submitted: auto-replied); it reports nothing.',
    )
    assert.equal(evidence[0]?.part, 'header Auto-Submitted')
    assertRefused(['Subject: x', 'X-Autoreply: yes'], 'I am away.', 'an automatic reply')
    assertRefused(['Subject: x', 'Precedence: auto_reply'], 'I am away.', 'an automatic reply')
  })

  it('is told by its subject in many languages', () => {
    for (const subject of [
      'Out of Office: back on Monday',
      'Automatic reply: abuse',
      'Automatische Antwort: Meldung',
      'Abwesenheitsnotiz',
      'Réponse automatique : signalement',
      'Respuesta automática: informe',
      'Risposta automatica: segnalazione',
      'Resposta automática: denúncia',
      'Automatisch antwoord: melding',
      'Автоматический ответ: жалоба',
      'Odpowiedź automatyczna: zgłoszenie',
      'Autosvar: anmälan',
      'Automatisk svar: henvendelse',
      'Automatická odpověď: hlášení',
      'Otomatik Yanıt: bildirim',
      '自動応答: 報告',
      '자동 회신: 신고',
      '自动回复：举报',
    ]) {
      const encoded = `=?utf-8?b?${Buffer.from(subject).toString('base64')}?=`
      assertRefused([`Subject: ${encoded}`], 'x', 'an automatic reply', 1)
    }
  })

  it('is not a report that a machine made', () => {
    const found = judge(
      [
        'Subject: Abuse from 192.0.2.1',
        'Auto-Submitted: auto-generated',
        'X-Auto-Response-Suppress: All',
        'Precedence: bulk',
      ],
      'We detected attacks from your network.',
      { candidateCount: 1 },
    )
    assert.deepEqual(found, { isReport: true, reason: null, evidence: [] })
  })
})

describe('an acknowledgement', () => {
  it('is told by its first words in many languages', () => {
    for (const body of [
      'We have received your report and opened ticket 4711.',
      'Thank you for contacting us. A ticket has been created.',
      'Wir haben Ihre Nachricht erhalten.',
      'Vielen Dank für Ihre Meldung.',
      'Nous avons bien reçu votre message.',
      'Hemos recibido su mensaje.',
      'Abbiamo ricevuto la Sua richiesta.',
      'Recebemos a sua mensagem.',
      'Bedankt voor uw melding.',
      'Ваше обращение зарегистрировано под номером 12.',
      'Dziękujemy za zgłoszenie.',
      'Vi har tagit emot ditt ärende.',
      'Vi har modtaget din henvendelse.',
      'Dekujeme za vaši zprávu.',
      'Talebiniz alınmıştır.',
      'お問い合わせありがとうございます。',
      '문의해 주셔서 감사합니다.',
      '我们已收到您的邮件。',
    ]) {
      assertRefused(['Subject: [#4711] Re: report'], body, 'an acknowledgement')
    }
  })

  it('is one although it repeats what was reported', () => {
    const body =
      'Thank you for your report. We have received your complaint about 192.0.2.1 and will review it.'
    assertRefused(['Subject: Re: Abuse report'], body, 'an acknowledgement', 1)
  })

  it('is none when it asks to act', () => {
    const body =
      'Thank you for your message. The attack from your network at 192.0.2.1 goes on, please stop it.'
    assert.equal(judge(['Subject: Abuse'], body, { candidateCount: 1 }).isReport, true)
  })
})

describe('a notice of a mail system', () => {
  it('is told by its parts', () => {
    const headers = [
      'Subject: hm',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    ]
    const body =
      '--b\nContent-Type: text/plain\n\nFailed.\n--b\nContent-Type: message/delivery-status\n\nAction: failed\n--b--\n'
    assertRefused(headers, body, 'a notice of a mail system', 3)
  })

  it('is told by its sender and subject', () => {
    for (const subject of [
      'Undelivered Mail Returned to Sender',
      'Unzustellbar: Bericht',
      'Недоставленное сообщение',
      '配信不能通知',
    ]) {
      assertRefused([`Subject: ${subject}`, 'From: MAILER-DAEMON@mx.example'], 'x', 'a notice', 1)
      assertRefused([`Subject: ${subject}`, 'Return-Path: <>'], 'x', 'a notice', 1)
    }
    const complaint = [
      'Subject: Undelivered Mail Returned to Sender floods us',
      'From: noc@shop.example',
    ]
    const body = 'Your server sends us thousands of bounces, please stop it.'
    assert.equal(judge(complaint, body, { candidateCount: 1 }).isReport, true)
  })
})

describe('a mail without a complaint', () => {
  it('is refused by its kind', () => {
    const unsubscribe = 'List-Unsubscribe: <https://news.example/u>'
    for (const [subject, body, kind, header] of [
      [
        'Our spring news',
        'Special offer! Register now for our webinar. View in browser.',
        'a newsletter',
        unsubscribe,
      ],
      [
        'Angebote der Woche',
        'Jetzt bestellen und Rabatt sichern. Abmelden.',
        'a newsletter',
        unsubscribe,
      ],
      [
        'IPv4 for you',
        'We are an IPv4 broker. Lease your IP space at the best price, book a demo.',
        'a newsletter',
        'X-A: b',
      ],
      ['Ticket #12 closed', 'It was about 192.0.2.1.', 'a notice of a closed ticket', 'X-A: b'],
      [
        'Gelesen: Meldung',
        'Ihre Nachricht wurde gelesen.',
        'a notice of a closed ticket',
        'X-A: b',
      ],
      ['Invoice 2026-17', 'Attached you find the invoice.', 'about a payment', 'X-A: b'],
      ['Rechnung Nr. 17', 'Anbei die Rechnung.', 'about a payment', 'X-A: b'],
      [
        'Delisting request',
        'Please remove our IP from your blacklist.',
        'a request to be removed',
        'X-A: b',
      ],
      [
        'Entsperrung',
        'Bitte nehmen Sie uns von der Blacklist.',
        'a request to be removed',
        'X-A: b',
      ],
      [
        'Stop',
        'Please unsubscribe, do not send us such mail.',
        'a request to be removed',
        'X-A: b',
      ],
      ['How did we do?', 'Please rate our service.', 'a survey', 'X-A: b'],
      ['Umfrage', 'Wie zufrieden waren Sie?', 'a survey', 'X-A: b'],
      ['Abuse-talk Digest, Vol 12, Issue 3', 'Today: 1. Hello', 'the digest', 'X-A: b'],
      ['Thanks', 'Thanks a lot!', 'a word of thanks', 'X-A: b'],
      ['Re: case', 'Vielen Dank!', 'a word of thanks', 'X-A: b'],
      ['New case', 'Log in to view the case.', 'a pointer to a report', 'X-A: b'],
      ['Neuer Fall', 'Den Bericht finden Sie im Kundenportal.', 'a pointer to a report', 'X-A: b'],
      [
        'Re: case 1',
        'The issue has been resolved.',
        'an answer to an earlier report',
        'In-Reply-To: <a@isp.example>',
      ],
      ['', '', 'empty', 'X-A: b'],
      ['hello', '', 'empty', 'X-A: b'],
      ['hello', 'How are you today?', 'no complaint', 'X-A: b'],
    ] as const) {
      assertRefused([`Subject: ${subject}`, header], body, kind)
    }
  })
})

describe('a complaint', () => {
  it('is a report in every language, whatever else its mail looks like', () => {
    for (const [subject, body] of [
      ['Abuse report', 'An attack came from your network at 192.0.2.1. Thank you for your help.'],
      ['Invoice fraud', 'Fake invoices are sent from your server 192.0.2.1, please take action.'],
      ['Rechnung', 'Ihr Server versendet gefälschte Rechnungen, bitte unterbinden Sie das.'],
      [
        'Newsletter',
        'Your customer sends us a newsletter although we unsubscribe. Please stop this.',
      ],
      ['Signalement', 'Votre serveur nous attaque, veuillez prendre des mesures.'],
      ['Denuncia', 'Su servidor nos ataca, tomen medidas.'],
      ['Segnalazione', 'La vostra rete ci attacca, prendere provvedimenti.'],
      ['Denúncia', 'Seu servidor nos ataca.'],
      ['Klacht', 'Uw server valt ons aan.'],
      ['Жалоба', 'Ваш клиент рассылает спам, примите меры.'],
      ['Zgłoszenie', 'Z Państwa sieci pochodzą ataki.'],
      ['Anmälan', 'Attacker från ert nätverk, vänligen vidta åtgärder.'],
      ['Stížnost', 'Útoky z vaší sítě.'],
      ['Şikayet', 'Sunucunuz saldırıyor.'],
      ['通報', '貴社のネットワークからの攻撃です。'],
      ['신고', '귀사 IP에서 공격이 발생합니다.'],
      ['投诉', '贵公司的服务器在攻击我们。'],
    ] as const) {
      assert.equal(
        judge([`Subject: ${subject}`], body, { candidateCount: 1 }).reason,
        null,
        subject,
      )
    }
  })

  it('may be nothing but an address, or a file', () => {
    assert.equal(judge(['Subject: 2001:db8::1'], 'Log:', { candidateCount: 1 }).isReport, true)
    const headers = ['Subject: x', 'Content-Type: multipart/mixed; boundary=b']
    const body =
      '--b\nContent-Type: text/plain\n\n\n--b\nContent-Disposition: attachment; filename=a.csv\nContent-Type: text/csv\n\nip\n--b--\n'
    assert.equal(judge(headers, body, { candidateCount: 1 }).isReport, true)
  })

  it('may call for a removal', () => {
    const body = 'Please remove the infringing content from your server at https://host.example/x.'
    assert.equal(judge(['Subject: Takedown'], body, { candidateCount: 1 }).isReport, true)
  })

  it('may be about what is no report by itself: advertising, invoices, lists, tickets', () => {
    for (const [subject, body, header] of [
      [
        'Spam',
        'This newsletter with a special offer came from 192.0.2.1. View in browser.',
        'List-Unsubscribe: <x>',
      ],
      ['Fwd: Special offer', 'Limited time discount! Buy now!', 'X-A: b'],
      ['Your order - phishing', 'Fake order confirmations come from 192.0.2.1.', 'X-A: b'],
      ['Dringend: Fake-Rechnung', 'Die Rechnung kommt von 192.0.2.1.', 'X-A: b'],
      ['Blacklist', '192.0.2.1 was added. Please unblock it by mending the host.', 'X-A: b'],
      ['Your IP 192.0.2.1 was listed', 'A delisting request can be made here.', 'X-A: b'],
      [
        'RE: [4711] phishing',
        'The site is still online, please remove it. The first one has been removed.',
        'In-Reply-To: <a@b.example>',
      ],
      [
        'Unasked advertising',
        'We have received your advertising from 192.0.2.1. Your customer must stop this.',
        'X-A: b',
      ],
    ] as const) {
      const { reason } = judge([`Subject: ${subject}`, header], body, { candidateCount: 1 })
      assert.equal(reason, null, subject)
    }
  })

  it('is read from hostile text as well', () => {
    assert.equal(
      judge(['Subject: x'], 'take down '.repeat(50_000), { candidateCount: 1 }).isReport,
      true,
    )
  })
})

describe('a request to be taken off our own list', () => {
  it('is told by the list that is ours, and is no report whatever it names', () => {
    const kind = 'a request to be removed'
    for (const body of [
      'Unsere Adresse 192.0.2.1 steht auf Ihrer Sperrliste. Bitte nehmen Sie uns von der Liste.',
      'Nuestra dirección 192.0.2.1 aparece en su lista negra. ¿Podrían eliminarla?',
      'Notre adresse 192.0.2.1 figure sur votre liste noire. Merci de la retirer.',
      'Our server 192.0.2.1 is on your blocklist, please remove it.',
    ]) {
      assertRefused(['Subject: 192.0.2.1'], body, kind, 1)
    }
    const body = 'The host 192.0.2.1 attacks us. We put it on our blacklist. Please stop it.'
    assert.equal(judge(['Subject: attack'], body, { candidateCount: 1 }).isReport, true)
  })
})

describe('a notice of maintenance', () => {
  it('is no report, unless abuse is named', () => {
    const body = 'On 9 March we will upgrade the router 192.0.2.1. No action is needed.'
    assertRefused(['Subject: Planned maintenance PM-1'], body, 'a notice of maintenance', 1)
    const attack = 'The port scan from 192.0.2.1 began during our planned maintenance.'
    assert.equal(judge(['Subject: port scan'], attack, { candidateCount: 1 }).isReport, true)
  })
})

describe('a notice that asks for nothing', () => {
  it('is a report all the same when it says what an address did, of either kind', () => {
    for (const address of ['192.0.2.1', '2001:db8::25']) {
      const body = `The host ${address} attacked our mail server. No action is needed.`
      const found = judge(['Subject: For your information'], body, { candidateCount: 1 })
      assert.equal(found.isReport, true, address)
    }
    assertRefused(
      ['Subject: For your information'],
      'The attack of 10:20:30 was a drill of ours. No action is needed.',
      'the status of a matter',
      0,
    )
  })
})

describe('an answer about a report of ours', () => {
  const re = ['Subject: Re: Phishing http://clone.test/']
  const judgeOwn = (body: string, own: number): boolean => {
    const mail = parseMail(Buffer.from(`${re[0]}\r\n\r\n${body}`))
    const texts: ReadableText[] = [
      { part: 'subject', kind: 'subject', lines: [mail.subject] },
      { part: 'text', kind: 'body', lines: [body] },
    ]
    const context = { receivedAtMs: 0, mediaType: '', fallbackReporter: null }
    const report = { mail, context, reporter: null, reportId: 'id', texts }
    return classifyVerdict({ report, texts, candidateCount: 1, ownCandidateCount: own }).isReport
  }

  it('is no report when only the subject or the quoted mail names something', () => {
    const done = 'Nous avons traité votre signalement : le compte a été suspendu.'
    assert.equal(judgeOwn(done, 0), false)
    assert.equal(judgeOwn('Thank you very much for the quick help!', 0), false)
  })

  it('is one when it names something itself, asks for something or says that it goes on', () => {
    assert.equal(
      judgeOwn('Your report: it has been suspended. We detected http://b.test/.', 1),
      true,
    )
    assert.equal(judgeOwn('Thank you, but it is still there.', 0), true)
    assert.equal(judgeOwn('Thank you. Please take down this phishing page.', 0), true)
  })
})
