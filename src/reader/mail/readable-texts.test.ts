import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseMail } from './parse-mail.ts'
import { listReadableTexts } from './readable-texts.ts'
import { READING_LIMITS } from './reading-limits.ts'

function read(text: string): readonly (readonly [string, string, string])[] {
  return listReadableTexts(parseMail(Buffer.from(text))).map(({ part, kind, lines }) => [
    part,
    kind,
    lines.join('\n'),
  ])
}

const HEAD = 'From: desk@reporter.example\nSubject: Abuse\n'

function alternative(plain: string, html: string): string {
  return `${HEAD}Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n${plain}\n--b\nContent-Type: text/html\n\n${html}\n--b--\n`
}

describe('the body is read once', () => {
  const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')

  test('as text where HTML says the same', () => {
    assert.deepEqual(read(alternative(`${words} 192.0.2.1`, `<p>${words}</p> <b>192.0.2.1</b>`)), [
      ['subject', 'subject', 'Abuse'],
      ['text', 'body', `${words} 192.0.2.1`],
    ])
  })

  test('as HTML where the text is missing, a stub, or only its beginning', () => {
    for (const plain of ['', 'Please view this mail in HTML.', words.slice(0, 320)]) {
      const page = `${words} ${words.replaceAll('word', 'other')} 192.0.2.1`
      assert.deepEqual(read(alternative(plain, `<p>${page}</p>`)), [
        ['subject', 'subject', 'Abuse'],
        ['html', 'body', page],
      ])
    }
  })

  test('as both where they say different things', () => {
    const other = words.replaceAll('word', 'term')
    assert.deepEqual(
      read(alternative(words, other)).map(([part]) => part),
      ['subject', 'text', 'html'],
    )
  })
})

function partOf(type: string, text: string): string {
  return `--b\nContent-Type: ${type}\n\n${text}\n`
}

test('attached texts and logs are read, tables and calendars are not', () => {
  const mail = [
    partOf('text/plain; name=body.txt', 'body'),
    partOf('text/plain; name=report.txt', 'Source: 192.0.2.1'),
    partOf('application/octet-stream; name=auth.log', 'log'),
    partOf('text/csv; name=a.csv', 'ip'),
    partOf('text/plain; name=b.csv', 'ip'),
    partOf('text/calendar', 'BEGIN:VCALENDAR'),
    partOf('application/pdf; name=x.pdf', '%PDF'),
  ].join('')
  assert.deepEqual(read(`${HEAD}Content-Type: multipart/mixed; boundary=b\n\n${mail}--b--\n`), [
    ['subject', 'subject', 'Abuse'],
    ['text', 'body', 'body'],
    ['attachment report.txt', 'attachment', 'Source: 192.0.2.1'],
    ['attachment auth.log', 'attachment', 'log'],
  ])
})

test('an enclosed mail is its headers and its text; mails within it follow', () => {
  const inner = 'Received: from a\n by b\nSubject: =?utf-8?q?f=C3=BCr?= you\n\ninner text'
  const forwarded = `X-Spam: yes\nContent-Type: message/rfc822\n\n${inner}`
  assert.deepEqual(
    read(
      `${HEAD}Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\n${forwarded}\n--b\nContent-Type: text/rfc822-headers\n\nX-A: 1\n--b--\n`,
    ),
    [
      ['subject', 'subject', 'Abuse'],
      [
        'enclosed mail',
        'enclosed',
        'X-Spam: yes\nContent-Type: message/rfc822\n\nReceived: from a by b\nSubject: für you\n\ninner text',
      ],
      ['enclosed mail', 'enclosed', 'X-A: 1'],
    ],
  )
})

test('the armour of a signed text is undone, quoted-printable within it too', () => {
  const armoured = [
    'before',
    '-----BEGIN PGP SIGNED MESSAGE-----',
    'Hash: SHA512',
    '',
    '- -- list',
    'Source: 192.0.2.1',
    '-----BEGIN PGP SIGNATURE-----',
    '',
    'abc',
    '-----END PGP SIGNATURE-----',
    'after',
  ].join('\n')
  assert.equal(read(`${HEAD}\n${armoured}`)[1]?.[2], 'before\n-- list\nSource: 192.0.2.1\nafter')
  const encoded =
    '-----BEGIN PGP SIGNED MESSAGE-----\n\na=3D1 =\nb=\nc\n-----BEGIN PGP SIGNATURE-----\nx'
  assert.equal(read(`${HEAD}\n${encoded}`)[1]?.[2], 'a=1 bc')
})

test('the text below a signature that nothing ends is read', () => {
  const data = 'iQEzBAEBCgAdFiEEmadeupmadeupmadeupmadeupmadeupAAoJEAAAAAAAAAAA12'
  const signature = [
    '-----BEGIN PGP SIGNATURE-----',
    'Version: GnuPG v2',
    '',
    data,
    'iQEz',
    '=AbCd',
  ]
  const key = ['-----BEGIN PGP PUBLIC KEY BLOCK-----', '', data, data]
  const signed = ['-----BEGIN PGP SIGNED MESSAGE-----', 'Hash: SHA512', '', 'inside']
  const ended = ['-----BEGIN PGP SIGNATURE-----', '', data, '-----END PGP SIGNATURE-----']
  for (const [lines, text] of [
    [[...signed, ...signature, 'Source: 192.0.2.1', 'end'], 'inside\nSource: 192.0.2.1\nend'],
    [[...key, 'Source: 192.0.2.1'], 'Source: 192.0.2.1'],
    [
      [...signed, ...signature, 'between', ...signed, ...ended, 'end'],
      'inside\nbetween\ninside\nend',
    ],
    [[...signed, ...signature.slice(0, 4)], 'inside'],
  ] as const) {
    assert.equal(read(`${HEAD}\n${lines.join('\n')}`)[1]?.[2], text)
  }
})

test('a signed text of a million lines is no trouble', () => {
  const text = `${HEAD}\n-----BEGIN PGP SIGNED MESSAGE-----\n\n${'\n'.repeat(1_000_000)}end`
  assert.deepEqual(read(text), [['subject', 'subject', 'Abuse']])
  assert.equal(read(text.replaceAll(/\n{9,}/g, '\n'.repeat(500_000)))[1]?.[2].length, 19_998)
})

test('texts are bounded in number, in length and in the length of a line', () => {
  const limits = { ...READING_LIMITS, textsMax: 2, textsLengthMax: 12, lineLengthMax: 4 }
  const texts = listReadableTexts(parseMail(Buffer.from(`${HEAD}\n123456789`)), limits)
  assert.deepEqual(
    texts.map(({ lines }) => lines),
    [['Abuse'], ['1234', '5']],
  )
})
