import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseMail } from './parse-mail.ts'

function mailOf(text: string): ReturnType<typeof parseMail> {
  return parseMail(Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1'))
}

function outline(mail: ReturnType<typeof parseMail>): readonly string[] {
  return mail.parts.map((part) => `${part.path} ${part.mediaType} ${JSON.stringify(part.text)}`)
}

const HEAD = 'From: Desk <desk@reporter.example>\nSubject: Report\nMIME-Version: 1.0\n'

describe('the tree of parts', () => {
  test('keeps the inline text parts of X-ARF apart, in order, with their names', () => {
    const mail = mailOf(
      `${HEAD}Content-Type: multipart/mixed; boundary="b"\n\npreamble\n--b\nContent-Type: text/plain\n\nHello\n--b\nContent-Type: text/plain; charset=utf-8; name="report.txt"\n\nSource: 192.0.2.1\n--b\nContent-Type: text/plain; name=log.txt\nContent-Disposition: attachment; filename*=UTF-8''l%C3%B6g.txt\n\nline\n--b--\nepilogue\n`,
    )
    assert.deepEqual(outline(mail), [
      '1 text/plain "Hello"',
      '2 text/plain "Source: 192.0.2.1"',
      '3 text/plain "line"',
    ])
    assert.deepEqual(
      mail.parts.map(({ fileName }) => fileName),
      [null, 'report.txt', 'lög.txt'],
    )
    assert.deepEqual(
      mail.parts.map(({ isAttachment, parentType }) => [isAttachment, parentType]),
      [
        [false, 'multipart/mixed'],
        [false, 'multipart/mixed'],
        [true, 'multipart/mixed'],
      ],
    )
    assert.deepEqual(mail.defects, [])
  })

  test('tells the parts of a feedback report and leaves the enclosed mail closed', () => {
    const enclosed =
      'From: a@example.com\nContent-Type: multipart/mixed; boundary=in\n\n--in\n\nx\n--in--\n'
    const mail = mailOf(
      `${HEAD}Content-Type: multipart/report; report-type=feedback-report; boundary=out\n\n--out\nContent-Type: multipart/alternative; boundary=alt\n\n--alt\nContent-Type: text/plain\n\nplain\n--alt\nContent-Type: text/html\n\n<p>html</p>\n--alt--\n--out\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\n--out\nContent-Type: message/rfc822\n\n${enclosed}--out--\n`,
    )
    assert.deepEqual(outline(mail), [
      '1.1 text/plain "plain"',
      '1.2 text/html "<p>html</p>"',
      '2 message/feedback-report "Feedback-Type: abuse"',
      '3 message/rfc822 null',
    ])
    assert.equal(mail.parts[0]?.parentType, 'multipart/alternative')
    assert.equal(parseMail(mail.parts[3]?.bytes ?? Buffer.alloc(0)).parts[0]?.text, 'x')
  })
})

describe('damage is read and told', () => {
  const cases: readonly (readonly [string, string, readonly string[], RegExp])[] = [
    [
      'no closing boundary',
      `${HEAD}Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\none\n--b\n\ntwo`,
      ['1 text/plain "one"', '2 text/plain "two"'],
      /not closed/,
    ],
    [
      'no empty line below the headers',
      `${HEAD}Hello there\n\nmore`,
      ['1 text/plain "Hello there\\n\\nmore"'],
      /No empty line/,
    ],
    [
      'no empty line below the headers of a multipart',
      `${HEAD}Content-Type: multipart/mixed; boundary=b\n--b\n\none\n--b--\n`,
      ['1 text/plain "one"'],
      /No empty line/,
    ],
    [
      'a broken header line',
      'From: a@example.com\nReceived: from x\nby y with z\nSubject: s\n\ntext',
      ['1 text/plain "text"'],
      /among the headers/,
    ],
    [
      'no opening boundary',
      `${HEAD}Content-Type: multipart/mixed; boundary=b\n\nContent-Type: text/html\n\n<p>x</p>\n--b--\n`,
      ['1 text/html "<p>x</p>"'],
      /no boundary that opens/,
    ],
    [
      'no opening boundary for the first of two parts',
      `${HEAD}Content-Type: multipart/mixed; boundary=b\n\nContent-Type: text/html\n\n<p>x</p>\n--b\n\ny\n--b--\n`,
      ['1 text/html "<p>x</p>"', '2 text/plain "y"'],
      /without the boundary/,
    ],
    [
      'a boundary that is not named',
      `${HEAD}Content-Type: multipart/mixed\n\n--xyz\nContent-Type: text/plain\n\none\n--xyz--\n`,
      ['1 text/plain "one"'],
      /does not name the boundary/,
    ],
    [
      'a boundary that is another',
      `${HEAD}Content-Type: multipart/mixed; boundary=b; boundary=xyz\n\n--xyz\nContent-Type: text/plain\n\none\n--xyz--\n`,
      ['1 text/plain "one"'],
      /does not name the boundary/,
    ],
    [
      'a multipart without any boundary',
      `${HEAD}Content-Type: multipart/mixed\n\nplain words\n`,
      ['1 text/plain "plain words\\n"'],
      /read as one part/,
    ],
    [
      'a multipart without content',
      `${HEAD}Content-Type: multipart/mixed; boundary=b\n\n`,
      ['1 multipart/mixed null'],
      /^$/,
    ],
  ]
  for (const [name, text, parts, defect] of cases) {
    test(name, () => {
      const mail = mailOf(text)
      assert.deepEqual(outline(mail), parts)
      assert.match(mail.defects.join(' '), defect)
      assert.equal(mail.from.length, 1)
    })
  }

  test('lines that end with a bare carriage return', () => {
    const mail = parseMail(Buffer.from('From: a@example.com\rSubject: s\r\rone\rtwo'))
    assert.equal(mail.parts[0]?.text, 'one\ntwo')
    assert.match(mail.defects.join(), /bare carriage return/)
  })

  test('no bytes at all, only headers, only a body', () => {
    assert.equal(parseMail(Buffer.alloc(0)).parts[0]?.text, '')
    assert.equal(mailOf('Subject: s').subject, 's')
    assert.equal(mailOf('\n\nhello world').parts[0]?.text, 'hello world')
  })
})

describe('headers', () => {
  test('are unfolded and decoded, in the charset of the mail where they are raw', () => {
    const mail = mailOf(
      'Subject: =?utf-8?q?Gr=C3=BC?=\n =?utf-8?b?w59l?= and\n\tmore\nX-Raw: \xcf\xf0\xe8\nX-Utf8: \xc3\xa9\nContent-Type: text/plain; charset=windows-1251\nDate: Tue, 3 Mar 2026 09:15:02 +0100 (Central European Time)\nMessage-ID: <1@reporter.example>\n\nx',
    )
    assert.equal(mail.subject, 'Grüße and more')
    assert.equal(mail.headers.find(({ name }) => name === 'x-raw')?.value, 'При')
    assert.equal(mail.headers.find(({ name }) => name === 'x-utf8')?.value, 'é')
    assert.equal(mail.dateMs, Date.parse('2026-03-03T08:15:02Z'))
    assert.equal(mail.messageId, '<1@reporter.example>')
    assert.equal(mailOf('Date: soon\n\n').dateMs, null)
  })

  test('encoded words of many charsets', () => {
    for (const [word, text] of [
      ['=?ks_c_5601-1987?B?wPzIrQ==?=', '전화'],
      ['=?gb2312?B?xOO6ww==?=', '你好'],
      ['=?big5?B?p0GmbqFD?=', '你好。'],
      ['=?shift_jis?B?g2WDWINn?=', 'テスト'],
      ['=?iso-8859-2?Q?=B9?=', 'š'],
      ['=?koi8-r?B?8NLJ18XU?=', 'Привет'],
      ['=?utf-7?Q?+AOQ-bc?=', 'äbc'],
      ['=?no-such?Q?abc?=', 'abc'],
    ] as const) {
      assert.equal(mailOf(`Subject: ${word}\n\n`).subject, text, word)
    }
  })

  test('8-bit words that end in the byte of a no-break space keep it', () => {
    for (const word of ['자동 회신: 신고', 'Réclamation à'] as const) {
      const mail = parseMail(Buffer.from(`Subject: ${word}\r\n and ${word}\r\n\r\n`))
      assert.equal(mail.subject, `${word} and ${word}`)
    }
  })

  test('addresses: groups, comments, names that look like addresses', () => {
    const mail = mailOf(
      'From: =?utf-8?q?fake=40bank=2Eexample?= <real@reporter.example>\nTo: Team: a@example.com, B (x) <b@example.com>;, c@example.com\nReply-To: undisclosed-recipients:;\n\n',
    )
    assert.deepEqual(mail.from, [
      { displayName: 'fake@bank.example', address: 'real@reporter.example' },
    ])
    assert.deepEqual(
      mail.to.map(({ address }) => address),
      ['a@example.com', 'b@example.com', 'c@example.com'],
    )
    assert.deepEqual(mail.replyTo, [])
  })

  test('more addresses than the limit are left unread', () => {
    const many = Array.from({ length: 500 }, (_, index) => `u${index}@example.com`).join(', ')
    assert.equal(mailOf(`To: ${many}\n\n`).to.length, 100)
  })
})

describe('bodies', () => {
  test('every charset of real abuse mail', () => {
    for (const [charset, bytes, text] of [
      ['ks_c_5601-1987', [0xc0, 0xfc], '전'],
      ['euc-kr', [0xc0, 0xfc], '전'],
      ['cp1251', [0xcf, 0xf0], 'Пр'],
      ['gb2312', [0xc4, 0xe3], '你'],
      ['big5', [0xa7, 0x41], '你'],
      ['shift_jis', [0x83, 0x65], 'テ'],
      ['iso-8859-2', [0xb9], 'š'],
      ['iso-8859-3', [0xb6], 'ĥ'],
      ['iso-8859-9', [0xfe], 'ş'],
      ['cp1256', [0xc7], 'ا'],
      ['windows-1257', [0xf0], 'š'],
      ['utf-7', [...Buffer.from('+AOQ-+-')], 'ä+'],
      ['us-ascii', [0xe9], 'é'],
      ['utf-8', [0xe9], 'é'],
      ['iso-2022-kr', [0x41, 0x42], 'AB'],
      ['utf-16', [0x41, 0x42], 'AB'],
      ['utf-16le', [0xe4, 0x00, 0x42, 0x00], 'äB'],
      ['no-such-charset', [0x41, 0xe9], 'Aé'],
      // Members that every object has.
      ['constructor', [0x41, 0xe9], 'Aé'],
      ['x-__proto__', [0x41, 0xe9], 'Aé'],
    ] as const) {
      const mail = parseMail(
        Buffer.concat([
          Buffer.from(`Content-Type: text/plain; charset="${charset}"\nFrom: a@example.com\n\n`),
          Buffer.from(bytes),
        ]),
      )
      assert.equal(mail.parts[0]?.text, text, charset)
    }
  })

  test('transfer encodings, whole and cut off', () => {
    for (const [encoding, body, text] of [
      ['base64', 'SGVs\nbG8=', 'Hello'],
      ['base64', 'SGVsbG8=\nSGVsbG8=\n', 'HelloHello'],
      ['BASE64', 'SGVsbG8gd29y*bGQ', 'Hello world'],
      ['quoted-printable', 'a=3Db=\nc=C3=A9 =  \nd=ZZ=', 'a=bcé d=ZZ'],
      ['7bit (comment)', 'plain', 'plain'],
      ['uuencode', 'begin 644 x.txt\n%2&5L;&\\\n`\nend', 'Hello'],
    ] as const) {
      const mail = mailOf(
        `From: a@example.com\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: ${encoding}\n\n${body}`,
      )
      assert.equal(mail.parts[0]?.text, text, `${encoding} ${body}`)
    }
  })

  test('base64 with a million characters of padding in its middle is no trouble', () => {
    const body = `SGVsbG8${'='.repeat(1_000_000)}SGVsbG8=`
    const mail = mailOf(`Content-Transfer-Encoding: base64\nFrom: a@example.com\n\n${body}`)
    assert.equal(mail.parts[0]?.text, 'HelloHello')
  })

  test('format=flowed joins its lines, other text keeps them', () => {
    const flowed =
      'Content-Type: text/plain; format=flowed\n\none \ntwo\n> quoted \n> more\n-- \nname'
    assert.equal(mailOf(flowed).parts[0]?.text, 'one two\n> quoted more\n-- \nname')
    assert.equal(mailOf('\none \ntwo').parts[0]?.text, 'one \ntwo')
  })

  test('text is told by the name of a file where its type says nothing; NUL does no harm', () => {
    const mail = mailOf(
      `${HEAD}Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: application/octet-stream; name="a.csv"\n\nip\n--b\nContent-Type: application/octet-stream; name="a.bin"\n\nx\n--b\nContent-Type: text/calendar\n\nBEGIN\0\n--b\nContent-Type: application/ms-tnef; name=winmail.dat\n\n\x78\x9f\n--b\nContent-Type: application/pkcs7-mime; name=smime.p7m\nContent-Transfer-Encoding: base64\n\nMIIB\n--b--\n`,
    )
    assert.deepEqual(
      mail.parts.map(({ text }) => text),
      ['ip', null, 'BEGIN\0', null, null],
    )
  })
})
