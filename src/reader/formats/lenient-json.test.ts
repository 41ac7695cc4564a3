import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { findJson } from './lenient-json.ts'

const MARKER = /mark/

function found(text: string): unknown {
  return findJson(text, MARKER)?.value ?? null
}

for (const [what, text] of [
  ['sound', '{"mark": {"a": [1, true, null]}}'],
  ['a byte order mark', '\uFEFF{"mark": {"a": [1, true, null]}}'],
  ['trailing commas', '{"mark": {"a": [1, true, null,],},}'],
  ['comments', '{ // first\n"mark": /* second */ {"a": [1, true, null]}}'],
  ['typographic quotes', '{\u201Cmark\u201D: {\u201Ea\u201C: [1, true, null]}}'],
  ['words of Python', '{"mark": {"a": [1, True, None]}}'],
  ['hard spaces', '{\u00A0"mark":\u00A0{"a": [1, true,\u00A0null]}}'],
  ['words around it', 'Hello {name}, see [1]:\n{"mark": {"a": [1, true, null]}}\nRegards {me}'],
] as const) {
  test(`JSON is read with ${what}`, () => {
    assert.deepEqual(found(text), { mark: { a: [1, true, null] } })
  })
}

test('texts keep what they hold: raw line ends, tabs, backslashes, comments and brackets', () => {
  const value = found('{"mark": "a\n\tb \\d \\u00e9 // no comment {[,]} \\"q\\"",}')
  assert.deepEqual(value, { mark: 'a\n\tb \\d é // no comment {[,]} "q"' })
  assert.deepEqual(found('{\u201Cmark\u201D: \u201Csay "hi"\u201D}'), { mark: 'say "hi"' })
})

test('the object around the marker is taken, with the line it starts on', () => {
  const text = 'x\n{"other": 1}\n\n{"outer": {"mark": 2,}}'
  assert.deepEqual(findJson(text, MARKER), { value: { outer: { mark: 2 } }, line: 4 })
})

for (const text of [
  '',
  'no json at all: mark',
  '{"mark": ',
  '{"mark": 1',
  '{"mark": "open}',
  '{"mark": 1 2 ?}',
  `${'[{'.repeat(100)}"mark"`,
]) {
  test(`what is beyond repair is not guessed at: ${JSON.stringify(text.slice(0, 30))}`, () => {
    assert.equal(findJson(text, MARKER), null)
  })
}

test('sound JSON survives a trailing comma and a comment unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const json = JSON.stringify({ mark: value })
      const broken = `text before\n${json.slice(0, -1)}, /* end */ }`
      assert.deepEqual(found(broken), JSON.parse(json))
    }),
  )
})

test('any text is read without a fault', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...Array.from('{}[]",:/*\\ \n\u201C\u201Dmark01')) }),
      (text) => {
        assert.doesNotThrow(() => findJson(`${text}mark`, MARKER))
      },
    ),
  )
})
