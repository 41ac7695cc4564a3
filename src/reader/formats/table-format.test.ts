import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildMailReport } from '../../../test/mail-report.ts'
import { TABLE_FORMAT } from './table-format.ts'

function csvReport(text: string, fileName = 'list.csv') {
  return buildMailReport([
    { text: 'See the list.' },
    { fileName, mediaType: 'application/octet-stream', bytes: Buffer.from(text) },
  ])
}

function rowsOf(count: number): string {
  return `ip,port\n${'192.0.2.1,22\n'.repeat(count)}`
}

test('each value of a row is found again by its line and column', () => {
  const result = TABLE_FORMAT.read(
    csvReport('timestamp,ip,category\n2026-03-01 01:02:03,192.0.2.1,botnet\n'),
  )
  assert.ok(result?.kind === 'report')
  const findings = result.events[0]?.findings ?? []
  assert.deepEqual(
    findings.map(({ field, value, part, line }) => [field, value, part, line]),
    [
      ['/ip', '192.0.2.1', 'attachment list.csv', 2],
      ['/event_date', '2026-03-01T01:02:03.000Z', 'attachment list.csv', 2],
      ['/event_type', 'Bot', 'attachment list.csv', 2],
      ['/sender_email', 'reporter@desk.example.org', 'header From', null],
      ['/event_details', 'category', 'attachment list.csv', 2],
    ],
  )
  assert.match(findings[0]?.reason ?? '', /column ip/)
})

test('rows without anybody are passed over and told, at most fifty of them', () => {
  const result = TABLE_FORMAT.read(csvReport(`ip,port\n192.0.2.1,22\n${'n/a,23\n'.repeat(60)}`))
  assert.ok(result?.kind === 'report')
  assert.equal(result.events.length, 1)
  assert.equal(result.passedOver.length, 50)
  assert.equal(result.passedOver[0]?.line, 3)
})

test('a block keeps its range and its first address is reported', () => {
  const result = TABLE_FORMAT.read(csvReport('ip,category\n192.0.2.0/28,spam\n'))
  assert.ok(result?.kind === 'report')
  assert.equal(result.events[0]?.event.ip, '192.0.2.0')
  assert.equal(result.events[0]?.event.details?.['range'], '192.0.2.0/28')
})

test('unreadable with the limit when there are more than 10,000 rows, and all of 10,000 are read', () => {
  const full = TABLE_FORMAT.read(csvReport(rowsOf(10_000)))
  assert.ok(full?.kind === 'report')
  assert.equal(full.events.length, 10_000)
  for (const count of [10_001, 11_000]) {
    const over = TABLE_FORMAT.read(csvReport(rowsOf(count)))
    assert.ok(over?.kind === 'unreadable')
    assert.match(over.reason, /at most 10000/)
  }
})

test('unreadable when the rows are so wide that there are too many cells', () => {
  const text = `ip,port\n${`192.0.2.1${',x'.repeat(1_000)}\n`.repeat(1_001)}`
  assert.equal(TABLE_FORMAT.read(csvReport(text))?.kind, 'unreadable')
  assert.equal(TABLE_FORMAT.read(csvReport(text, 'notes.txt')), null)
})

test('null for a table that only links to the data, for prose, pictures and XARF', () => {
  for (const [fileName, text] of [
    ['list.csv', 'file,size\nreport of today,3\n'],
    ['list.csv', 'ip,port\nn/a,22\n'],
    ['readme.txt', 'Dear all, hello, there\nwe saw 192.0.2.1, again, today\n'],
    ['note.pdf', 'ip,port\n192.0.2.1,22\n'],
    ['x.json', '{"xarf_version":"4.2.0","source_identifier":"192.0.2.1"}'],
    ['x.json', '[{"ReporterInfo":{},"Report":{"SourceIp":"192.0.2.1"},"Disclosure":true}]'],
  ] as const) {
    assert.equal(TABLE_FORMAT.read(csvReport(text, fileName)), null, `${fileName}: ${text}`)
  }
})

test('null for a mail whose own text happens to look like a table', () => {
  assert.equal(
    TABLE_FORMAT.read(buildMailReport([{ text: 'ip,port,time\n192.0.2.1,22,now\n' }])),
    null,
  )
})

test('hostile names of columns and members stay data', () => {
  const json = '[{"ip":"192.0.2.1","__proto__":{"polluted":1},"constructor":"x"}]'
  const result = TABLE_FORMAT.read(csvReport(json, 'x.json'))
  assert.ok(result?.kind === 'report')
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
})
