import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { writeZip } from '../../../test/fixtures/zip-writer.ts'
import { mailOfOnePart } from '../mail/detect-mail.ts'
import type { Mail, MailPart } from '../mail/mail.ts'
import { unpackParts } from './unpack-parts.ts'

function mailWith(...files: readonly (readonly [string, Uint8Array])[]): Mail {
  const parts = files.map(([fileName, bytes], index): MailPart => {
    const [part] = mailOfOnePart(bytes, 'application/octet-stream', fileName).parts
    assert.ok(part !== undefined)
    return { ...part, path: `${index + 1}` }
  })
  return { ...mailOfOnePart(Buffer.alloc(0), ''), parts }
}

function outline({ parts }: Mail): readonly string[] {
  return parts.map(
    ({ path, fileName, mediaType, text }) => `${path} ${fileName} ${mediaType} ${text}`,
  )
}

test('what an archive holds stands behind it, tables and texts only', () => {
  const zip = writeZip([
    { path: 'x/2026-03-02-scan_report.csv', content: 'ip\r\n192.0.2.1' },
    { path: 'sample.exe', content: 'MZ' },
    { path: '__MACOSX/a.csv', content: '' },
  ])
  const { mail, refusals } = unpackParts(
    mailWith(['a.zip', zip], ['r.xml.gz', gzipSync('<a/>')], ['note.txt', Buffer.from('n')]),
  )
  assert.deepEqual(outline(mail), [
    '1 a.zip application/zip null',
    '1/1 2026-03-02-scan_report.csv text/csv ip\n192.0.2.1',
    '2 r.xml.gz application/gzip null',
    '2/1 r.xml application/xml <a/>',
    '3 note.txt text/plain n',
  ])
  assert.equal(mail.parts[1]?.parentType, 'application/zip')
  assert.deepEqual(refusals, [])
})

test('a bare archive without names is typed by what is in it', () => {
  const { mail } = unpackParts(mailOfOnePart(gzipSync('<?xml version="1.0"?><feedback/>'), ''))
  assert.equal(outline(mail)[1], '1/1 content application/xml <?xml version="1.0"?><feedback/>')
})

test('an archive within an archive stays closed, and so does a table that is a zip inside', () => {
  const inner = writeZip([{ path: 'a.csv', content: 'ip' }])
  const sheet = writeZip([{ path: '[Content_Types].xml', content: '<Types/>' }])
  const outer = writeZip([
    { path: 'in.zip', content: inner },
    { path: 'b.xlsx', content: sheet },
  ])
  const { mail } = unpackParts(mailWith(['outer.zip', outer], ['c.xlsx', sheet], ['d.bin', sheet]))
  assert.deepEqual(
    mail.parts.map(({ fileName }) => fileName),
    ['outer.zip', 'b.xlsx', 'c.xlsx', 'd.bin'],
  )
})

test('an archive over a limit stays closed and is told; all archives of a mail share the limit', () => {
  const bomb = gzipSync(Buffer.alloc(2 * 1024 * 1024))
  const { mail, refusals } = unpackParts(mailWith(['a.gz', bomb], ['b.gz', gzipSync('x')]))
  assert.deepEqual(
    mail.parts.map(({ path }) => path),
    ['1', '2', '2/1'],
  )
  assert.match(refusals.join(), /100 times its size/)
  assert.match(mail.defects.join(), /100 times its size/)
})
