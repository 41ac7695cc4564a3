// Proves what the completion of a shell is told, by the shell itself where it is there.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { findPackageRoot } from '../values/resources.ts'
import { buildProgram } from './cli.ts'
import { complete, writeCompletion } from './completion.ts'
import { writeManualPage } from './manual-page.ts'

const program = buildProgram(() => undefined)

it('offers commands, flags and the values of a flag', () => {
  assert.ok(complete(program, ['ca']).includes('case'))
  assert.deepEqual(complete(program, ['case', 'as']), ['assign', 'assignees'])
  assert.ok(complete(program, ['case', 'list', '--sta']).includes('--state'))
  assert.deepEqual(complete(program, ['case', 'list', '--order', '']), ['asc', 'desc'])
  assert.deepEqual(complete(program, ['case', 'list', '-o', 'js']), ['json', 'jsonl'])
  assert.deepEqual(complete(program, ['nothing-such', 'x']), [])
})

it('works in bash', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'completion-'))
  t.after(() => rmSync(folder, { recursive: true }))
  symlinkSync(join(findPackageRoot(), 'bin/casework.js'), join(folder, 'casework'))
  const script = `${writeCompletion('bash')}
COMP_WORDS=(casework case clo); COMP_CWORD=2; _casework; echo "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', script], {
    encoding: 'utf8',
    env: { PATH: `${folder}:${process.env['PATH']}` },
  })
  assert.equal(stdout, 'close\n', stderr)
})

it('there are scripts for bash, zsh and fish, and a usage failure for another shell', () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    assert.match(writeCompletion(shell), /casework complete --/)
  }
  assert.throws(() => writeCompletion('tcsh'), /There is completion for bash, zsh, fish/)
})

it('the manual page names every command, and no line of a text is a request of roff', () => {
  const page = writeManualPage(program)
  for (const name of ['case list', 'case close', 'lookup', 'api']) {
    assert.ok(page.includes(`.SS ${name}`), name)
  }
  const requests = page.split('\n').filter((line) => /^[.']/.test(line))
  for (const line of requests) assert.match(line, /^\.(?:TH|SH|SS|TP|B|I|PP|nf|fi)\b/)
})
