import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { looksLikeMail, mailOfOnePart } from './detect-mail.ts'

test('a mail is known by two usual headers, also behind the line of an mbox', () => {
  for (const text of [
    'From: a@example.com\r\nTo: b@example.com\r\n\r\n',
    'From x Mon Mar  2 2026\nReceived: from a\n\tby b\nX-Y: z\nSubject: s\n',
    '\n\nReturn-Path: <>\rMessage-ID: <1@example.com>\r',
  ]) {
    assert.equal(looksLikeMail(Buffer.from(text)), true, text)
  }
  for (const text of [
    '',
    'Date: 2026-03-02\nSource: 192.0.2.1\nCategory: abuse\n',
    '{"xarf_version":"4.2.0"}',
    'timestamp,ip\n2026,192.0.2.1\nFrom: a\nTo: b\n',
    '<?xml version="1.0"?>',
  ]) {
    assert.equal(looksLikeMail(Buffer.from(text)), false, text)
  }
})

function seen(bytes: Uint8Array | string, type: string): readonly (string | null)[] {
  const [part] = mailOfOnePart(Buffer.from(bytes), type, 'report').parts
  return [part?.mediaType ?? null, part?.text ?? null]
}

test('what is no mail becomes one part, typed by its first bytes before its name', () => {
  assert.deepEqual(seen(gzipSync('x'), 'text/plain')[0], 'application/gzip')
  assert.deepEqual(seen('PK\x03\x04', '')[0], 'application/zip')
  assert.deepEqual(seen('ip\r\n192.0.2.1', 'text/csv; charset=utf-8'), [
    'text/csv',
    'ip\n192.0.2.1',
  ])
  assert.deepEqual(seen('\ufeff <?xml version="1.0"?>', 'text/plain')[0], 'application/xml')
  assert.deepEqual(seen('words', 'message/rfc822'), ['text/plain', 'words'])
  assert.deepEqual(seen('words\0', 'application/octet-stream'), ['application/octet-stream', null])
})
