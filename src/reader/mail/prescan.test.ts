import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prescanReport } from './prescan.ts'
import { READING_LIMITS } from './reading-limits.ts'

const HEAD = 'From: a@example.com\nSubject: s\n'
const scan = (text: string): string | null => prescanReport(Buffer.from(text)).exceeded

function enclose(levels: number): string {
  return `${HEAD}Content-Type: message/rfc822\n\n`.repeat(levels) + `${HEAD}\nx`
}

function nest(levels: number): string {
  const open = Array.from(
    { length: levels },
    (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\n`,
  )
  return `${HEAD}${open.join('')}\nx`
}

test('what keeps within every limit passes', () => {
  assert.equal(scan(`${HEAD}\nx`), null)
  assert.equal(scan(enclose(5)), null)
  assert.equal(scan(nest(20)), null)
  assert.equal(scan('{"a":1}'), null)
  assert.equal(
    scan(`${HEAD}Content-Type: multipart/mixed; boundary=b\n\n${'--b\n\nx\n'.repeat(999)}`),
    null,
  )
})

test('each limit that is broken is named', () => {
  const parts = '--b\n\nx\n'
  for (const [text, reason] of [
    [
      `${HEAD}Content-Type: multipart/mixed; boundary=b\n\n${parts.repeat(1_000)}`,
      /more than 1000 parts/,
    ],
    [nest(21), /nested more than 20 deep/],
    [enclose(6), /enclosed in one another more than 5 deep/],
    [`${HEAD}X-A: b\n`.repeat(1_001), /more than 1000 header fields/],
    [`${HEAD}X-A: b\n${' fold\n'.repeat(50_000)}\nx`, /headers are longer than 262144 bytes/],
    [`${HEAD}X-A: ${'x'.repeat(300_000)}\n\nx`, /headers are longer than 262144 bytes/],
    [
      `${HEAD}Content-Type: multipart/mixed; boundary=b\n\n--b\nX-A: ${'x'.repeat(300_000)}\n\nx\n--b--`,
      /headers are longer/,
    ],
  ] as const) {
    assert.match(scan(text) ?? 'null', reason)
  }
  const long = Buffer.alloc(READING_LIMITS.messageBytesMax + 1)
  assert.match(prescanReport(long).exceeded ?? 'null', /longer than 26214400 bytes/)
})

test('the parts of enclosed mails count with the others', () => {
  const inner = `${HEAD}Content-Type: multipart/mixed; boundary=in\n\n${'--in\n\nx\n'.repeat(600)}`
  const outer = `--out\nContent-Type: message/rfc822\n\n${inner}`
  const text = `${HEAD}Content-Type: multipart/mixed; boundary=out\n\n${outer}${outer}--out--`
  assert.match(scan(text) ?? 'null', /more than 1000 parts/)
})
