import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guessDelimiter, readCsvRows } from './csv-table.ts'

function cellsOf(text: string): readonly (readonly string[])[] {
  return (readCsvRows(text)?.rows ?? []).map((row) => row.cells)
}

test('the delimiter is what divides most lines alike', () => {
  assert.equal(guessDelimiter('ip,port\n192.0.2.1,22\n'), ',')
  assert.equal(guessDelimiter('ip;note\n192.0.2.1;one, two, three\n192.0.2.2;four\n'), ';')
  assert.equal(guessDelimiter('ip\tnote\n192.0.2.1\ta, b; c\n'), '\t')
  assert.equal(guessDelimiter('ASN | IP\n64496 | 192.0.2.1\n'), '|')
  assert.equal(guessDelimiter('ip,log\n192.0.2.1,"a;b;c"\n192.0.2.2,"d;e;f"\n'), ',')
  assert.equal(guessDelimiter('sep=;\nip;port\n'), ';')
  assert.equal(guessDelimiter('192.0.2.1\n192.0.2.2\n'), ',')
  assert.equal(guessDelimiter(''), ',')
})

test('quoted cells keep delimiters and line breaks, and a row knows its line', () => {
  const found = readCsvRows('ip,log\n192.0.2.1,"a,b\nc"\n192.0.2.2,d\n')
  assert.deepEqual(
    found?.rows.map((row) => row.cells),
    [
      ['ip', 'log'],
      ['192.0.2.1', 'a,b\nc'],
      ['192.0.2.2', 'd'],
    ],
  )
  assert.equal(found?.rows[0]?.line, 1)
  assert.equal(found?.rows[2]?.line, 4)
})

test('a stray quote, rows of other lengths and a quote that is never closed are read all the same', () => {
  assert.deepEqual(cellsOf('ip,log\n192.0.2.1,say "hi" now\n'), [
    ['ip', 'log'],
    ['192.0.2.1', 'say "hi" now'],
  ])
  assert.deepEqual(cellsOf('a,b\n1\n1,2,3\n'), [['a', 'b'], ['1'], ['1', '2', '3']])
  assert.deepEqual(cellsOf('ip,log\n192.0.2.1,"open\n192.0.2.2,x\n')[2], ['192.0.2.2', 'x'])
})

test('more rows than are read are told, and a line of nothing but delimiters is refused', () => {
  assert.equal(readCsvRows('ip\n'.repeat(10_200))?.hasMore, true)
  assert.equal(readCsvRows('ip\n'.repeat(10_000))?.hasMore, false)
  assert.equal(readCsvRows(`ip,port\n${','.repeat(200_000)}\n`), null)
  const wide = `ip,port\n${`192.0.2.1${',x'.repeat(1_000)}\n`.repeat(1_001)}`
  assert.deepEqual(readCsvRows(wide), { rows: [], hasMore: true })
})
