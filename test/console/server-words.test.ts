// Proves that what the server refuses can be said in German: each problem that a request can meet
// has a sentence, and none is left over.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SERVER_WORDS_DE } from '../../console/src/messages/server-words-de.ts'
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
