// Proves that `npm run lint:regex` finds regular expressions that take too long, in each way in
// which a file may write them, and passes those that do not.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { collectRegexes } from '../scripts/regex/collect-regexes.ts'
import { judgeRegex } from '../scripts/regex/judge-regex.ts'

describe('the regular expressions of a file', () => {
  test('are its literals, and constructions out of texts and constants', () => {
    const text = [
      'const PART = String.raw`\\d+`',
      'const WORD = /[a-z]+/u',
      'const a = /^x{1,3}$/gi.test("/no/")',
      "const b = new RegExp('a+b', 'i')",
      'const c: RegExp = RegExp(`^${PART}-${WORD.source}$`)',
      'const d = new RegExp(process.argv[2])',
      '// no /comment+/',
    ].join('\n')
    const found = collectRegexes('a.ts', text).toSorted((one, other) => one.line - other.line)
    assert.deepEqual(
      found.map(({ line, source, flags }) => [line, source, flags]),
      [
        [2, '[a-z]+', 'u'],
        [3, '^x{1,3}$', 'gi'],
        [4, 'a+b', 'i'],
        [5, '^\\d+-[a-z]+$', ''],
      ],
    )
  })

  test('are left out where names of two functions lead to each other', () => {
    const text = [
      'const one = (text: string) => { const source = text; return new RegExp(source) }',
      'const two = (source: string) => { const text = source; return new RegExp(text) }',
    ].join('\n')
    assert.deepEqual(collectRegexes('a.ts', text), [])
  })
})

describe('a regular expression', () => {
  for (const source of [
    '^(?:a+)+$',
    '^(?:a|a)*$',
    '(?:[a-z]+\\d?)*!',
    '^(?:\\w{1,64}\\.?){1,64}$',
  ]) {
    test(`is exponential: ${source}`, () => {
      assert.deepEqual(judgeRegex(source, '', 2), { kind: 'exponential' })
    })
  }

  test('is polynomial where it may begin at many places, or shares characters', () => {
    assert.deepEqual(judgeRegex('\\s+$', '', 1), { kind: 'polynomial', degree: 2 })
    assert.deepEqual(judgeRegex('a*a*a*b', '', 2), { kind: 'polynomial', degree: 4 })
    assert.deepEqual(judgeRegex('\\s+$', '', 2), { kind: 'fine' })
  })

  for (const source of [
    '^\\s+$',
    '^(?:a+b)+$',
    '^[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,8}$',
    '[)*+]x',
  ]) {
    test(`is fine: ${source}`, () => {
      assert.deepEqual(judgeRegex(source, '', 1), { kind: 'fine' })
    })
  }
})
