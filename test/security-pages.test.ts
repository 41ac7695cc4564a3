// The security pages: each test and each file that they name exists, ASVS has every requirement of
// its levels 1 and 2, and what is not met says why.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { isTest, listFiles, ROOT, readText } from './source-files.ts'
import { readTitles, splitTitles } from './test-texts.ts'

const THREATS = 'docs/concepts/threat-model.md'
const TOP_TEN = 'docs/reference/owasp-api-top-10.md'
const ASVS = 'docs/reference/asvs.md'

// Of ASVS 5.0.0: 70 requirements of level 1, 183 of level 2.
const ASVS_LEVEL_1 = 70
const ASVS_LEVEL_2 = 183

const titles = new Set(
  listFiles()
    .filter(isTest)
    .flatMap((file) => readTitles(readText(file))),
)

describe('the security pages', () => {
  test('name existing tests and files for each threat and each control that is met', () => {
    assert.ok(titles.size > 1_500, `only ${titles.size} titles were seen`)
    const threats = listRows(THREATS, 4, 'Threat').map((row) => row[2] ?? '')
    const controls = listRows(TOP_TEN, 3, 'Control').map((row) => row.slice(1))
    const requirements = listRows(ASVS, 5, 'Id').map((row) => row.slice(3))
    assert.ok(threats.length > 30, `only ${threats.length} threats were seen`)
    assert.ok(controls.length > 40, `only ${controls.length} controls were seen`)
    const met = [...controls, ...requirements].filter(([state]) => state === 'met')
    const cells = [...threats, ...met.map((row) => row[1] ?? '')]
    assert.deepEqual(cells.filter(namesNothing), [], 'named tests or files that do not exist')
  })

  test('give a state to each control, and a reason where it is not met', () => {
    const rows = [
      ...listRows(TOP_TEN, 3, 'Control').map((row) => row.slice(1)),
      ...listRows(ASVS, 5, 'Id').map((row) => row.slice(3)),
    ]
    const wrong = rows.filter(
      ([state = '', reason = '']) =>
        !['met', 'not applicable', 'open'].includes(state) || reason.length < 7,
    )
    assert.deepEqual(wrong, [])
  })

  test('have each requirement of ASVS once, and tell how many are met', () => {
    const rows = listRows(ASVS, 5, 'Id')
    assert.equal(new Set(rows.map(([id]) => id)).size, rows.length)
    assert.equal(rows.filter((row) => row[1] === '1').length, ASVS_LEVEL_1)
    assert.equal(rows.filter((row) => row[1] === '2').length, ASVS_LEVEL_2)
    const count = (state: string) => rows.filter((row) => row[3] === state).length
    const sentence = `Now ${count('met')} are met, ${count('not applicable')} not applicable, ${count('open')} open.`
    assert.ok(readText(ASVS).includes(sentence), sentence)
  })

  test('are guarded: a part of a title and a file that is not there are found', () => {
    const [title = ''] = titles
    for (const cell of ['', title.slice(1), `${title}; x`, '`src/none.ts`', `\`src\`; ${title}x`]) {
      assert.ok(namesNothing(cell), cell)
    }
    assert.ok(!namesNothing(`${title}; \`src/main.ts\``))
  })
})

// The rows of the tables of a page whose first column has that head.
function listRows(page: string, columns: number, head: string): readonly (readonly string[])[] {
  return readText(page)
    .split(/\n(?!\|)/)
    .map((block) => block.trim())
    .filter((table) => table.startsWith(`| ${head} |`))
    .flatMap((table) => table.split('\n').slice(2))
    .map((line) => {
      const cells = line.slice(2, -2).split(' | ')
      assert.equal(cells.length, columns, `${page}: ${line}`)
      return cells
    })
}

// Files stand between backticks and hold a dot or a slash; the rest are titles.
function namesNothing(cell: string): boolean {
  const files = [...cell.matchAll(/`([\w./-]+\.\w+)`/g)].map((match) => match[1] ?? '')
  const rest = cell
    .split('; ')
    .filter((part) => !/^`[\w./-]+\.\w+`$/.test(part))
    .join('; ')
  if (files.some((file) => !existsSync(join(ROOT, file)))) return true
  return rest === '' ? files.length === 0 : splitTitles(rest, titles) === null
}
