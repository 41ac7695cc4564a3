// The documents and the tree of the project: titles, links, sizes, first sentences, and where the
// tricks of the planner are.

import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { isTest, listFiles, listSources, ROOT, readText } from './source-files.ts'

describe('documents', () => {
  const pages = listFiles().filter((file) => file.endsWith('.md'))

  test('have exactly one title each', () => {
    assert.ok(pages.length > 10)
    const wrong = pages.filter((page) => countTitles(readText(page)) !== 1)
    assert.deepEqual(wrong, [])
  })

  test('have no dead relative link', () => {
    const dead = pages.flatMap((page) =>
      findRelativeLinks(readText(page))
        .filter((link) => !existsSync(join(ROOT, dirname(page), link)))
        .map((link) => `${page} → ${link}`),
    )
    assert.deepEqual(dead, [])
  })

  test('are guarded: a title inside a code block is not counted, a second one is', () => {
    assert.equal(countTitles('# One\n```\n# not a title\n```\n'), 1)
    assert.equal(countTitles('# One\n\n# Two\n'), 2)
  })

  test('are guarded: an anchor and a web address are no relative links', () => {
    assert.deepEqual(findRelativeLinks('[a](b.md#c) [d](#e) [f](https://example.org/)'), ['b.md'])
  })
})

describe('the tree', () => {
  test('holds no file over 1 MiB, and no generated document over 3 MiB', () => {
    const files = listFiles()
    assert.ok(files.length > 150)
    assert.deepEqual(
      files.filter((file) => statSync(join(ROOT, file)).size > limitBytes(file)),
      [],
      'too large: split the file, or keep it out of the tree',
    )
  })

  test('names no absolute path of a developer machine', () => {
    const texts = listFiles().filter((file) => /\.(ts|js|json|md|sql|toml|yml|sh)$/.test(file))
    assert.ok(texts.length > 1_000, `only ${texts.length} files were seen`)
    assert.deepEqual(
      texts.filter((file) => file !== OWN_FILE && namesDeveloper(readText(file))),
      [],
    )
  })

  test('has the tricks of the planner in one file', () => {
    assert.deepEqual(
      listSources().filter((file) => PLANNER_TRICK.test(readText(file))),
      ['src/kernel/db/planner.ts'],
    )
  })

  test('starts every file with a sentence on what it is for, but for tests beside their source', () => {
    const files = listFiles().filter(
      (file) =>
        /^test\/.*\.ts$/.test(file) ||
        (/^(src|scripts|bench)\/.*\.ts$/.test(file) && !isTest(file)),
    )
    assert.ok(files.length > 1_000, `only ${files.length} files were seen`)
    assert.deepEqual(
      files.filter((file) => !beginsWithSentence(readText(file))),
      [],
    )
  })

  test('is guarded: a path of a developer and a file without a sentence are found', () => {
    assert.ok(namesDeveloper('cd /home/ana/casework'))
    assert.ok(!namesDeveloper('https://example.org/Home/ana'))
    assert.ok(!beginsWithSentence("import assert from 'node:assert/strict'\n// Late.\n"))
    assert.ok(beginsWithSentence('// The tree.\n'))
  })
})

const OWN_FILE = 'test/tidy-tree.test.ts'
const PLANNER_TRICK =
  /\boffset 0\b(?! without)|set local enable_|limit \(select \d|\}? \|\| '' = |case when \$\{\w+\} then true end/

function namesDeveloper(text: string): boolean {
  return /\/(?:home|Users|work)\/[a-z]/.test(text)
}

function beginsWithSentence(text: string): boolean {
  return /^\/\/ \S/.test(text)
}

function countTitles(text: string): number {
  const prose = text.replaceAll(/```[\s\S]*?```/g, '')
  return [...prose.matchAll(/^# /gm)].length
}

function findRelativeLinks(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => (match[1] ?? '').split('#')[0] ?? '')
    .filter((link) => link !== '' && !/^[a-z]+:/.test(link))
}

// The OpenAPI document writes each schema out where it is used.
function limitBytes(file: string): number {
  return (file.startsWith('openapi/') ? 3 : 1) * 1_024 * 1_024
}
