// The reading of whole mails: what a person gets, and what differs in one thing and is read.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readReportBytes } from '../../read-report.ts'

interface Attached {
  readonly type: string
  readonly name: string
  readonly bytes: string
}

function read(subject: string, body: string, files: readonly Attached[] = []): string {
  const encoded = `=?utf-8?b?${Buffer.from(subject).toString('base64')}?=`
  const parts = files.map(
    ({ type, name, bytes }) =>
      `--b\nContent-Type: ${type}; name="${name}"\nContent-Disposition: attachment; filename="${name}"\nContent-Transfer-Encoding: base64\n\n${Buffer.from(bytes, 'latin1').toString('base64')}\n`,
  )
  const raw = `From: Desk <desk@other.example>\nTo: abuse@provider.example\nSubject: ${encoded}\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; charset=utf-8\n\n${body}\n${parts.join('')}--b--\n`
  const result = readReportBytes(Buffer.from(raw.replaceAll('\n', '\r\n')), {
    receivedAtMs: Date.parse('2026-11-03T12:00:00Z'),
    mediaType: 'message/rfc822',
    fallbackReporter: null,
  })
  return 'reason' in result ? `${result.kind}: ${result.reason}` : result.kind
}

const PICTURE = { type: 'image/png', name: 'screen.png', bytes: '\x89PNG\r\n' }

describe('a mail whose matter nobody here can read', () => {
  it('is a picture beside hardly any text', () => {
    const found = read('Complaint', 'Hello, please see the picture.', [PICTURE])
    assert.match(found, /^unreadable: .*attachment screen\.png \(a picture\)/)
    assert.match(read('Attack', 'Attack from 192.0.2.1.', [PICTURE]), /^report$/)
    assert.match(read('Out of office', 'I am away.', [PICTURE]), /^no_report: .*automatic reply/)
    const long = 'We have opened a new office in the town and would like to see you there. '
    assert.match(read('Hello', long.repeat(6), [PICTURE]), /^no_report/)
  })

  it('is a file of a kind that nobody knows, a recording, or a PDF called a stream', () => {
    const type = 'application/octet-stream'
    for (const [file, kind] of [
      [{ type, name: 'a.bin', bytes: '\x00\x01\x02\x03' }, 'a file of an unknown kind'],
      [{ type, name: 'letter', bytes: '%PDF-1.4\n' }, 'PDF'],
      [{ type: 'audio/mpeg', name: 'a.mp3', bytes: 'ID3\x04' }, 'a recording'],
    ] as const) {
      const found = read('Letter', 'See the attachment.', [file])
      assert.ok(found.startsWith('unreadable: ') && found.includes(`(${kind})`), found)
    }
  })

  it('is an armoured text', () => {
    const body = '-----BEGIN PGP MESSAGE-----\n\nhQEMA8nU\n=abcd\n-----END PGP MESSAGE-----'
    assert.match(read('x', body), /^unreadable: .*an encrypted text/)
  })
})

describe('a complaint that names nobody', () => {
  it('is referred with its words, in many languages', () => {
    for (const body of [
      'Your customer sends me spam every day. Please stop him!',
      'Von Ihrem Server kommen Angriffe, bitte unternehmen Sie etwas.',
      'Votre client héberge une page de phishing, veuillez la supprimer.',
      'Su cliente me envía spam, tomen medidas.',
      'Ваш клиент рассылает спам, примите меры.',
      '貴社のサーバーからスパムが送信されています。ご対応ください。',
    ]) {
      assert.match(read('Hello', body), /^unreadable: It complains, but names no address/, body)
    }
  })

  it('is none as a question, or without a word of harm', () => {
    assert.match(read('Question', 'How many spam complaints do you get a day?'), /^no_report/)
    assert.match(read('Hello', 'Your server is very fast.'), /^no_report/)
  })
})

describe('a request of an authority', () => {
  const requests = [
    'In a criminal investigation we ask for the subscriber data of 192.0.2.1.',
    'Pursuant to a court order, preserve all logs of 192.0.2.1 for 90 days.',
    'Die Staatsanwaltschaft bittet um Auskunft über den Anschlussinhaber der 192.0.2.1.',
    "Réquisition judiciaire : veuillez nous communiquer l'identité du titulaire de 192.0.2.1.",
    'El juzgado solicita los datos del titular de 192.0.2.1.',
    "La Procura chiede i dati dell'intestatario di 192.0.2.1.",
    'A polícia requisita os dados cadastrais do usuário de 192.0.2.1.',
    'De politie vordert de gebruikersgegevens van 192.0.2.1.',
    'Prokuratura prosi o dane abonenta adresu 192.0.2.1.',
    'Следственный комитет просит предоставить сведения о пользователе 192.0.2.1.',
    'Кіберполіція просить надати дані користувача 192.0.2.1.',
    'Policie žádá o údaje uživatele adresy 192.0.2.1.',
    'Polisen begär abonnentuppgifter för 192.0.2.1.',
    'Politiet anmoder om abonnentoplysninger for 192.0.2.1.',
    'Poliisi pyytää tilaajatietoja osoitteesta 192.0.2.1.',
    'A rendőrség adatszolgáltatást kér a 192.0.2.1 címről.',
    'Parchetul solicită datele de identificare ale 192.0.2.1.',
    'Savcılık 192.0.2.1 adresinin abone bilgilerini istiyor.',
    'تطلب الشرطة بيانات المشترك للعنوان 192.0.2.1.',
    '警察です。192.0.2.1 の契約者について照会します。',
    '경찰입니다. 192.0.2.1 의 가입자 인적사항을 요청합니다.',
    '公安机关调取 192.0.2.1 的用户信息。',
  ]

  it('is referred with its words, in every language', () => {
    for (const body of requests) {
      const found = read('Letter 2026/17', body)
      assert.match(found, /^unreadable: An authority asks for data/, `${body}: ${found}`)
    }
  })

  it('is none where a page is wanted gone, a log stands, or the police is only mentioned', () => {
    for (const body of [
      'The police unit found phishing at http://bad.example/a. Please take it down, and preserve the data.',
      'We reported the attack of 192.0.2.1 on our server to the police.',
      'Attack from 192.0.2.1. The police asks to preserve the data.\n\nNov  3 09:55:01 host sshd[22]: Failed password for root from 192.0.2.1 port 5123 ssh2',
      'If you do not act, a court order will ask for the customer data. 192.0.2.1 attacks us.',
    ]) {
      assert.equal(read('Attack', body), 'report', body)
    }
  })

  it('is over when it is said to be', () => {
    const body = 'We have received your request for subscriber data of 192.0.2.1 (police case 7).'
    assert.match(read('Re: Request', body), /^no_report/)
  })
})

describe('a report that lies behind a link', () => {
  const link = 'https://portal.reports.example/r/1'
  for (const [subject, body] of [
    ['New report', `A new report is there for your network. Sign in to read it:\n${link}`],
    ['Neue Meldung', `Eine neue Meldung liegt bereit. Sie finden sie in unserem Portal:\n${link}`],
    ['New case', 'A case was filed.\nLog in to view the case.'],
  ] as const) {
    it(`is for a person: ${body}`, () => {
      assert.match(read(subject, body), /^unreadable: The report lies elsewhere /)
    })
  }

  it('is a report where the mail itself tells what happened', () => {
    const own = `There is a phishing page at https://bad.example/login\nLog in to view the case: ${link}`
    assert.equal(read('Phishing', own), 'report')
    assert.equal(read('Phishing', `Phishing page: https://bad.example/login-to/view`), 'report')
  })
})
