// Proves that bodies are not converted, that query text is read in its plain spelling only, and what is told of faults.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { compileBodyCheck, compileQueryCheck } from './validator.ts'

const checkItems = compileBodyCheck(Type.Array(Type.String(), { minItems: 1, maxItems: 3 }))

for (const body of [
  [1],
  [true],
  [null],
  ['a', 1],
  'a',
  {},
  [],
  null,
  undefined,
  ['a', 'b', 'c', 'd'],
]) {
  test(`400 for the body ${JSON.stringify(body)} where one to three strings are asked for`, () => {
    assert.equal(checkItems(body)?.status, 400)
  })
}

test('an array of strings passes', () => assert.equal(checkItems(['a']), null))

const Query = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
  resolved: Type.Optional(Type.Boolean()),
  state: Type.Optional(Type.String()),
})
const checkQuery = compileQueryCheck(Query, 'refused')

test('plain numbers and booleans of a query are read', () => {
  const query = { limit: '50', resolved: 'true', state: '1' }
  assert.equal(checkQuery(query), null)
  assert.deepEqual(query, { limit: 50, resolved: true, state: '1' })
})

for (const limit of [
  '0x10',
  '1e2',
  ' 5',
  '5 ',
  '',
  '05',
  '+5',
  '1.5',
  '٣',
  '9'.repeat(20),
  'NaN',
]) {
  test(`400 for the number "${limit}" in a query`, () => {
    assert.equal(checkQuery({ limit })?.status, 400)
  })
}

for (const resolved of ['TRUE', '1', '0', 'yes', '']) {
  test(`400 for the boolean "${resolved}" in a query`, () => {
    assert.equal(checkQuery({ resolved })?.status, 400)
  })
}

test('400 for a parameter given twice', () => {
  assert.equal(checkQuery({ limit: ['1', '2'] })?.status, 400)
})

test('400 for an unknown parameter where it is refused, none where it is ignored', () => {
  assert.deepEqual(checkQuery({ limt: '1' })?.fields, [
    { path: '/limt', reason: 'is not known here' },
  ])
  assert.equal(compileQueryCheck(Query, 'ignored')({ limt: '1' }), null)
})

test('a fault in a union tells the allowed values once', () => {
  const check = compileBodyCheck(
    Type.Object({ state: Type.Union([Type.Literal('open'), Type.Literal('closed')]) }),
  )
  assert.deepEqual(check({ state: 'x' })?.fields, [
    { path: '/state', reason: 'must be one of ["open","closed"]' },
  ])
})

test('a long unknown name is told in part, and at most 20 faults are told', () => {
  const check = compileBodyCheck(Type.Object({}, { additionalProperties: false }))
  assert.equal(check({ ['x'.repeat(5_000)]: 1 })?.fields[0]?.path.length, 200)
  assert.equal(
    check(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [i, 1])))?.fields.length,
    20,
  )
})
