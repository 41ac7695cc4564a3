// Proves the five forms of what a command read.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatRead, type ReadView } from './write-read.ts'

const LIST: ReadView = {
  document: { items: [{ name: '=1+1', deep: { member: 'a' } }, { name: 'b' }] },
  columns: ['name', 'deep.member'],
  formatForPeople: () => 'for people\n',
}

for (const [output, expected] of [
  ['human', 'for people\n'],
  ['raw', '{"items":[{"name":"=1+1","deep":{"member":"a"}},{"name":"b"}]}\n'],
  ['jsonl', '{"name":"=1+1","deep":{"member":"a"}}\n{"name":"b"}\n'],
  ['csv', "name,deep_member\r\n'=1+1,a\r\nb,\r\n"],
] as const) {
  test(`a list as ${output}`, () => assert.equal(formatRead(output, LIST), expected))
}

test('a list as json is one document', () => {
  assert.deepEqual(JSON.parse(formatRead('json', LIST)), LIST.document)
})

test('a record is one row, unless the view says which rows it has', () => {
  const record = { document: { name: 'a', rows: [{ b: 1 }] }, formatForPeople: () => '' }
  assert.equal(formatRead('csv', { ...record, columns: ['name'] }), 'name\r\na\r\n')
  assert.equal(formatRead('jsonl', { ...record, rows: [{ b: 1 }] }), '{"b":1}\n')
})
