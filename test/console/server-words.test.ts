// Proves that what the server refuses can be said in German: each problem that a request can meet
// has a sentence, and none is left over; and so have the usual faults of a field.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type TSchema, Type } from 'typebox'
import { REASONS_DE, sayReasonInGerman } from '../../console/src/messages/server-reasons-de.ts'
import { SERVER_WORDS_DE } from '../../console/src/messages/server-words-de.ts'
import { compileFieldCheck } from '../../src/kernel/http/validator.ts'
import { findPackageRoot } from '../../src/values/resources.ts'

const page = readFileSync(join(findPackageRoot(), 'docs/reference/errors.md'), 'utf8')
const problems = [...page.matchAll(/^\| `([A-Z0-9_]+)` \| (\d{3}) \| (.*) \|$/gm)]
// 500 marks what only a start or a command says, but for the fault of the service itself.
const asked = problems
  .filter(([, code, status]) => status !== '500' || code === 'KERNEL_INTERNAL_TROUBLE')
  .map(([, code = '']) => code)

test('every problem that a request can meet has its German sentence, and no other', () => {
  assert.ok(asked.length > 200, `only ${asked.length} problems were read`)
  assert.deepEqual(Object.keys(SERVER_WORDS_DE).toSorted(), asked.toSorted())
})

test('a sentence stands alone, or hands over to the words of the server by a colon', () => {
  const odd = Object.entries(SERVER_WORDS_DE).filter(([, text]) => !/^[A-ZÄÖÜ].*[.:]$/.test(text))
  assert.deepEqual(odd, [])
})

test('what the schemas of the interface say of a field has its German words', () => {
  const faults: readonly (readonly [TSchema, unknown, string])[] = [
    [Type.String({ minLength: 1 }), '', 'darf nicht leer sein'],
    [Type.String({ minLength: 12 }), 'short', 'braucht mindestens 12 Zeichen'],
    [Type.String({ maxLength: 2 }), 'long', 'darf höchstens 2 Zeichen haben'],
    [Type.String({ pattern: '^a$' }), 'b', 'hat nicht die verlangte Form'],
    [Type.Integer({ minimum: 2 }), 1, 'muss mindestens 2 sein'],
    [Type.Integer({ maximum: 2 }), 3, 'darf höchstens 2 sein'],
    [Type.Integer(), 'x', 'muss eine ganze Zahl sein'],
    [Type.Array(Type.String(), { minItems: 1 }), [], 'braucht mindestens einen Eintrag'],
    [Type.Array(Type.String(), { maxItems: 1 }), ['a', 'b'], 'darf höchstens 1 Einträge haben'],
    [Type.Array(Type.String(), { uniqueItems: true }), ['a', 'a'], 'darf nichts zweimal enthalten'],
    [
      Type.Union([Type.Literal('a'), Type.Literal('b')]),
      'c',
      'muss eines von diesen sein: "a","b"',
    ],
    [Type.Object({ name: Type.String() }), {}, 'fehlt'],
  ]
  for (const [schema, value, german] of faults) {
    const [problem] = compileFieldCheck(schema)(value)
    assert.equal(sayReasonInGerman(problem?.reason ?? ''), german)
  }
})

test('no German words are kept for a fault that the server does not name any more', () => {
  // Those of types come from the compiler of schemas.
  const ours = Object.keys(REASONS_DE).filter(
    (reason) => !/^must be (?:string|integer|number|boolean|array|object)$/.test(reason),
  )
  const said = globSync('src/**/*.ts', { cwd: findPackageRoot() })
    .map((file) => readFileSync(join(findPackageRoot(), file), 'utf8'))
    .join('\n')
  assert.deepEqual(
    ours.filter((reason) => !said.includes(reason)),
    [],
  )
})
