// Proves that the run of shell blocks notices what fails. tidy-words.test.ts has the rules about
// how blocks are written.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { runBlocks } from './page-runner.ts'
import { readBlocks } from './shell-blocks.ts'

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
