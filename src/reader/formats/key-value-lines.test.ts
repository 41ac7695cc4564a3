import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldText, findField, readFieldLines } from './key-value-lines.ts'

const FIELDS = readFieldLines([
  '---',
  'Reported-From: sensor@example.org',
  'Schema-URL: http://schema.example.org/a:b.json',
  'Date: "Mon, 02 Mar 2026',
  '  10:00:00 +0000"',
  'Empty:',
  'Empty: second',
  '',
  '  indented text that continues nothing',
  "Quoted: 'it: is'",
  'http://example.org/ is no field',
  'two words: neither',
])

test('fields keep their values, colons and all, and their lines', () => {
  assert.equal(fieldText(FIELDS, 'schema-url'), 'http://schema.example.org/a:b.json')
  assert.equal(fieldText(FIELDS, 'quoted'), 'it: is')
  assert.equal(findField(FIELDS, 'schema-url')?.line, 3)
})

test('a continuation line belongs to its field, an empty line ends it', () => {
  assert.equal(fieldText(FIELDS, 'date'), '"Mon, 02 Mar 2026 10:00:00 +0000"')
  assert.equal(fieldText(FIELDS, 'empty'), 'second')
})

test('what is no field is passed over', () => {
  const names = FIELDS.map(({ name }) => name)
  assert.deepEqual(names, ['reported-from', 'schema-url', 'date', 'empty', 'empty', 'quoted'])
  assert.equal(findField(FIELDS, 'http'), null)
})

test('fields that are all indented do not continue one another', () => {
  const fields = readFieldLines([
    ' Feedback-Type: abuse',
    ' Version: 1',
    '   and more',
    ' Source-IP: 192.0.2.1',
  ])
  assert.deepEqual(
    fields.map(({ name, value }) => [name, value]),
    [
      ['feedback-type', 'abuse'],
      ['version', '1 and more'],
      ['source-ip', '192.0.2.1'],
    ],
  )
})
