import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { FieldProblem } from './field-problem.ts'
import {
  checkJsonObject,
  findUnstorableText,
  isJsonObject,
  isStorableText,
  joinPointer,
  PROBLEMS_MAX,
} from './json-value.ts'

const LIMITS = {
  depthMax: 3,
  valuesMax: 50,
  textLengthMax: 10,
  nameLengthMax: 5,
  totalLengthMax: 60,
}

function problemsOf(value: unknown): FieldProblem[] {
  const problems: FieldProblem[] = []
  assert.equal(checkJsonObject(value, '/d', LIMITS, problems), problems.length === 0)
  return problems
}

function pathsOf(value: unknown): string[] {
  return problemsOf(value).map((problem) => problem.path)
}

test('a small object of every JSON type is sound', () => {
  assert.deepEqual(problemsOf({ a: [1, 2.5, -0, true, null, 'x', { b: 1 }] }), [])
  assert.deepEqual(problemsOf({}), [])
})

test('what is no object is refused', () => {
  for (const value of [null, [], 'x', 1, true, undefined]) assert.deepEqual(pathsOf(value), ['/d'])
})

test('each wrong place is told, not only the first', () => {
  assert.deepEqual(
    pathsOf({
      a: 'x\u0000',
      b: ['ok', '\uD800'],
      c: Number.POSITIVE_INFINITY,
      d: 2 ** 53,
      'e\u0000': 1,
      toolong: 1,
    }),
    ['/d/a', '/d/b/1', '/d/c', '/d/d', '/d/e\uFFFD', '/d/toolong'],
  )
})

test('too deep, too many and too long are refused', () => {
  assert.deepEqual(pathsOf({ a: { b: { c: { d: 1 } } } }), ['/d/a/b/c'])
  assert.deepEqual(pathsOf({ a: Array.from({ length: 60 }, () => 1) }), ['/d/a/48'])
  assert.deepEqual(pathsOf({ a: 'x'.repeat(11) }), ['/d/a'])
  assert.deepEqual(pathsOf({ a: Array.from({ length: 7 }, () => 'x'.repeat(10)) }), ['/d/a/5'])
})

test('names count as texts do, also where no text follows them', () => {
  const names = Array.from({ length: 13 }, (_, at) => String(at + 10_000))
  assert.deepEqual(pathsOf(Object.fromEntries(names.map((name) => [name, 1]))), ['/d/10012'])
})

test('an object nested 100,000 levels deep is refused without exhausting the stack', () => {
  const deep: unknown = JSON.parse('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000))
  assert.deepEqual(pathsOf(deep), ['/d/a/a/a'])
})

test('a body that is wrong everywhere gives a bounded list of problems', () => {
  const problems: FieldProblem[] = []
  const limits = { ...LIMITS, valuesMax: 10_000, totalLengthMax: 100_000 }
  const wrong = { a: Array.from({ length: 5_000 }, () => '\u0000') }
  assert.equal(checkJsonObject(wrong, '', limits, problems), false)
  assert.equal(problems.length, PROBLEMS_MAX)
})

test('a member called __proto__ is a member like any other', () => {
  assert.deepEqual(problemsOf(JSON.parse('{"__proto__":1}')), [
    { path: '/d/__proto__', reason: 'has a name longer than 5 characters' },
  ])
})

test('pointers are escaped and can always be stored', () => {
  assert.equal(joinPointer('/a', 'b/c~d'), '/a/b~1c~0d')
  assert.equal(joinPointer('', 3), '/3')
  assert.equal(joinPointer('', '\uD800\u0000'), '/\uFFFD\uFFFD')
})

test('no JSON value makes the check throw', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const problems: FieldProblem[] = []
      const isSound = checkJsonObject(value, '', LIMITS, problems)
      assert.equal(isSound, problems.length === 0)
      if (isSound) assert.ok(isJsonObject(value))
    }),
  )
})

test('U+0000 and lone surrogates are not storable, everything else is', () => {
  assert.equal(isStorableText('a\u0000'), false)
  assert.equal(isStorableText('\ud800'), false)
  assert.equal(isStorableText('\udc00\ud800'), false)
  assert.equal(isStorableText('😀 \u202e \u200b \uffff'), true)
})

test('the pointer names the wrong text, with its names escaped', () => {
  assert.equal(findUnstorableText({ a: [{ 'b/c~': '\u0000' }] }), '/a/0/b~1c~0')
  assert.equal(findUnstorableText('\u0000'), '/')
  assert.equal(findUnstorableText({ a: { '\u0000': 1 } }), '/a')
})

function nest(depth: number): unknown {
  let value: unknown = 'x'
  for (let i = 0; i < depth; i += 1) value = [value]
  return value
}

test('what nests deeper than 100 is refused, and the walk ends', () => {
  assert.equal(findUnstorableText(nest(100)), null)
  assert.notEqual(findUnstorableText(nest(101)), null)
  assert.notEqual(findUnstorableText(nest(100_000)), null)
})

test('a JSON value has a pointer exactly when one of its texts is not storable', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }), (value) => {
      const texts: string[] = []
      JSON.stringify(value, (key, member: unknown) => {
        texts.push(key)
        if (typeof member === 'string') texts.push(member)
        return member
      })
      assert.equal(findUnstorableText(value) === null, texts.every(isStorableText))
    }),
  )
})
