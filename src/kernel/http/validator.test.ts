// Proves that bodies are not converted, that query text is read in its plain spelling only, and
// what is told of faults.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TSchema, Type } from 'typebox'
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

test('at most 20 faults are told of a hundred thousand values that fit no part of a union', () => {
  const check = compileBodyCheck(Type.Array(Type.Union([Type.Literal('a'), Type.Literal('b')])))
  const reason = 'must be one of ["a","b"]'
  assert.deepEqual(
    check(Array.from({ length: 100_000 }, () => 'c'))?.fields,
    Array.from({ length: 20 }, (_, at) => ({ path: `/${at}`, reason })),
  )
})

test('a long unknown name is told in part, and at most 20 faults are told', () => {
  const check = compileBodyCheck(Type.Object({}, { additionalProperties: false }))
  assert.equal(check({ ['x'.repeat(5_000)]: 1 })?.fields[0]?.path.length, 200)
  assert.equal(
    check(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [i, 1])))?.fields.length,
    20,
  )
})

const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()])
const Threshold = Type.Object(
  { events: Type.Integer({ minimum: 1 }), unit: Type.Optional(orNull(Type.Literal('hour'))) },
  { additionalProperties: false },
)
const checkUnion = compileBodyCheck(
  Type.Object({
    name: Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 256 }))),
    count: Type.Optional(orNull(Type.Integer({ minimum: 1, maximum: 9 }))),
    is_on: Type.Optional(orNull(Type.Boolean())),
    level: Type.Optional(
      Type.Union([Type.Literal('low'), Type.Literal('high'), Type.Number(), Type.Null()]),
    ),
    threshold: Type.Optional(orNull(Threshold)),
    size: Type.Optional(
      Type.Union([
        Type.Number({ minimum: 1 }),
        Type.Integer({ maximum: -1 }),
        Type.Union([Type.Array(Type.Null()), Type.Literal('none')]),
      ]),
    ),
    list: Type.Optional(Type.Array(orNull(Type.Array(Type.String(), { maxItems: 2 })))),
  }),
)

for (const [body, path, reason] of [
  [{ name: 5 }, '/name', 'must be a text of 1 to 256 characters, or null'],
  [{ name: '' }, '/name', 'must NOT have fewer than 1 characters'],
  [{ count: 'x' }, '/count', 'must be a whole number from 1 to 9, or null'],
  [{ count: 10 }, '/count', 'must be <= 9'],
  [{ is_on: 'yes' }, '/is_on', 'must be true or false, or null'],
  [{ level: 'mid' }, '/level', 'must be "low", "high", a number, or null'],
  [{ threshold: 3 }, '/threshold', 'must be an object with events, or null'],
  [{ threshold: {} }, '/threshold/events', 'is missing'],
  [{ threshold: { events: 0 } }, '/threshold/events', 'must be >= 1'],
  [{ threshold: { events: 1, unit: 3 } }, '/threshold/unit', 'must be "hour", or null'],
  [{ list: [null, ['a'], 3] }, '/list/2', 'must be a list of up to 2, or null'],
  [{ list: [['a', 5]] }, '/list/0/1', 'must be string'],
  [
    { size: null },
    '/size',
    'must be a number from 1 on, a whole number up to -1, a list, or "none"',
  ],
] as const) {
  test(`a value that fits no part of a union is told what is expected: ${JSON.stringify(body)}`, () => {
    assert.deepEqual(checkUnion(body)?.fields, [{ path, reason }])
  })
}
