// Canonical JSON is what it was when digests of the audit log were made by it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { writeCanonicalJson } from './canonical-json.ts'

/** The plain way, in two passes. */
function writePlainly(value: unknown): string {
  const text = JSON.stringify(value)
  return text === undefined ? 'null' : JSON.stringify(sort(JSON.parse(text)))
}

function sort(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sort)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sort(member)]))
}

test('is the text of the plain way for every value', () => {
  const key = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('10', '9', '01', '4294967295', '__proto__', 'toJSON', 'constructor'),
  )
  const values = fc.anything({
    key,
    withDate: true,
    withBoxedValues: true,
    withSparseArray: true,
    maxDepth: 4,
  })
  fc.assert(
    fc.property(values, (value) => writeCanonicalJson(value) === writePlainly(value)),
    { numRuns: 2_000 },
  )
})

test('sorts members by name at every depth, and array indexes by number before them', () => {
  const value = {
    b: 1,
    a: { 10: 1, 9: 2, z: undefined, y: new Date(0) },
    '': [undefined, Number.NaN],
  }
  assert.equal(
    writeCanonicalJson(value),
    '{"":[null,null],"a":{"9":2,"10":1,"y":"1970-01-01T00:00:00.000Z"},"b":1}',
  )
  assert.equal(writeCanonicalJson(undefined), 'null')
})
