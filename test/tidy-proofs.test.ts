// What must have a test: each error code, each decision where the interface is silent, and each
// operation. And each test file must be in a group, or it would never run.

import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { describe, test } from 'node:test'
import { isTest, listFiles, listSources, ROOT, readText } from './source-files.ts'
import { readTestCode, readTitles, splitTitles } from './test-texts.ts'

// In a row of defineErrors the code follows the status.
const ERROR_CODE_PATTERN = /(?:code:|\d{3},)\s*'([A-Z]+(?:_[A-Z0-9]+)+)'/g

function findCodes(text: string): string[] {
  return [...text.matchAll(ERROR_CODE_PATTERN)].map((match) => match[1] ?? '')
}

const OWN_FILE = 'test/tidy-proofs.test.ts'
const MAKES_ERROR = /\bnew OperatingError\(/

// The envelope of threat intelligence has no member for a code, and a command that does not start
// prints the sentence alone. So a test can name these codes in words only.
const PRINTED = new Set(['APP_PORT_TAKEN', 'APP_ADDRESS_NOT_USABLE', 'APP_DATABASE_NOT_USABLE'])

function isWithoutMember(code: string): boolean {
  return code.startsWith('INTEL_') || PRINTED.has(code)
}

/** Everything in a text that is written as a code is. */
function readCodes(text: string): ReadonlySet<string> {
  return new Set(text.match(/\b[A-Z]+(?:_[A-Z0-9]+)+\b/g))
}

describe('the catalogue of errors', () => {
  const catalogues = listFiles().filter((file) => /^src\/.*errors\.ts$/.test(file))
  const codes = catalogues.flatMap((file) => findCodes(readText(file)))

  test('and docs/reference/errors.md name the same codes', () => {
    assert.ok(codes.length > 30, `only ${codes.length} codes were seen`)
    const page = readText('docs/reference/errors.md')
    const documented = [...page.matchAll(/^\| `([A-Z_0-9]+)` \|/gm)].map((match) => match[1] ?? '')
    assert.deepEqual(documented.toSorted(), codes.toSorted())
  })

  test('has every operating error: none is made elsewhere', () => {
    const makers = listSources().filter((file) => MAKES_ERROR.test(readText(file)))
    // The function that makes those of the catalogues.
    assert.deepEqual(
      makers.filter((file) => !file.endsWith('errors.ts')),
      [],
    )
    assert.ok(makers.length > 0, 'no maker of errors was seen')
  })

  test('is provoked by tests, code by code', () => {
    const tests = listFiles()
      .filter((file) => /\.(test|citus)\.ts$/.test(file) && file !== OWN_FILE)
      .map((file) => readText(file))
    const inWords = readCodes(tests.join('\n'))
    const inCode = readCodes(tests.map(readTestCode).join('\n'))
    assert.deepEqual(
      codes.filter((code) => !(isWithoutMember(code) ? inWords : inCode).has(code)),
      [],
      'codes that no test expects (a comment or a title alone is no test)',
    )
  })

  test('is guarded: a code in a comment, in a title or within another code is not expected', () => {
    const text = "// A_B\ntest('409 A_B', () => {\n  /* A_B */\n  assert.equal(code, 'C_D_E')\n})\n"
    assert.deepEqual([...readCodes(readTestCode(text))], ['C_D_E'])
    assert.ok(readCodes(text).has('A_B'))
  })
})

describe('docs/interface-gaps', () => {
  test('names an existing test for every gap', () => {
    const pages = listFiles().filter((file) => /^docs\/interface-gaps\/.*\.md$/.test(file))
    const text = pages.map((page) => readText(page)).join('\n')
    const rows = [...text.matchAll(/^\| (?!Interface|---)(.+?) \| (.+?) \| (.+?) \|$/gm)]
    assert.ok(rows.length > 100, `only ${rows.length} gaps were seen`)
    const titles = new Set(
      listFiles()
        .filter(isTest)
        .flatMap((file) => readTitles(readText(file))),
    )
    assert.ok(titles.size > 1_500, `only ${titles.size} titles were seen`)
    const missing = rows
      .map((row) => (row[3] ?? '').replaceAll('`', ''))
      .filter((cell) => splitTitles(cell, titles) === null)
    assert.deepEqual(missing, [], 'named tests that do not exist')
  })

  test('is guarded: a part of a title, a suite, a comment and a skipped test are no test', () => {
    const text =
      "describe('suite', () => {\n  // it('comment')\n  it.skip('skipped', f)\n  it('one; two', f)\n  it('three', f)\n})\n"
    const titles = new Set(readTitles(text))
    assert.deepEqual(splitTitles('three; one; two', titles), ['three', 'one; two'])
    for (const cell of ['one', 'two', 'three; four', 'suite', 'comment', 'skipped', '']) {
      assert.equal(splitTitles(cell, titles), null, cell)
    }
  })
})

describe('the operations of the service', () => {
  test('have a sample each, for the tests that go over all of them', () => {
    const document = readText('openapi/beta.json')
    const ids = [...document.matchAll(/"operationId": ?"(\w+)"/g)].map((match) => match[1] ?? '')
    const samples = readText('test/operation-samples.ts')
    assert.ok(ids.length > 100, `only ${ids.length} operations were seen`)
    assert.deepEqual(
      ids.filter((id) => !samples.includes(`\n  ${id}: `)),
      [],
      'operations without a request in test/operation-samples.ts',
    )
  })
})

describe('the groups of test/groups and test/program-groups', () => {
  test('run every test file, each once', () => {
    const groups = listFiles().filter((file) => /^test\/(program-)?groups\//.test(file))
    const patterns = groups.flatMap((file) =>
      [...readText(file).matchAll(/'([^']+\.test\.ts)'/g)].map((match) => match[1] ?? ''),
    )
    const run = patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    const tests = listFiles().filter((file) => file.endsWith('.test.ts'))
    assert.ok(tests.length > 150, `only ${tests.length} files were seen`)
    assert.deepEqual(run.toSorted(), tests.toSorted())
  })
})
