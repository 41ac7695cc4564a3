import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readReportBytes } from './read-report.ts'

function reasonOf(content: string | Uint8Array, mediaType: string): string {
  const context = { receivedAtMs: 0, mediaType, fallbackReporter: 'desk@reporter.example' }
  const result = readReportBytes(Buffer.from(content), context)
  assert.equal(result.kind, 'unreadable')
  return result.kind === 'unreadable' ? result.reason : ''
}

describe('what nobody here can read', () => {
  it('says of XML which it is', () => {
    const xml =
      '<?xml version="1.0"?>\n<!-- by hand -->\n<!DOCTYPE a>\n<inv:stock xmlns:inv="x"><a/></inv:stock>\n'
    assert.equal(
      reasonOf(xml, 'application/xml'),
      'The report is XML, but of no kind that is read here: its root element is <inv:stock>.',
    )
  })

  it('says of a table which columns it has', () => {
    assert.equal(
      reasonOf('name;size;colour\nchair;3;red\ntable;4;blue\n', 'text/csv'),
      'The report is a table, but none of its columns is one of addresses, domains or links; they are: name, size, colour.',
    )
    const sentences = 'when,comment\nMonday,"It was nice, and we saw the sea."\n'
    assert.match(reasonOf(sentences, 'text/csv'), /they are: when, comment\.$/)
    const wide = `${Array.from({ length: 12 }, (_, at) => `c${at}`).join()}\n${'x,'.repeat(11)}x\n`
    assert.match(reasonOf(wide, 'text/csv'), /they are: c0, .*, c9, …\.$/)
  })

  it('says of a table whose rows name nobody that it is so', () => {
    const rows = 'timestamp,ip,category\n2026-03-01 01:02:03,n/a,botnet\n'
    assert.match(reasonOf(rows, 'text/csv'), /none of its 1 rows names an address/)
  })

  it('says of broken JSON and of bytes what they are not', () => {
    assert.match(reasonOf('{"a": 1', 'application/json'), /it is not JSON\.$/)
    assert.match(reasonOf(Uint8Array.of(0x89, 0x50, 0, 1, 0xff), 'image/png'), /not UTF-8 text/)
  })
})
