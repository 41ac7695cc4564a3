import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { writeZip } from '../../test/fixtures/zip-writer.ts'
import { readReportBytes } from './read-report.ts'
import type { ReportContext, ReportResult } from './reading.ts'

const CONTEXT: ReportContext = {
  receivedAtMs: Date.parse('2026-03-02T12:00:00Z'),
  mediaType: 'message/rfc822',
  fallbackReporter: 'desk@reporter.example',
}
const HEAD =
  'From: desk@reporter.example\nTo: abuse@provider.example\nSubject: Abuse\nDate: Mon, 2 Mar 2026 10:00:00 +0000\nMessage-ID: <1@reporter.example>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n'
const ACCUSES = 'The host 192.0.2.7 attacks our SSH server, please stop it.'
// A zip without entries is its end record alone.
const EMPTY_ZIP = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])

interface Attachment {
  readonly type: string
  readonly name: string
  readonly bytes: Uint8Array
}

function read(text: string, { type, name, bytes }: Attachment): ReportResult {
  const base64 = Buffer.from(bytes).toString('base64')
  const part = `Content-Type: ${type}; name="${name}"\nContent-Disposition: attachment; filename="${name}"\nContent-Transfer-Encoding: base64\n\n${base64}\n`
  const mail = `${HEAD}--b\nContent-Type: text/plain\n\n${text}\n\n--b\n${part}--b--\n`
  return readReportBytes(Buffer.from(mail), CONTEXT)
}

function noticesOf(result: ReportResult): readonly string[] {
  if (result.kind !== 'report' && result.kind !== 'no_report') return []
  const notices = result.passedOver.filter(({ field, value }) => field === '' && value === '')
  return notices.map(({ part, reason }) => `${part}: ${reason}`)
}

function workbook(count: number): Attachment {
  const row = '<row><c t="str"><v>'
  const content = `${row}ip</v></c></row>${row}192.0.2.9</v></c></row>`
  return {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    name: 'a.xlsx',
    bytes: writeZip(
      Array.from({ length: count }, (_, index) => ({
        path: `xl/worksheets/sheet${index + 1}.xml`,
        content,
      })),
    ),
  }
}

function tarOf(text: string): Buffer {
  const head = Buffer.alloc(512)
  head.write('report.csv', 0)
  head.write('ustar', 257)
  return Buffer.concat([head, Buffer.from(text.padEnd(512, '\0'))])
}

const SEALED: readonly (readonly [Attachment, RegExp])[] = [
  [
    { type: 'application/ms-tnef', name: 'winmail.dat', bytes: Buffer.from('789f3e22', 'hex') },
    /TNEF/,
  ],
  [
    { type: 'application/octet-stream', name: 'logs', bytes: tarOf('ip\n192.0.2.9\n') },
    /a tar archive/,
  ],
  [{ type: 'application/pdf', name: 'a.pdf', bytes: Buffer.from('%PDF-1.7\n') }, /PDF/],
  [
    { type: 'application/pkcs7-mime', name: 'smime.p7m', bytes: Buffer.from('3080', 'hex') },
    /S\/MIME/,
  ],
  [
    {
      type: 'application/vnd.ms-excel',
      name: 'a.xls',
      bytes: Buffer.from('d0cf11e0a1b11ae100', 'hex'),
    },
    /office/,
  ],
]

describe('what nobody here opens', () => {
  for (const [attachment, kind] of SEALED) {
    it(`${attachment.name} is told beside a report`, () => {
      const result = read(ACCUSES, attachment)
      assert.equal(result.kind, 'report')
      assert.match(noticesOf(result).join(), kind)
    })

    it(`${attachment.name} keeps a mail that names nobody from being refused`, () => {
      const result = read('Please find our complaint attached.', attachment)
      assert.equal(result.kind, 'unreadable')
      assert.match(result.kind === 'unreadable' ? result.reason : '', kind)
    })
  }

  it('a table of text is read under whatever name', () => {
    const bytes = Buffer.from('ip;category\n192.0.2.9;botnet\n')
    const result = read('See the list.', { type: 'application/vnd.ms-excel', name: 'a.csv', bytes })
    assert.equal(result.kind, 'report')
    assert.deepEqual(noticesOf(result), [])
  })

  it('the sheets of a workbook beyond the fifth are told, five are not', () => {
    assert.deepEqual(noticesOf(read(ACCUSES, workbook(7))), [
      'attachment a.xlsx: Of the 7 sheets of part 2 the first 5 were read.',
    ])
    assert.deepEqual(noticesOf(read(ACCUSES, workbook(5))), [])
  })

  it('an automatic reply is one, whatever is attached', () => {
    const bytes = Buffer.from('%PDF-1.7\n')
    const result = read('I am out of the office. We have received your message.', {
      type: 'application/pdf',
      name: 'a.pdf',
      bytes,
    })
    assert.equal(result.kind, 'no_report')
  })
})

function readBare(bytes: Uint8Array, mediaType: string): string {
  const result = readReportBytes(bytes, { ...CONTEXT, mediaType })
  return 'reason' in result ? `${result.kind}: ${result.reason}` : result.kind
}

describe('what is empty', () => {
  it('an attached table or archive is told', () => {
    const csv = { type: 'text/csv', name: 'a.csv', bytes: Buffer.from('\n') }
    assert.deepEqual(noticesOf(read(ACCUSES, csv)), [
      'attachment a.csv: Part 2 was not read: it is empty.',
    ])
    const zip = { type: 'application/zip', name: 'a.zip', bytes: EMPTY_ZIP }
    assert.deepEqual(noticesOf(read(ACCUSES, zip)), [
      'attachment a.zip: Part 2 was not read: the archive holds nothing that is read here.',
    ])
  })

  it('a bare file gives its reason', () => {
    assert.match(readBare(Buffer.alloc(0), 'text/csv'), /^unreadable: The report is empty/)
    assert.match(readBare(Buffer.from(' \r\n'), 'text/csv'), /^unreadable: The report is empty/)
    assert.match(readBare(EMPTY_ZIP, 'application/zip'), /^unreadable: .*archive holds nothing/)
    assert.match(readBare(Buffer.from('ip;category\n'), 'text/csv'), /^no_report: .*no rows/)
  })
})

function linesOf(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('\n')
}

function ipOf(index: number): string {
  return `203.0.${index >> 8}.${index & 255}`
}

function logOf(index: number): string {
  return `Mar  2 08:00:00 host sshd[1]: Failed password for root from ${ipOf(index % 3)} port 40${index} ssh2`
}

function readLines(text: string): ReportResult {
  const head = HEAD.replace(/Content-Type.*\n/, '')
  return readReportBytes(Buffer.from(`${head}These hosts attacked us:\n\n${text}\n`), CONTEXT)
}

describe('what lies beyond a limit', () => {
  it('more than 10,000 addresses in a text are refused with the number, 10,000 are read', () => {
    const whole = readLines(linesOf(10_000, ipOf))
    assert.equal(whole.kind === 'report' ? whole.events.length : 0, 10_000)
    const over = readLines(linesOf(10_001, ipOf))
    assert.match(over.kind === 'unreadable' ? over.reason : '', /10001 or more .* 10000/)
  })

  it('the rest of a long text is told', () => {
    const result = readLines(linesOf(9_000, logOf))
    assert.equal(result.kind, 'report')
    assert.match(noticesOf(result).join(), /beyond 524288 characters of one part/)
    assert.deepEqual(noticesOf(readLines(linesOf(90, logOf))), [])
  })
})
