// How shell blocks are written, and the guards of the test that runs them.

import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { ROOT } from '../source-files.ts'
import { runBlocks } from './page-runner.ts'
import { EXPECTED_FAILURES, isAbout, listBlocks, NOT_RUN, readBlocks } from './shell-blocks.ts'

describe('shell blocks of the documents', () => {
  test('each exception names exactly one block, and has a reason', () => {
    for (const entry of NOT_RUN) {
      const found = listBlocks().filter((block) => isAbout(entry, block))
      assert.equal(found.length, 1, `${entry.page}: ${entry.line}`)
      assert.match(entry.reason, /^[A-Zn].{20,}\.$/)
    }
    for (const { page, command } of EXPECTED_FAILURES) {
      const isThere = listBlocks().some(
        (block) => block.page === page && block.text.includes(command),
      )
      assert.ok(isThere, `${page}: ${command}`)
    }
  })

  test('the server is named by $CASEWORK_URL alone', () => {
    for (const { page, text } of listBlocks()) {
      const rest = text
        .replace(/^export CASEWORK_URL=\S+$/m, '')
        .replace('smtp://127.0.0.1:2525', '')
      assert.doesNotMatch(rest, /127\.0\.0\.1|localhost/, page)
    }
  })

  test('curl fails for a refusal and prints its reason', () => {
    const calls = listBlocks().flatMap(({ page, text }) =>
      [...text.matchAll(/\bcurl [^\n]*/g)].map(([call]) => `${page}: ${call}`),
    )
    assert.ok(calls.length > 10)
    const pattern = /curl -sS (?:--fail-with-body|smtp:)/
    assert.deepEqual(
      calls.filter((call) => !pattern.test(call)),
      [],
    )
  })

  test('hosts are of this machine or reserved names', () => {
    for (const { page, text } of listBlocks()) {
      for (const [, host = ''] of text.matchAll(
        /(?:https?|smtp|postgres):\/\/(?:[^@\s/]*@)?([\w.-]+)/g,
      )) {
        assert.match(
          host,
          /^127\.0\.0\.1$|(?:^|\.)(?:example|invalid|test)(?:\.(?:com|net|org))?$/,
          page,
        )
      }
    }
  })

  test('the command has one spelling, npx casework', () => {
    const commands =
      'serve|migrate|token|lookup|check|explain|import|report|source|backup|restore|doctor|privacy|config|examples'
    const wrong = new RegExp(
      `npm run (?:-s )?casework -|(?<!npx )(?<![\\w/.-])casework (?:${commands})\\b`,
    )
    const pages = [
      'README.md',
      'CONTRIBUTING.md',
      ...globSync('{docs,examples}/**/*.md', { cwd: ROOT }),
    ]
    assert.ok(pages.length > 30)
    for (const page of pages) {
      assert.doesNotMatch(readFileSync(join(ROOT, page), 'utf8'), wrong, page)
    }
    assert.match('`casework lookup 192.0.2.1`', wrong)
    assert.doesNotMatch('`npx casework lookup 192.0.2.1`', wrong)
  })
})

describe('the run of shell blocks', () => {
  test('notices a command that fails, also in a pipe or a substitution, and text that is no JSON', async (t) => {
    const cwd = mkdtempSync(join(tmpdir(), 'casework-blocks-'))
    t.after(() => rmSync(cwd, { recursive: true, force: true }))
    const banner = 'npx() { echo "> casework"; echo "{}"; }'
    const blocks = [
      'true\nfalse | true',
      'A=$(exit 3)',
      banner,
      'npx casework config -o json',
      'echo end',
    ]
    const { failures, said } = await runBlocks(t, blocks, { cwd, environment: {} })
    assert.match(said, /^end$/m)
    // Bash names the last command of a pipe.
    assert.deepEqual(failures, ['1 true', '3 A=$(exit 3)', '1 assert_json'])
  })

  test('finds the blocks of a page, and refuses one without a language', () => {
    const page = '# T\n\n```sh\nnpx casework config\n```\n\n```json\n{}\n```\n'
    assert.deepEqual(readBlocks('a.md', page), [{ page: 'a.md', text: 'npx casework config\n' }])
    assert.throws(() => readBlocks('a.md', '```\nnpm start\n```\n'), /names no language/)
  })
})
